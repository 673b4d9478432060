"""What is known of the buyer of an acceptance is filled in, so that nothing is typed twice."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from buyers.models import YEARLY_KINDS, Buyer, Document
from offerings.forms.acceptances import AcceptanceForm
from offerings.forms.papers import papers_initial
from offerings.models import Acceptance, Participation, Stage
from offerings.rules.intermediaries import intermediaries_required
from offerings.selectors.programmes import stage_terms
from office.models import User

FILLED_FOR = "filled_for"


def known_of(stage: Stage, buyer: Buyer, user: User) -> dict[str, Any]:
    """What the form can say already of a buyer whose part in the programme `user` may see."""
    initial: dict[str, Any] = {
        "buyer": f"{buyer.name} · {buyer.identity}",
        FILLED_FOR: buyer.pk,
    }
    parts = Participation.objects.visible_to(user)
    part = parts.filter(programme=stage.programme, buyer=buyer).first()
    if part is None:
        return initial
    initial |= {
        "buyer_class": part.buyer_class,
        "is_executive": part.is_executive,
        "last_year_filed": part.last_year_filed,
        "present_holding": part.present_holding or None,
        "held_through_others": part.held_through_others or None,
        "files_tax_return": {True: "si", False: "no", None: ""}[part.files_tax_return],
    }
    terms = stage_terms(stage)
    if not intermediaries_required(terms).value:
        # Invoked already, they count untyped; their references would ask for an exchange that an
        # acceptance straight to the Fund does not have.
        return initial
    held = Document.objects.visible_to(user).filter(participations=part, replaced_at=None)
    return initial | papers_initial(terms, held)


def filled_in(
    typed: QueryDict, stage: Stage, buyer: Buyer | None, blank: AcceptanceForm, user: User
) -> dict[str, Any]:
    """What was typed, and in the blanks what is known of `buyer`. What was filled in for the buyer
    named before goes with it. `blank`: the form, for how it writes each value."""
    said = {name: value for name, value in typed.items() if value.strip()}
    pk = typed.get(FILLED_FOR, "")
    before = (
        Buyer.objects.visible_to(user).filter(pk=int(pk)).first()
        if pk.isdecimal() and len(pk) < 18
        else None
    )
    if before is not None and before != buyer:
        known = known_of(stage, before, user)
        said = {name: value for name, value in said.items() if not _is(value, known, name, blank)}
    said.pop(FILLED_FOR, None)
    known = known_of(stage, buyer, user) if buyer is not None else {}
    return {name: value for name, value in known.items() if value not in (None, "")} | said


def _is(value: str, known: Mapping[str, Any], name: str, blank: AcceptanceForm) -> bool:
    """Whether it is what was filled in, as the form writes it."""
    if name == "buyer" or name not in known or name not in blank.fields:
        return False
    field = blank.fields[name]
    written = {True: "on", False: ""}.get(known[name], field.prepare_value(known[name]))
    return str(written) == value


def papers_doubled(acceptance: Acceptance, user: User) -> list[str]:
    """The kinds of paper of which the buyer's part now rests on more than one, in words: of most,
    one is enough, and a second is often the first with its reference misspelt."""
    held = (
        Document.objects.visible_to(user)
        .filter(participations=acceptance.participation_id, replaced_at=None)
        .exclude(kind__in=YEARLY_KINDS)
        .order_by("pk")
    )
    found: dict[str, list[str]] = {}
    for document in held:
        found.setdefault(document.kind_words, []).append(
            document.exchange_reference or "con su archivo"
        )
    return [f"{name}: {', '.join(places)}" for name, places in found.items() if len(places) > 1]
