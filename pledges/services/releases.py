"""Releasing the shares of an early exit that is paid, and deciding on releases of either kind."""

from datetime import date, time

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from offerings.decrees.reader import terms_from_data
from office.dates import bogota_day, bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_count, write_quantity, write_shares
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState, review_block, review_decide
from office.roles import Capability
from pledges.enums import Ground, LineState, PledgeState, QuoteState, RequestState
from pledges.models import Pledge, Release, ReleaseAnnulment, ReleaseLine, ReleaseRequest
from pledges.services.pledges import check_in_order, pledge_locked
from pledges.services.release_batches import batch_drop, batch_job_open

MAY_NOT = "Solo un analista o un supervisor prepara un levantamiento."
VERBS = {
    ReviewState.APPROVED: "Aprobó",
    ReviewState.RETURNED: "Devolvió",
    ReviewState.REJECTED: "Rechazó",
}


@transaction.atomic
def release_prepare(*, request_id: int, released_on: date, user: User) -> Release:
    """Prepare the release of a paid request's shares; asked again alike, give the one that waits.

    Refused where the shares that no measure holds do not cover it, or the day comes before the
    last payment.
    """
    if not user.may(Capability.PREPARE):
        raise Refused(MAY_NOT)
    pledge, request = _request_locked(request_id)
    waiting = request.releases.filter(review_state=ReviewState.PENDING).first()
    if waiting and (waiting.prepared_by_id, waiting.released_on) == (user.pk, released_on):
        return waiting
    if waiting:
        raise Refused(f"El levantamiento de {request.code} ya espera revisión: {waiting.code}.")
    _check_request(pledge, request, released_on)
    release = Release(
        programme=pledge.award.adjudication.stage.programme,
        ground=Ground.EARLY,
        request=request,
        released_on=released_on,
        lines_planned=1,
        shares_planned=request.shares,
        prepared_by=user,
        review_state=ReviewState.PENDING,
    )
    release.full_clean()
    release.save()
    ReleaseLine.objects.create(release=release, pledge=pledge, shares=request.shares)
    _record(
        release,
        "prepare",
        f"Preparó el levantamiento {release.code}: {write_shares(request.shares)} de "
        f"{pledge.code}, por {request.code}.",
        user,
    )
    return release


@transaction.atomic
def release_decide(
    *, release_id: int, user: User, outcome: ReviewState, reason: str = ""
) -> Release:
    """Approve, send back or reject a release that another prepared.

    Approved, one of an early exit is done at once; one at term gets its job, which the caller
    enqueues. Otherwise its lines are dropped, and their shares can be released anew.
    """
    prepared = Release.objects.get(pk=release_id)
    if prepared.ground == Ground.EARLY:
        return _decide_early(prepared, user, outcome, reason)
    return _decide_term(prepared, user, outcome, reason)


def _decide_early(prepared: Release, user: User, outcome: ReviewState, reason: str) -> Release:
    pledge, request = _request_locked(prepared.request_id)
    release = Release.objects.select_for_update().get(pk=prepared.pk)
    line = ReleaseLine.objects.select_for_update().get(release=release)
    approved = outcome == ReviewState.APPROVED
    if approved and not review_block(release, user):
        _check_request(pledge, request, release.released_on)
    done = {"done_at": timezone.now()} if approved else {}
    review_decide(act=release, user=user, outcome=outcome, reason=reason, **done)
    told = ""
    if approved:
        line_done(line, pledge)
        request.state = RequestState.RELEASED
        request.save(update_fields=["state"])
        told = f": quedaron libres {write_shares(line.shares)}; {still_words(pledge.pledged)}"
    else:
        line.state = LineState.DROPPED
        line.save(update_fields=["state"])
    sentence = f"{VERBS[outcome]} el levantamiento {release.code} de {pledge.code}{told}."
    _record(release, outcome.value, sentence, user, reason)
    return release


def _decide_term(prepared: Release, user: User, outcome: ReviewState, reason: str) -> Release:
    release = Release.objects.select_for_update().get(pk=prepared.pk)
    approved = outcome == ReviewState.APPROVED
    job = None
    if approved and not review_block(release, user):
        job = batch_job_open(release, user)
    review_decide(act=release, user=user, outcome=outcome, reason=reason, job=job)
    if not approved:
        batch_drop(release)
    pledges = write_count(release.lines_planned, "prenda", "prendas")
    sentence = (
        f"{VERBS[outcome]} el levantamiento {release.code}: {pledges}, "
        f"{write_shares(int(release.shares_planned))}, al {write_date(release.released_on)}."
    )
    _record(release, outcome.value, sentence, user, reason)
    return release


def line_done(line: ReleaseLine, pledge: Pledge) -> None:
    """Free a planned line's shares, with its pledge held by the caller."""
    pledge.released += line.shares
    pledge.in_process -= line.shares
    pledge.state = state_after(pledge)
    pledge.save(update_fields=["released", "in_process", "state"])
    line.state, line.done_at, line.still_pledged = (
        LineState.DONE, timezone.now(), pledge.pledged,
    )  # fmt: skip
    line.save(update_fields=["state", "done_at", "still_pledged"])


def state_after(pledge: Pledge) -> str:
    """The state of a pledge whose shares have just been freed."""
    left = pledge.shares - pledge.released - pledge.passed_on
    return pledge.state if left else PledgeState.RELEASED


def still_words(shares: int) -> str:
    """How many shares are pledged still, in words of a sentence."""
    if not shares:
        return "no queda ninguna en prenda"
    return f"siguen en prenda {write_quantity(shares)}"


def check_unattached(pledge: Pledge, shares: int) -> None:
    """Refuse to free more shares of the pledge than those that no measure holds."""
    if pledge.pledged - pledge.attached >= shares:
        return
    raise Refused(
        f"No se pueden levantar {write_shares(shares)} de {pledge.code}: {held_words(pledge)}. "
        "Se levantan cuando conste que la medida terminó."
    )


def held_words(pledge: Pledge) -> str:
    """What measures hold of the pledge, and how much of it no measure holds."""
    held = [
        f"{measure} de {measure.authority} ({write_shares(measure.shares)})"
        for measure in pledge.attachments.filter(lifted_on=None)
    ]
    free = max(0, pledge.pledged - pledge.attached)
    return f"{'; '.join(held)}; sin medida quedan {write_quantity(free)}"


def _request_locked(request_id: int) -> tuple[Pledge, ReleaseRequest]:
    """The request and its pledge, the pledge's row held first."""
    pledge_id = ReleaseRequest.objects.values_list("pledge_id", flat=True).get(pk=request_id)
    pledge = pledge_locked(pledge_id)
    return pledge, ReleaseRequest.objects.select_for_update().get(pk=request_id)


def _check_request(pledge: Pledge, request: ReleaseRequest, released_on: date) -> None:
    if request.state != RequestState.PAID:
        raise Refused(
            f"{request.code} está «{request.get_state_display()}»: se levanta cuando su sanción "
            "está pagada en su totalidad."
        )
    check_unattached(pledge, request.shares)
    check_day_not_future(released_on, "released_on")
    first, why = release_first_day(request)
    if released_on < first:
        raise Refused(
            f"El levantamiento no puede ser anterior {why}, del {write_date(first)}.",
            "released_on",
        )
    check_in_order(pledge, released_on, "released_on")


def release_first_day(request: ReleaseRequest) -> tuple[date, str]:
    """The first day on which a paid request's shares can be released, and whose day it is: that
    of the last payment, or of the acceptance of a quote of nothing; never before the filing, nor
    before a release of it was annulled."""
    days = [(bogota_day(request.filed_at), "a la solicitud")]
    paid = request.payments.aggregate(last=Max("paid_on"))["last"]
    quote = request.quotes.filter(state=QuoteState.ACCEPTED).first()
    if paid:
        days.append((paid, "al último pago"))
    elif quote and quote.accepted_on:
        days.append((quote.accepted_on, "a la aceptación de la liquidación"))
    annulled = ReleaseAnnulment.objects.filter(
        line__release__request=request, review_state=ReviewState.APPROVED
    ).aggregate(last=Max("annulled_on"))["last"]
    if annulled:
        days.append((annulled, "a la anulación de su levantamiento"))
    return max(days, key=lambda found: found[0])


def release_article(release: Release) -> str:
    """The clause of the term or of the pledge that the release rests on."""
    line = release.lines.select_related("pledge__award__adjudication").order_by("pk").first()
    if line is None:
        return ""
    terms = terms_from_data(line.pledge.award.adjudication.terms)
    return terms.lock_up.cite if terms.lock_up else ""


def _record(release: Release, act: str, sentence: str, user: User, reason: str = "") -> None:
    """On the release: the page of each of its pledges tells it too."""
    decision_record(
        act=f"release_{act}",
        sentence=sentence,
        article=release_article(release),
        reason=reason.strip(),
        actor=user,
        subject=release,
        legal_at=bogota_moment(release.released_on, time()),
    )
