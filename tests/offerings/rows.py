"""Rows for tests, made straight in the tables: a stage and acceptances already evaluated."""

from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from buyers.models import Broker, Buyer, Exchange
from offerings.decrees.reader import terms_as_data, terms_of, terms_sha256
from offerings.enums import StageState, Standing
from offerings.models import Acceptance, FundRules, Participation, Programme, Stage
from office.text import fold
from tests.conftest import CLOSED, OPENED

SLUG = "banco-popular-1995"


def make_stage(preparer, reviewer, *, supply=500, price=Decimal("60.60"), closed=False, fund=None):
    """Stage 1 of the 1995 programme, open, or closed on 14/09/1995 at 17:00; `fund`: what the
    Fund's rules say of it."""
    terms = terms_of(SLUG, fund or {})
    programme = Programme.objects.create(
        slug=SLUG,
        name=terms.title.value,
        short_name=terms.name.value,
        opened_by=preparer,
    )
    rules = FundRules.objects.create(
        programme=programme,
        version=1,
        terms=terms_as_data(terms),
        terms_sha256=terms_sha256(terms),
        prepared_by=preparer,
        review_state="approved",
        reviewed_by=reviewer,
        reviewed_at=timezone.now(),
    )
    return Stage.objects.create(
        programme=programme,
        number=1,
        state=StageState.CLOSED if closed else StageState.OPEN,
        rules=rules,
        supply=supply,
        price=price,
        opened_at=OPENED,
        last_moment=CLOSED,
        closed_at=CLOSED if closed else None,
    )


def make_acceptance(
    stage, serial, requested, *, buyer_class="worker", buyer=None, received_at=None, **fields
):
    """An evaluated acceptance of a new buyer, received `serial` minutes after the opening."""
    fields.setdefault("admitted", requested)
    fields.setdefault("standing", Standing.COMPLETE)
    participation = _participation(stage, serial, buyer_class, buyer)
    return Acceptance.objects.create(
        stage=stage,
        participation=participation,
        serial=serial,
        requested=requested,
        received_at=received_at or OPENED + timedelta(minutes=serial),
        conditions_accepted_at=OPENED,
        registered_by=stage.programme.opened_by,
        evaluated_at=OPENED,
        **(places() | fields),
    )


def make_acceptances(stage, quantities):
    """One acceptance for each quantity, in order of receipt."""
    return [
        make_acceptance(stage, serial, quantity)
        for serial, quantity in enumerate(quantities, start=1)
    ]


def make_many_acceptances(stage, count, requested):
    """`count` acceptances alike, in few queries; all of one buyer, whom no limit holds."""
    participation = _participation(stage, 1, "cooperative", None)
    Acceptance.objects.bulk_create(
        Acceptance(
            stage=stage,
            participation=participation,
            serial=serial,
            requested=requested,
            admitted=requested,
            standing=Standing.COMPLETE,
            received_at=OPENED + timedelta(seconds=serial),
            **places(),
            conditions_accepted_at=OPENED,
            registered_by=stage.programme.opened_by,
        )
        for serial in range(1, count + 1)
    )


def places():
    """The broker and the exchange that all of these came through."""
    broker, _ = Broker.objects.get_or_create(
        nit="860007738-9", defaults={"name": "Corredores de Prueba S. A."}
    )
    exchange, _ = Exchange.objects.get_or_create(name="Bolsa de Prueba")
    return {"broker": broker, "exchange": exchange}


def _participation(stage, serial, buyer_class, buyer):
    buyer = buyer or make_buyer(stage.programme.opened_by, serial, buyer_class)
    participation, _ = Participation.objects.get_or_create(
        programme=stage.programme, buyer=buyer, defaults={"buyer_class": buyer_class}
    )
    return participation


def make_buyer(user, serial, buyer_class="worker"):
    """A made-up person, or an organisation with a right NIT."""
    if buyer_class in {"worker", "pensioner"}:
        name = f"María Ejemplo Ñáñez {serial}"
        identity = {
            "kind": "natural", "identity_type": "CC", "identity_number": str(51_000_000 + serial)
        }  # fmt: skip
    else:
        name = f"Cooperativa Ficticia {serial}"
        identity = {
            "kind": "organisation", "identity_type": "NIT",
            "identity_number": str(860_000_000 + serial), "check_digit": "1",
        }  # fmt: skip
    return Buyer.objects.create(name=name, name_folded=fold(name), registered_by=user, **identity)
