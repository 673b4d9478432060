"""What an acceptance would come to, worked out by the same rules and saved nowhere."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from buyers.enums import BuyerClass
from buyers.models import Broker, Buyer, Document, Exchange
from buyers.services import presenting_broker
from offerings.models import Acceptance, Participation, Stage
from offerings.rules.standings import Standing
from offerings.selectors.on_file import documents_on_file
from offerings.selectors.programmes import stage_terms
from offerings.services.evaluation import standings_of
from offerings.services.participations import PaperGiven, PartGiven, class_check
from office.dates import BOGOTA
from office.models import User

LATEST = datetime.max.replace(year=9000, tzinfo=BOGOTA)


class Typed(NamedTuple):
    """What is known of an acceptance while it is typed. requested: None while unreadable."""

    part: PartGiven
    papers: Sequence[PaperGiven]
    requested: int | None
    declarations: Sequence[str]
    received_at: datetime | None
    attested_on: object
    broker: Broker | None
    exchange: Exchange | None


def standing_preview(*, stage: Stage, buyer: Buyer, typed: Typed, user: User) -> Standing:
    """How the acceptance that is being typed would stand beside the buyer's others.

    Without a quantity it is asked for one share, so that the limit can be shown already.
    """
    terms = stage_terms(stage)
    class_check(buyer, BuyerClass(typed.part.buyer_class), terms)
    participation = _participation(stage, buyer, typed.part)
    documents = [*_held(participation), *_papers(buyer, typed.papers, user)]
    held = {document.pk for document in documents}
    on_file = documents_on_file(buyer, terms, user)
    documents += [document for document in on_file if document.pk not in held]
    others = list(Acceptance.objects.filter(participation__buyer=buyer, stage=stage))
    mine = _typed(stage, participation, typed, user)
    found = standings_of(participation, documents, [*others, mine], stage, terms)
    return next(one for one in found if one.reference == mine.code)


def _participation(stage: Stage, buyer: Buyer, part: PartGiven) -> Participation:
    known = Participation.objects.filter(programme=stage.programme, buyer=buyer).first()
    participation = known or Participation(programme=stage.programme, buyer=buyer)
    participation.buyer = buyer
    for name, value in vars(part).items():
        # What this acceptance does not say is as it was.
        if known is None or value is not None:
            setattr(participation, name, value)
    return participation


def _held(participation: Participation) -> list[Document]:
    if participation.pk is None:
        return []
    return list(participation.documents.filter(replaced_at=None).order_by("pk"))


def _papers(buyer: Buyer, papers: Sequence[PaperGiven], user: User) -> list[Document]:
    broker = presenting_broker(user)
    return [
        Document(
            pk=-number,
            presented_by=broker,
            buyer=buyer,
            kind=paper.kind.value,
            label=paper.label,
            year=paper.year,
            members=paper.members,
            norm=paper.norm,
            exchange=paper.exchange,
            exchange_reference=paper.exchange_reference,
            seen_by=user,
            seen_at=timezone.now(),
            **{base.value: amount for base, amount in paper.figures.items()},
        )
        for number, paper in enumerate(papers, start=1)
    ]


def _typed(stage: Stage, participation: Participation, typed: Typed, user: User) -> Acceptance:
    return Acceptance(
        broker=presenting_broker(user) or typed.broker,
        registered_by=user,
        stage=stage,
        participation=participation,
        serial=stage.last_serial + 1,
        requested=typed.requested or 1,
        received_at=typed.received_at or LATEST,
        attested_on=typed.attested_on,
        declarations=list(typed.declarations),
    )


def limit_alone(standing: Standing) -> Standing:
    """The same without the steps on the quantity, which is not known yet."""
    steps = standing.ruling.steps[:-2]
    return replace(standing, ruling=replace(standing.ruling, steps=steps, conclusion=""))
