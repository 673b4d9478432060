"""Acceptances to be listed, and the buyer that a person means by a text."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from django.db.models import Model, Prefetch, Q, QuerySet

from buyers.enums import IdentityType
from buyers.models import Buyer, Document
from buyers.selectors import buyers_matching, buyers_shown
from offerings.enums import AcceptanceState
from offerings.models import Acceptance, Award, Participation
from offerings.selectors.class_findings import false_class
from offerings.selectors.payments import with_measures
from office.dates import BOGOTA
from office.decisions import decision_event, decisions_on
from office.identities import IdentityError, read_identity
from office.models import Decision, User
from office.refusals import Refused
from office.review import ReviewState
from office.roles import Capability
from office.text import fold

NAME_AND_IDENTITY = " · "
_SERIAL = re.compile(r"[1-9][0-9]{0,6}")
FEW = 1_000
ABBREVIATIONS = {"C.C.": "CC", "C.E.": "CE", "NIT": "NIT", "Pasaporte": "PA"}


def buyer_named(text: str, user: User) -> Buyer:
    """The one buyer that `text` names: "Nombre · C.C. 51.000.123", an identity, or a name. The
    identity of a merged one names the one that it was merged into.

    Raises Refused where there is none, or more than one.
    """
    visible = buyers_shown(user).filter(merged_into=None)
    identity = text.rpartition(NAME_AND_IDENTITY)[2]
    found = list(_by_identity(identity, visible)[:2])
    if not found:
        merged = Buyer.objects.visible_to(user).filter(merged_into__isnull=False)
        into = _by_identity(identity, merged).values("merged_into")
        found = list(visible.filter(pk__in=into)[:2])
    if not found:
        found = list(visible.filter(name_folded=fold(text))[:2])
    if not found:
        found = list(visible.filter(name_folded__contains=fold(text))[:6])
    if not found:
        raise Refused(
            f"No hay un comprador registrado como «{text}». Regístrelo primero en Compradores, "
            "o escriba su documento.",
            "buyer",
        )
    if len(found) > 1:
        names = "; ".join(f"{buyer.name} · {buyer.identity}" for buyer in found[:5])
        raise Refused(f"Hay varios: {names}. Escriba el documento.", "buyer")
    return found[0]


def _by_identity(text: str, visible: QuerySet[Buyer]) -> QuerySet[Buyer]:
    text = text.strip()
    for abbreviation, kind in ABBREVIATIONS.items():
        if text.casefold().startswith(abbreviation.casefold()):
            return visible.filter(_identity(kind, text[len(abbreviation) :]))
    any_type = Q(pk=None)
    for kind in IdentityType:
        any_type |= _identity(kind.value, text)
    return visible.filter(any_type)


def _identity(kind: str, text: str) -> Q:
    try:
        read = read_identity(kind, text)
    except IdentityError:
        return Q(pk=None)
    return Q(identity_type=read.type, identity_number=read.number)


def acceptances_listed(user: User) -> QuerySet[Acceptance]:
    """The acceptances that `user` may see, with what a list shows of each."""
    shown = Acceptance.objects.visible_to(user).annotate(false_class=false_class())
    return shown.select_related("stage__programme", "participation__buyer", "broker")


def acceptances_shown(user: User) -> QuerySet[Acceptance]:
    """The same with all that its own page shows."""
    current = Document.objects.visible_to(user).filter(replaced_at=None)
    documents = current.select_related("verified_by").order_by("pk")
    approved = with_measures(Award.objects.filter(adjudication__review_state=ReviewState.APPROVED))
    return (
        acceptances_listed(user)
        .select_related("exchange", "registered_by", "source_import")
        .prefetch_related(
            Prefetch("participation__documents", documents, to_attr="held"),
            Prefetch(
                "awards",
                # The one in force is the newest, if it was not annulled.
                approved.select_related("adjudication").order_by("-adjudication"),
                to_attr="approved",
            ),
        )
    )


def acceptances_alike(acceptance: Acceptance) -> QuerySet[Acceptance]:
    """Others of the same buyer that say the same: moment, quantity, broker and exchange."""
    alike = Acceptance.objects.filter(
        stage=acceptance.stage_id,
        participation=acceptance.participation_id,
        received_at=acceptance.received_at,
        requested=acceptance.requested,
        broker=acceptance.broker_id,
        exchange=acceptance.exchange_id,
        state=AcceptanceState.PRESENTED,
    )
    return alike.exclude(pk=acceptance.pk).order_by("serial")


def acceptance_events(acceptance: Acceptance, user: User) -> list[dict[str, str]]:
    """What happened to one of `acceptances_shown`, oldest first: its own acts, the loading of its
    file, and for the house those of its adjudications, whose sums are not a broker's.
    """
    subjects: list[Model] = [acceptance]
    of_house = user.may(Capability.READ)
    if of_house:
        subjects += [award.adjudication for award in acceptance.approved]
    acts = [*decisions_on(subjects), *loading_acts(acceptance)]
    ordered = sorted(acts, key=lambda act: act.pk)
    return [decision_event(act, alone=not of_house) for act in ordered]


def loading_acts(acceptance: Acceptance) -> Iterator[Decision]:
    """The act that loaded its file, told of this acceptance alone."""
    source = acceptance.source_import
    if source is None:
        return
    for act in decisions_on([source]).filter(act="import_load"):
        act.sentence = (
            f"Registró {acceptance.code}, de la fila {acceptance.source_row} del archivo "
            f"{source.code}."
        )
        act.article = ", ".join(acceptance.ruling.get("cites", [])[:2])
        yield act


def acceptances_received_on(found: QuerySet[Acceptance], day: date) -> QuerySet[Acceptance]:
    """Those whose legal moment of receipt lies in the day, in Bogotá."""
    begin = datetime.combine(day, time(), BOGOTA)
    return found.filter(received_at__gte=begin, received_at__lt=begin + timedelta(days=1))


def acceptances_matching(
    found: QuerySet[Acceptance], asked: str, user: User
) -> QuerySet[Acceptance]:
    """Those whose buyer's name or identity, or whose own number, is asked for; a number after
    "A-" is an acceptance's and nothing else."""
    folded = fold(asked)
    if not folded:
        return found
    number = folded.removeprefix("a-").strip().lstrip("0")
    own = Q(serial=int(number)) if _SERIAL.fullmatch(number) else Q(pk=None)
    if folded.startswith("a-") and own:
        return found.filter(own)
    buyers = buyers_matching(Buyer.objects.all(), asked, user).order_by()
    parts = Participation.objects.filter(buyer__in=buyers.values("pk")).values_list("pk")
    few = [pk for (pk,) in parts[: FEW + 1]]
    # Named one by one, few are found by their index beside a number's; many are joined.
    return found.filter(own | Q(participation__in=few if len(few) <= FEW else parts))
