"""Runs worked cases, written apart from this project, against the rules.

A case file is TOML with exact decimals and holds tables of one kind: `limit`, `admission`,
`adjudication`, `term`, `base_price`, `release`, and those whose rules are still to come. The CPI
of `release` is `ipc.csv` beside the file or in a folder `data` beside the file's; else that of
the decrees' folder. No Django in here.
"""

import csv
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from buyers.enums import BuyerClass, BuyerKind
from offerings.decrees.codec import DecreeError
from offerings.decrees.penalties import with_penalty_readings
from offerings.decrees.reader import terms_of
from offerings.rules.adjudication import Line, adjudication
from offerings.rules.admission import Request, admission
from offerings.rules.base_price import BasePriceFacts, base_price
from offerings.rules.cpi import Cpi, Month
from offerings.rules.limits import LimitFacts, PurchaseLimit, purchase_limit
from offerings.rules.months import last_day, running_month
from offerings.rules.penalty import DecisionNeeded, ReleaseFacts, Trade, release_penalty
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import FactError, NotCovered
from offerings.rules.terms import Cited, Terms

Case = Mapping[str, Any]
C = TypeVar("C", BuyerKind, BuyerClass)
FIRST_RECEIPT = datetime(1995, 7, 14, tzinfo=UTC)  # only the order counts
CPI_FILE = "ipc.csv"
OWN_CPI = Path(__file__).parent / "decrees" / CPI_FILE
PLAIN_1995 = "banco-popular-1995"


class CaseFileError(ValueError):
    """A case file that is not in the agreed form: an unknown table or key, a wrong type."""


class RuleMissing(Exception):
    """The kind is known, its rule is not written yet: the case counts as failed."""


@dataclass(frozen=True)
class Kind:
    """One kind of case: what is given, what is right, and how it is run."""

    given: frozenset[str]
    right: frozenset[str]
    run: Callable[[Case], dict[str, Any]]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Outcome:
    """A case: what its file says is right, and what the rules found."""

    name: str
    wanted: dict[str, Any]
    found: dict[str, Any]

    @property
    def passed(self) -> bool:
        """Whether everything that the file states was found."""
        return all(self.found.get(key) == value for key, value in self.wanted.items())


def run_file(path: Path) -> list[Outcome]:
    """Run every case of a file; raises CaseFileError if the file is not in the agreed form."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CaseFileError(f"{path}: {error}") from None
    if not tables:
        raise CaseFileError(f"{path}: no cases in it")
    return [
        _run_case(kind, number, _with_cpi(kind, case, path), f"{path.name} {kind}")
        for kind, cases in tables.items()
        for number, case in enumerate(_cases(kind, cases, path), start=1)
    ]


def _cpi_of(path: Path) -> Cpi:
    """The index by month from a CSV of year, month, index."""
    near = (path.parent / CPI_FILE, path.parent.parent / "data" / CPI_FILE, OWN_CPI)
    found = next((file for file in near if file.is_file()), None)
    if found is None:
        raise CaseFileError(f"{path}: no {CPI_FILE} near it")
    with found.open(encoding="utf-8", newline="") as lines:
        return {
            Month(int(row["year"]), int(row["month"])): Decimal(row["index"])
            for row in csv.DictReader(lines)
        }


def _cases(kind: str, cases: Any, path: Path) -> list[Case]:
    if kind not in KINDS:
        raise CaseFileError(f"{path}: unknown table [[{kind}]]")
    if not isinstance(cases, list) or not all(isinstance(case, Mapping) for case in cases):
        raise CaseFileError(f"{path}: {kind} must be a list of tables [[{kind}]]")
    for number, case in enumerate(cases, start=1):
        _check_keys(case, KINDS[kind], f"{path}: {kind} {number}")
    return cases


def _check_keys(case: Case, kind: Kind, where: str) -> None:
    keys = set(case) - {"note"}
    unknown = sorted(keys - kind.given - kind.right - kind.optional)
    if unknown:
        raise CaseFileError(f"{where}: unknown key «{unknown[0]}»")
    absent = sorted(kind.given - keys)
    if absent:
        raise CaseFileError(f"{where}: key «{absent[0]}» is missing")
    if not keys & kind.right:
        raise CaseFileError(f"{where}: it does not say what is right")


def _run_case(kind: str, number: int, case: Case, where: str) -> Outcome:
    name = f"{where} {number}: {case.get('note', '')}".rstrip(": ")
    wanted = {key: case[key] for key in sorted(KINDS[kind].right) if key in case}
    try:
        found = KINDS[kind].run(case)
    except (RuleMissing, FactError, DecreeError) as error:
        found = {"error": str(error)}
    except (KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise CaseFileError(f"{name}: {type(error).__name__}: {error}") from None
    return Outcome(name, wanted, found)


BUYER_KEYS = frozenset(
    {
        "kind",
        "files_tax_return",
        "gross_equity",
        "net_equity",
        "annual_income",
        "annual_remuneration",
        "held_through_others",
        "statutory_limit",
        "members",
        "type",
    }
)


def _limit(case: Case) -> dict[str, Any]:
    terms = replace(terms_of(case["decree"]), price=Cited(Decimal(case["price"]), "caso"))
    try:
        limit = purchase_limit(_limit_facts(case["buyer"]), terms).value
    except NotCovered:
        return {"not_covered": True}
    if limit.shares is None or limit.binding is None:
        return {"unlimited": True}
    return {"shares": limit.shares, "binding": limit.binding.value}


def _limit_facts(buyer: Case) -> LimitFacts:
    unknown = sorted(set(buyer) - BUYER_KEYS)
    if unknown:
        raise CaseFileError(f"unknown key «{unknown[0]}» in buyer")
    facts = {key: value for key, value in buyer.items() if key not in ("kind", "type")}
    return LimitFacts(
        kind=_code(BuyerKind, buyer["kind"]),
        buyer_class=_code(BuyerClass, buyer["type"]) if "type" in buyer else None,
        executive="annual_remuneration" in buyer,
        **facts,
    )


def _code(codes: type[C], value: Any) -> C:
    try:
        return codes(value)
    except ValueError as error:
        raise CaseFileError(str(error)) from None


def _admission(case: Case) -> dict[str, Any]:
    requests = [
        Request(str(place), Receipt(FIRST_RECEIPT, place), shares)
        for place, shares in enumerate(case["requested"])
    ]
    limit = PurchaseLimit(case["limit"])
    lines = admission(requests, limit, terms_of(case["decree"])).value
    return {"admitted": [line.admitted for line in lines]}


def _adjudication(case: Case) -> dict[str, Any]:
    lines = [
        Line(
            reference=row["id"],
            receipt=Receipt(FIRST_RECEIPT + timedelta(minutes=place), place),
            asked=row["shares"],
            admitted=row["shares"],
            least=row["least"],
        )
        for place, row in enumerate(_rows(case["acceptances"], {"id", "shares", "least"}))
    ]
    result = adjudication(lines, case["supply"], terms_of(PLAIN_1995)).value
    return {
        "awards": {line.reference: line.awarded for line in result.lines},
        "left_out": list(result.left_out),
        "unsold": result.figures.unsold,
    }


def _rows(rows: list[Case], keys: set[str]) -> list[Case]:
    for row in rows:
        if set(row) != keys:
            raise CaseFileError(f"each row has the keys {sorted(keys)}, not {sorted(row)}")
    return rows


def _term(case: Case) -> dict[str, Any]:
    start: date = case["start"]
    return {
        "last_day": last_day(start, case["months"]),
        "running_month": running_month(start, case["day"]),
    }


def _base_price(case: Case) -> dict[str, Any]:
    terms = replace(terms_of(PLAIN_1995), price=Cited(Decimal(case["fixed_price"]), "caso"))
    cpi = {Month(*map(int, month.split("-"))): index for month, index in case["cpi"].items()}
    facts = BasePriceFacts(case["offer_starts"], case["first_notice"], cpi)
    return {"base_price": base_price(facts, terms).value}


def _release(case: Case) -> dict[str, Any]:
    try:
        value = release_penalty(_release_facts(case), _release_terms(case)).value
    except DecisionNeeded as needed:
        return {"month": needed.month, "basis": str(needed.basis)}
    except NotCovered as gap:
        return {"error": gap.message}
    return {"month": value.month, "basis": str(value.basis), "penalty": value.amount}


def _release_terms(case: Case) -> Terms:
    """The decree's terms with the figures of the case and the readings that it names."""
    terms = terms_of(case["decree"])
    if "outstanding" in case:
        terms = replace(terms, outstanding=Cited(case["outstanding"], "caso"))
    if "offered" in case:
        terms = replace(terms, shares=Cited(case["offered"], "caso"))
    return with_penalty_readings(terms, case.get("readings", {}), any_known=True)


def _release_facts(case: Case) -> ReleaseFacts:
    """What was traded on the day of the auction was awarded in it."""
    auction = case.get("auction")
    trades = tuple(
        Trade(row["date"], Decimal(row["price"]), row["shares"], row["date"] == auction)
        for row in _rows(case.get("trades", []), {"date", "price", "shares"})
    )
    return ReleaseFacts(
        shares=case["shares"],
        price=Decimal(case["price"]),
        purchased=case["bought"],
        asked=case["asked"],
        auction_on=auction,
        trades=trades,
        cpi=case["cpi"],
        sale_price=case.get("sale_price"),
        sold_on=case.get("sold"),
    )


def _with_cpi(kind: str, case: Case, path: Path) -> Case:
    return {**case, "cpi": _cpi_of(path)} if kind == "release" else case


def _not_written(case: Case) -> dict[str, Any]:
    raise RuleMissing("the rule for this kind does not exist yet")


def _keys(words: str) -> frozenset[str]:
    return frozenset(words.split())


KINDS: dict[str, Kind] = {
    "limit": Kind(
        _keys("decree price buyer"), _keys("shares binding unlimited not_covered"), _limit
    ),
    "admission": Kind(_keys("decree limit requested"), _keys("admitted"), _admission),
    "adjudication": Kind(
        _keys("supply acceptances"), _keys("awards left_out unsold"), _adjudication
    ),
    "term": Kind(_keys("start months day"), _keys("last_day running_month"), _term),
    "martillo": Kind(_keys("supply base_price bids"), _keys("awards unsold"), _not_written),
    "base_price": Kind(
        _keys("fixed_price offer_starts first_notice cpi"), _keys("base_price"), _base_price
    ),
    "release": Kind(
        _keys("decree shares price bought asked"),
        _keys("month penalty basis"),
        _release,
        _keys("outstanding offered auction trades sale_price sold readings"),
    ),
    "contingency": Kind(
        _keys("amount minimum_wage labour deductions"), _keys("cover"), _not_written
    ),
}
