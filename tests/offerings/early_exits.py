"""A bank's early exits: who María Ficticia and Pedro Prueba are, and what they owe."""

import csv
from datetime import date
from decimal import Decimal
from pathlib import Path

from offerings.decrees.fund_values import FundValue
from offerings.decrees.penalties import with_penalty_readings
from offerings.decrees.reader import terms_of
from offerings.rules.cpi import Month
from offerings.rules.penalty import ReleaseFacts, Trade, release_penalty

SOURCE = "Resolución ficticia 7 del Fondo"
OUTSTANDING = 5_609_906_000
LEAST = 16_829_718  # 0,3 % of them, rounded up
BOUGHT = date(1995, 9, 15)
AUCTION = date(1995, 11, 20)
PRICE = Decimal("60.60")

GIVEN = {"outstanding": FundValue(OUTSTANDING, SOURCE)}
T1994 = terms_of("banco-popular-1994", GIVEN)
T1995 = terms_of("banco-popular-1995", GIVEN)
T1996 = terms_of("banco-popular-1996", GIVEN)
FES = terms_of("fiduciaria-fes-2004")
FA = terms_of("financiera-america-2004")

with (Path(__file__).parents[2] / "offerings/decrees/ipc.csv").open(newline="") as lines:
    CPI = {
        Month(int(row["year"]), int(row["month"])): Decimal(row["index"])
        for row in csv.DictReader(lines)
    }


def trade(price="80.00", shares=30_000_000, on=AUCTION, **more):
    return Trade(on, Decimal(price), shares, on == AUCTION, **more)


def facts(asked, *trades, **more):
    """Her request of that day; without trades, that of the auction."""
    given = {
        "shares": 10_000,
        "price": PRICE,
        "purchased": BOUGHT,
        "auction_on": AUCTION,
        "trades": trades or (trade(),),
        "cpi": CPI,
        **more,
    }
    return ReleaseFacts(asked=asked, **given)


def reading(terms=T1995, **values):
    return with_penalty_readings(terms, values)


def penalty(asked, *trades, terms=T1995, **more):
    return release_penalty(facts(asked, *trades, **more), terms).value


def fes_facts(asked, **more):
    """Pedro Prueba bought 1,000 shares of the trust company at 4.800 on 14/01/2005."""
    given = {
        "shares": 1000,
        "price": Decimal(4800),
        "purchased": date(2005, 1, 14),
        "sale_price": Decimal(5200),
        **more,
    }
    return ReleaseFacts(asked=asked, **given)


def fes_penalty(asked, **more):
    return release_penalty(fes_facts(asked, **more), FES).value
