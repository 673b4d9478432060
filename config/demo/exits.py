"""Early exits of the demonstration: a whole one, one of a part, one that waits for its holder."""

from datetime import date, datetime, time, timedelta
from uuid import uuid5

from config.demo import SOURCE, SUBMISSIONS
from config.demo.people import acting
from offerings.enums import PaymentMeans
from offerings.models import Programme
from offerings.services.payments import PaymentEntry
from office.dates import bogota_moment
from office.review import ReviewState
from pledges.certificates import release_certificate_issue
from pledges.enums import RequestState
from pledges.models import Pledge, Quote, ReleaseLine, ReleaseRequest
from pledges.selectors.penalty_payments import penalty_paid, quote_settled
from pledges.selectors.penalty_readings import readings_in_force, readings_open
from pledges.services.penalty_payments import penalty_payment_record
from pledges.services.penalty_readings import penalty_readings_decide, penalty_readings_prepare
from pledges.services.quotes import quote_accept, quote_prepare
from pledges.services.releases import release_decide, release_prepare
from pledges.services.requests import RequestEntry, release_request_file

READINGS_ON = date(1995, 12, 1)
ASKED_ON = date(1997, 1, 20)  # month 17
WAITING_ON = date(1997, 9, 1)  # month 24
NOON = time(12)
ONE_DAY = timedelta(days=1)
WEEKS = timedelta(days=15)


def readings_ready(programme: Programme) -> None:
    """How the points that the decree leaves open are read: irene prepares, ana approves."""
    if readings_in_force(programme):
        return
    proposed = {name: reading.value for name, reading in readings_open(programme).items()}
    with acting("irene") as irene:
        version = penalty_readings_prepare(
            programme_id=programme.pk,
            user=irene,
            readings=proposed,
            act=SOURCE,
            act_on=READINGS_ON,
        )
    with acting("ana") as ana:
        penalty_readings_decide(readings_id=version.pk, user=ana, outcome=ReviewState.APPROVED)


def exit_ready(pledge: Pledge, shares: int) -> None:
    """An early exit from its request to its certificate, going on where an earlier start was."""
    request = asked(pledge, shares, ASKED_ON)
    if request.state == RequestState.OPEN:
        _settle(request)
    if request.state == RequestState.SETTLED:
        _pay(request)
    if request.state == RequestState.PAID:
        _release(request)
    _certify(request)


def waiting_ready(pledge: Pledge) -> None:
    """A request with its quote proposed: its holder has not accepted it."""
    request = asked(pledge, pledge.shares // 2, WAITING_ON)
    if request.state == RequestState.OPEN and not request.quotes.exists():
        _propose(request, WAITING_ON)


def asked(pledge: Pledge, shares: int, day: date) -> ReleaseRequest:
    """The request of a pledge, filed at noon of a day."""
    with acting("irene") as irene:
        request = release_request_file(
            pledge_id=pledge.pk,
            user=irene,
            entry=RequestEntry(
                shares=shares,
                filing_number=f"Radicado ficticio {pledge.pk:04d}",
                filed_at=_noon(day),
            ),
            submission_key=uuid5(SUBMISSIONS, f"request {pledge.award.acceptance.code}"),
        )
    request.refresh_from_db()
    return request


def _noon(day: date) -> datetime:
    return bogota_moment(day, NOON)


def _propose(request: ReleaseRequest, day: date) -> Quote:
    with acting("irene") as irene:
        return quote_prepare(request_id=request.pk, user=irene, valid_until=day + WEEKS)


def _settle(request: ReleaseRequest) -> None:
    quote = _propose(request, ASKED_ON)
    with acting("irene") as irene:
        quote_accept(quote_id=quote.pk, user=irene, accepted_on=ASKED_ON + ONE_DAY)
    request.refresh_from_db()


def _pay(request: ReleaseRequest) -> None:
    with acting("mateo") as mateo:
        penalty_payment_record(
            request_id=request.pk,
            user=mateo,
            entry=PaymentEntry(
                means=PaymentMeans.CHEQUE,
                reference=f"Cheque de la sanción {request.pk:04d}. {SOURCE}",
                paid_on=ASKED_ON + 3 * ONE_DAY,
                amount=quote_settled(request).amount - penalty_paid(request),
            ),
            submission_key=uuid5(SUBMISSIONS, f"penalty {request.pledge.award.acceptance.code}"),
        )
    request.refresh_from_db()


def _release(request: ReleaseRequest) -> None:
    released_on = ASKED_ON + 4 * ONE_DAY
    with acting("irene") as irene:
        release = release_prepare(request_id=request.pk, released_on=released_on, user=irene)
    with acting("tomas") as tomas:
        release_decide(release_id=release.pk, user=tomas, outcome=ReviewState.APPROVED)


def _certify(request: ReleaseRequest) -> None:
    line = ReleaseLine.objects.get(release__request=request)
    if line.certificate_id is not None:
        return
    with acting("mateo") as mateo:
        release_certificate_issue(line_id=line.pk, user=mateo, legal_date=line.release.released_on)
