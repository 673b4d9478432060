"""What early exits are worked out from: the index, which is the statistics office's, and an
auction with its trades, which are made up and say so."""

from datetime import date
from decimal import Decimal
from importlib.resources import files
from uuid import uuid5

from config.demo import SOURCE, SUBMISSIONS
from config.demo.people import acting, exchange_that_adjudicates
from offerings.models import Programme
from offerings.selectors.cpi import cpi_by_month
from offerings.services.cpi import cpi_import_confirm, cpi_import_open
from offerings.services.trades import TradeEntry, auction_session_record, trade_record

BASE = date(2018, 12, 1)
CPI_FILE = "ipc.csv"
CPI_SOURCE = "DANE, IPC, serie de empalme 1993 a 2008"
AUCTION_ON = date(1995, 11, 20)
# When, for how much, how many, in the auction or not; the last is too small to count.
TRADES = (
    (AUCTION_ON, Decimal("80.00"), 30_000_000, True),
    (date(1996, 3, 12), Decimal("78.50"), 21_400_000, False),
    (date(1996, 8, 27), Decimal("92.00"), 4_000_000, False),
)


def prices_ready(programme: Programme) -> None:
    """The index of 1993 to 2008, the auction and three trades."""
    _cpi_load()
    with acting("mateo") as mateo:
        auction_session_record(
            programme=programme,
            user=mateo,
            held_on=AUCTION_ON,
            exchange=exchange_that_adjudicates(),
            source=f"Acta del martillo. {SOURCE}",
            submission_key=uuid5(SUBMISSIONS, "martillo"),
        )
        for number, (day, price, shares, in_auction) in enumerate(TRADES):
            entry = TradeEntry(
                traded_on=day,
                price=price,
                shares=shares,
                in_auction=in_auction,
                venue="Bolsa de Ejemplo",
                buyer_reference=f"Comprador ficticio {number + 1}",
                source=SOURCE,
            )
            trade_record(
                programme=programme,
                user=mateo,
                entry=entry,
                submission_key=uuid5(SUBMISSIONS, f"operación {number}"),
            )


def _cpi_load() -> None:
    if cpi_by_month():
        return
    data = (files("offerings.decrees") / CPI_FILE).read_bytes()
    with acting("irene") as irene:
        source = cpi_import_open(
            data=data, name=CPI_FILE, base_month=BASE, source=CPI_SOURCE, user=irene
        )
        cpi_import_confirm(import_id=source.pk, user=irene)
