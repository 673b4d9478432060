"""Indices, auctions and trades, straight into their tables. The figures are made up but for the
index, which is the statistics office's."""

from datetime import date
from decimal import Decimal

from django.utils import timezone

from offerings.models import AuctionSession, CpiBase, CpiImport, CpiIndex, ReferenceTrade
from office.files import file_store

BASE = date(2018, 12, 1)
SOURCE = "Anexo del DANE, serie de empalme"
HELD = date(1995, 11, 20)


def make_base(user, month=BASE, *, in_force=True) -> CpiBase:
    return CpiBase.objects.create(month=month, in_force=in_force, recorded_by=user)


def make_index(user, month=date(1995, 1, 1), value="18.59", **fields) -> CpiIndex:
    base = fields.pop("base", None) or CpiBase.objects.filter(in_force=True).first()
    return CpiIndex.objects.create(
        base=base or make_base(user),
        month=month,
        value=Decimal(value),
        recorded_by=user,
        source=SOURCE,
        **fields,
    )


def make_session(programme, user, held_on=HELD, **fields) -> AuctionSession:
    return AuctionSession.objects.create(
        programme=programme, held_on=held_on, recorded_by=user, source="Acta 7 de prueba", **fields
    )


def make_trade(programme, user, price="80.00", shares=30_000_000, **fields) -> ReferenceTrade:
    return ReferenceTrade.objects.create(
        **{
            "programme": programme,
            "traded_on": HELD,
            "price": Decimal(price),
            "shares": shares,
            "venue": "Bolsa de Muestra",
            "source": "Boletín de prueba 112",
            "recorded_by": user,
        }
        | fields
    )


def make_import(user, data=b"1995-01;18,59", **fields) -> CpiImport:
    stored = file_store(data=data, name="ipc.csv", content_type="text/csv", user=user)
    return CpiImport.objects.create(
        **{
            "file": stored,
            "sha256": stored.sha256,
            "source": SOURCE,
            "base_month": BASE,
            "uploaded_by": user,
        }
        | fields
    )


def closed_as(state, user, reason="Se leyó mal") -> dict:
    """The columns of a figure that was corrected or withdrawn."""
    return {
        "state": state,
        "closed_by_id": user.pk,
        "closed_at": timezone.now(),
        "closed_reason": reason,
    }
