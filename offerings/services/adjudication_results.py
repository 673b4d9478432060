"""What a run reads, works out and writes: acceptances in, award lines and figures out."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from offerings.decrees.reader import terms_as_data, terms_sha256
from offerings.enums import AcceptanceState, AwardReason, Standing
from offerings.models import Adjudication, Award, Stage
from offerings.rules import adjudication as rule
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import FactError, NotCovered, Ruling
from offerings.rules.terms import Terms
from office.refusals import Refused

CHUNK = 1_000  # lines written, and told of, at a time
READ = (
    "pk", "serial", "received_at", "requested", "admitted", "minimum", "state", "standing",
)  # fmt: skip
ENTERING = {Standing.COMPLETE.value, Standing.CUT.value}
REASONS = {
    rule.AwardReason.IN_FULL: AwardReason.IN_FULL,
    rule.AwardReason.NO_REDUCTION: AwardReason.REFUSES_REDUCTION,
    rule.AwardReason.READMITTED: AwardReason.READMITTED,
    rule.AwardReason.NOTHING_ADMITTED: AwardReason.NOTHING_LEFT,
}
OUTSIDE = {
    Standing.INCOMPLETE.value: AwardReason.INCOMPLETE,
    Standing.OVER_LIMIT.value: AwardReason.OVER_LIMIT,
    Standing.NOT_COUNTED.value: AwardReason.NOT_COUNTED,
}
OUTSIDE_BY_STATE = {
    AcceptanceState.REJECTED.value: AwardReason.REJECTED,
    AcceptanceState.WITHDRAWN.value: AwardReason.WITHDRAWN,
}

Report = Callable[..., None]


@dataclass(frozen=True)
class Result:
    """rows: all acceptances of the stage, in order of receipt; ruling: of those that enter."""

    rows: list[Any]
    ruling: Ruling[rule.Adjudication]
    sha256: str


def worked_out(stage: Stage, terms: Terms, report: Report) -> Result:
    """The result for the stage as it stands, worked out twice: as received, and backwards."""
    acceptances = stage.acceptances.in_order_of_receipt()
    rows = list(acceptances.values_list(*READ, named=True))
    report(1, len(rows), len(rows), "aceptaciones")
    lines = [_line(row) for row in rows if _enters(row)]
    report(2, 0, len(lines), "aceptaciones")
    ruling = _ruled(lines, stage.supply, terms)
    backwards = _ruled(lines[::-1], stage.supply, terms)
    sha256 = result_sha256(ruling.value.lines)
    if result_sha256(backwards.value.lines) != sha256:
        raise RuntimeError("the adjudication depends on the order of its rows")
    report(2, len(lines), len(lines), "aceptaciones")
    return Result(rows, ruling, sha256)


def _ruled(lines: list[rule.Line], supply: int, terms: Terms) -> Ruling[rule.Adjudication]:
    try:
        return rule.adjudication(lines, supply, terms)
    except (NotCovered, FactError) as stop:
        raise Refused(stop.message) from stop


def _enters(row: Any) -> bool:
    """Presented, complete, and with something left after the limit (art. 9-1)."""
    presented = row.state == AcceptanceState.PRESENTED
    return presented and row.standing in ENTERING and row.admitted > 0


def _line(row: Any) -> rule.Line:
    return rule.Line(
        reference=f"A-{row.serial:06d}",
        receipt=Receipt(row.received_at, row.serial),
        asked=row.requested,
        admitted=row.admitted,
        least=row.minimum or 0,
    )


def lines_write(adjudication: Adjudication, result: Result, report: Report) -> None:
    """Write one line for each acceptance, in order of receipt and in chunks."""
    by_serial = {line.receipt.serial: line for line in result.ruling.value.lines}
    total = len(result.rows)
    report(3, 0, total, "líneas")
    for start in range(0, total, CHUNK):
        rows = result.rows[start : start + CHUNK]
        Award.objects.bulk_create(
            _award(adjudication, row, by_serial.get(row.serial)) for row in rows
        )
        report(3, start + len(rows), total, "líneas")


def _award(adjudication: Adjudication, row: Any, line: rule.AwardLine | None) -> Award:
    award = Award(adjudication=adjudication, acceptance_id=row.pk, requested=row.requested)
    if line is None:
        award.admitted = 0
        award.reason = _reason_outside(row)
        return award
    award.admitted, award.least, award.awarded = line.admitted, line.least, line.awarded
    award.got_left_over = line.got_left_over
    award.reason = _reason(line)
    if line.reason == rule.AwardReason.PRO_RATA:
        award.quotient, award.remainder = line.quotient, line.remainder
    return award


def _reason(line: rule.AwardLine) -> AwardReason:
    if line.reason != rule.AwardReason.PRO_RATA:
        return REASONS[line.reason]
    return AwardReason.PRO_RATA if line.awarded else AwardReason.RATIO_GIVES_NOTHING


def _reason_outside(row: Any) -> AwardReason:
    if row.state in OUTSIDE_BY_STATE:
        return OUTSIDE_BY_STATE[row.state]
    return OUTSIDE.get(row.standing, AwardReason.NOTHING_LEFT)


def figures_keep(adjudication: Adjudication, result: Result, terms: Terms) -> None:
    """Put on the row what explains every line later without working it out again."""
    value = result.ruling.value
    figures = value.figures
    adjudication.supply = figures.supply
    adjudication.demand = figures.demand
    adjudication.demand_kept = figures.kept_demand
    adjudication.awarded = figures.awarded
    adjudication.unsold = figures.unsold
    adjudication.left_over_shares = figures.left_over
    adjudication.lines = len(result.rows)
    adjudication.is_pro_rata = figures.pro_rata
    adjudication.ties = _ties(value.tie)
    adjudication.summary = {
        # As text: they may pass what a JSON number holds exactly.
        "threshold": None if figures.threshold is None else str(figures.threshold),
        "least_winning": None if figures.least_winning is None else str(figures.least_winning),
        "left_out": len(value.left_out),
        "readings": list(result.ruling.readings),
        "steps": result.ruling.steps_as_data(),
        "result_sha256": result.sha256,
    }
    adjudication.terms = terms_as_data(terms)
    adjudication.terms_sha256 = terms_sha256(terms)
    adjudication.input_sha256 = _input_sha256(result.rows)


def _ties(tie: rule.Tie | None) -> list[dict[str, Any]]:
    if tie is None:
        return []
    return [
        {
            "remainder": str(tie.remainder),
            "shares": tie.shares,
            "references": list(tie.references),
        }
    ]


def result_sha256(lines: Iterable[rule.AwardLine]) -> str:
    """SHA-256 of the lines, in whatever order they come: serial, awarded, left-over, reason."""
    told = sorted(
        (line.receipt.serial, line.awarded, int(line.got_left_over), line.reason.value)
        for line in lines
    )
    return _sha256(told)


def _input_sha256(rows: Iterable[Any]) -> str:
    return _sha256(
        (row.serial, row.received_at.astimezone(UTC).isoformat(), *row[3:]) for row in rows
    )


def _sha256(records: Iterable[tuple[Any, ...]]) -> str:
    digest = hashlib.sha256()
    for record in records:
        digest.update(("|".join(map(str, record)) + "\n").encode())
    return digest.hexdigest()
