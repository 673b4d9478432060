"""From the rows of pledges to plain facts: what befell each, with its legal dates."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from offerings.models import AdjudicationAnnulment
from office.review import ReviewState
from pledges.enums import LineState, TransferKind
from pledges.models import Attachment, Pledge, ReleaseAnnulment, ReleaseLine, Transfer
from pledges.rules.positions import History, Span


@dataclass(frozen=True)
class Movement:
    """Something that befell a pledge on a legal day, in words. change: of the shares pledged;
    held: shares under a measure, or freed of it."""

    day: date
    what: str
    detail: str = ""
    change: int = 0
    held: int = 0


@dataclass
class Befallen:
    """The rows of what befell one pledge."""

    lines: list[ReleaseLine] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    inheritance: Transfer | None = None
    annulment: AdjudicationAnnulment | None = None
    annulled: Mapping[int, ReleaseAnnulment] = field(default_factory=dict)


def what_befell(pledges: Iterable[Pledge]) -> dict[int, Befallen]:
    """By the id of each pledge, what befell it: as many queries however many there are."""
    asked = list(pledges)
    found: defaultdict[int, Befallen] = defaultdict(Befallen)
    ids = [pledge.pk for pledge in asked]
    annulled = _annulments(ids)
    lines = ReleaseLine.objects.filter(
        pledge__in=ids, state__in=(LineState.DONE, LineState.ANNULLED)
    )
    for line in lines.select_related("release", "certificate__series").order_by("pk"):
        found[line.pledge_id].lines.append(line)
        found[line.pledge_id].annulled = annulled
    for transfer in Transfer.objects.filter(pledge__in=ids).order_by("pk"):
        found[transfer.pledge_id].transfers.append(transfer)
    for transfer in Transfer.objects.filter(heir_pledge__in=ids).select_related("pledge"):
        found[transfer.heir_pledge_id].inheritance = transfer
    for attachment in Attachment.objects.filter(pledge__in=ids).order_by("pk"):
        found[attachment.pledge_id].attachments.append(attachment)
    acts = _run_annulments(asked)
    for pledge in asked:
        found[pledge.pk].annulment = acts.get(pledge.award.adjudication_id)
    return dict(found)


def _annulments(ids: list[int]) -> dict[int, ReleaseAnnulment]:
    """The approved annulments of releases of these pledges, by the id of the line."""
    acts = ReleaseAnnulment.objects.filter(line__pledge__in=ids, review_state=ReviewState.APPROVED)
    return {act.line_id: act for act in acts}


def _run_annulments(pledges: list[Pledge]) -> dict[int, AdjudicationAnnulment]:
    runs = {pledge.award.adjudication_id for pledge in pledges}
    acts = AdjudicationAnnulment.objects.filter(
        adjudication__in=runs, review_state=ReviewState.APPROVED
    )
    return {act.adjudication_id: act for act in acts}


def pledge_history(pledge: Pledge, befell: Befallen) -> History:
    """What its position on any day is worked out from."""
    return History(
        shares=pledge.shares,
        price=pledge.price,
        starts=_starts(pledge, befell),
        last_day=pledge.last_day,
        ends=befell.annulment.act_on if befell.annulment else None,
        released=tuple(
            Span(line.shares, line.release.released_on, _annulled_on(line, befell))
            for line in befell.lines
        ),
        passed_on=tuple(
            Span(one.shares, one.transferred_on)
            for one in befell.transfers
            if one.kind == TransferKind.INHERITANCE
        ),
        attached=tuple(
            Span(one.shares, one.ordered_on, one.lifted_on) for one in befell.attachments
        ),
    )


def movements(pledge: Pledge, befell: Befallen, until: date) -> list[Movement]:
    """What befell a pledge up to a day, that included, by its legal dates."""
    told = [
        _opening(pledge, befell),
        *[one for line in befell.lines for one in _of_line(line, befell, until)],
        *[_of_transfer(one) for one in befell.transfers],
        *[one for attachment in befell.attachments for one in _of_attachment(attachment)],
    ]
    if befell.annulment:
        act = befell.annulment
        told.append(Movement(act.act_on, "Se anuló la adjudicación: la prenda queda sin efecto",
                             f"{act.act}, {act.ordered_by}"))  # fmt: skip
    return sorted((one for one in told if one.day <= until), key=lambda one: one.day)


def _starts(pledge: Pledge, befell: Befallen) -> date:
    if befell.inheritance is None:
        return pledge.opened_on
    return max(pledge.opened_on, befell.inheritance.transferred_on)


def _annulled_on(line: ReleaseLine, befell: Befallen) -> date | None:
    act = befell.annulled.get(line.pk)
    return act.annulled_on if act else None


def _opening(pledge: Pledge, befell: Befallen) -> Movement:
    day = _starts(pledge, befell)
    if befell.inheritance:
        source = befell.inheritance.pledge
        return Movement(day, f"Viene por sucesión de {source.code}", "", pledge.shares)
    return Movement(day, "Se constituyó la prenda", pledge.get_rank_display(), pledge.shares)


def _of_line(line: ReleaseLine, befell: Befallen, until: date) -> list[Movement]:
    """A certificate is told from its own day on: it may be later than its release."""
    release, issued = line.release, line.certificate
    paper = issued.label if issued and issued.legal_date <= until else ""
    done = Movement(
        release.released_on,
        f"Levantamiento {release.code}",
        "; ".join(filter(None, (release.get_ground_display(), paper))),
        -line.shares,
    )
    act = befell.annulled.get(line.pk)
    if act is None:
        return [done]
    undone = Movement(act.annulled_on, f"Se anuló el levantamiento {release.code}", act.cause,
                      line.shares)  # fmt: skip
    return [done, undone]


def _of_transfer(one: Transfer) -> Movement:
    """To an heir the pledge follows the shares; any other transfer leaves them pledged until
    their release."""
    left = -one.shares if one.kind == TransferKind.INHERITANCE else 0
    return Movement(
        one.transferred_on, f"{one.get_kind_display()} a favor de {one.to_name}", one.proof, left
    )


def _of_attachment(one: Attachment) -> list[Movement]:
    ordered = Movement(
        one.ordered_on, f"{one.get_measure_display()}, oficio {one.number}", one.authority,
        held=one.shares,
    )  # fmt: skip
    if one.lifted_on is None:
        return [ordered]
    lifted = Movement(
        one.lifted_on, f"Se levantó la medida del oficio {one.number}", one.lifted_act,
        held=-one.shares,
    )  # fmt: skip
    return [ordered, lifted]
