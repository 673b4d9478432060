"""The certificate of a pledge's release: what it states, and when it can be issued."""

from datetime import date
from typing import Any

from django.db import transaction

from offerings.certificates.issuing import may_issue
from offerings.certificates.statement import (
    APPROVER,
    heading_facts,
    holder_facts,
    identity_facts,
    programme_title,
)
from offerings.decrees.reader import terms_from_data
from offerings.models import AwardCertificate
from offerings.rules.terms import Terms
from offerings.selectors.programmes import programme_terms
from office.certificates import certificate_issue
from office.dates import write_date
from office.models import Certificate, CertificateState, User
from office.numbers import write_quantity
from office.refusals import Refused
from pledges.certificates.early import early_facts, receipts_facts, request_facts_stated
from pledges.enums import Ground, LineState, QuoteState, Rank
from pledges.models import Pledge, Release, ReleaseLine
from pledges.selectors.release_certificates import RELEASE_KIND, TEMPLATE
from pledges.services.pledges import pledge_locked

TITLE = "Certificado de levantamiento de prenda"
RANKS = {Rank.FIRST: 1, Rank.SECOND: 2}
WITH_ALL = (
    "release__request", "release__reviewed_by", "release__programme", "pledge__holder",
    "pledge__inherited_from", "pledge__award__adjudication__stage__programme",
    "pledge__award__acceptance__participation__buyer",
)  # fmt: skip


@transaction.atomic
def release_certificate_issue(*, line_id: int, user: User, legal_date: date) -> Certificate:
    """Certify that a line's shares are free, once: asked again, the answer is the same one.

    Of a release that was done again after its annulment, it takes the place of the one annulled.
    The pledge's row is held first and the series last, as everywhere. Raises Refused.
    """
    pledge_locked(ReleaseLine.objects.values_list("pledge_id", flat=True).get(pk=line_id))
    lines = ReleaseLine.objects.select_for_update(of=["self"])
    line = lines.get(pk=line_id)
    before = Certificate.objects.select_related("series").filter(pk=line.certificate_id).first()
    if before:
        return before
    line = ReleaseLine.objects.select_related(*WITH_ALL).get(pk=line_id)
    release_certificate_check(line=line, user=user, legal_date=legal_date)
    certificate = certificate_issue(
        kind=RELEASE_KIND,
        title=TITLE,
        template=TEMPLATE,
        facts=release_facts(line),
        legal_date=legal_date,
        user=user,
        article=_terms(line).lock_up.cite,
        replaces=_annulled_before(line),
    )
    line.certificate = certificate
    line.save(update_fields=["certificate"])
    AwardCertificate.objects.create(award=line.pledge.award, certificate=certificate)
    return certificate


def release_certificate_check(*, line: ReleaseLine, user: User, legal_date: date) -> None:
    """Refuse a line that cannot be certified with that date of issue."""
    may_issue(user, legal_date)
    if line.state == LineState.ANNULLED:
        raise Refused("El levantamiento se anuló: no hay nada que certificar.")
    if line.state != LineState.DONE:
        raise Refused(
            f"Está «{line.get_state_display()}»: el certificado se expide cuando las acciones "
            "estén libres."
        )
    released_on = line.release.released_on
    if legal_date < released_on:
        raise Refused(
            f"No puede ser anterior al levantamiento, del {write_date(released_on)}.",
            "legal_date",
        )


def _annulled_before(line: ReleaseLine) -> Certificate | None:
    """The annulled certificate whose place this one takes: of the same request, or of the same
    pledge at term, and not taken yet."""
    annulled = ReleaseLine.objects.filter(
        pledge=line.pledge,
        release__ground=line.release.ground,
        release__request=line.release.request,
        state=LineState.ANNULLED,
        certificate__state=CertificateState.ANNULLED,
        certificate__replaced_by=None,
    ).order_by("-pk")
    found = annulled.select_related("certificate__series").first()
    return found.certificate if found else None


def release_facts(line: ReleaseLine) -> dict[str, Any]:
    """All that the certificate states, as JSON with raw values (see its template for the keys)."""
    terms, pledge, release = _terms(line), line.pledge, line.release
    return heading_facts(terms) | {
        "holder": _holder(pledge),
        "pledge": _pledge(pledge),
        "release": {
            "number": release.code,
            "released_on": release.released_on.isoformat(),
            "ground": release.ground,
            "quantity": line.shares,
            "still_pledged": line.still_pledged,
        },
        "term": {
            "months": terms.lock_up.months,
            "last_day": pledge.last_day.isoformat(),
            "cites": [terms.lock_up.cite],
        },
        **_early(release),
        "signatories": _signatories(release, terms),
        "public": [
            {"label": "Programa", "value": f"{programme_title(terms)}, {terms.decree.value}"},
            {"label": "Acciones libres de prenda", "value": write_quantity(line.shares)},
            {"label": "Siguen en prenda", "value": write_quantity(line.still_pledged or 0)},
        ],
    }


def _terms(line: ReleaseLine) -> Terms:
    return terms_from_data(line.pledge.award.adjudication.terms)


def _holder(pledge: Pledge) -> dict[str, Any]:
    """Whose shares they are: the buyer with its class, or an heir, who has none."""
    if pledge.inherited_from_id is None:
        acceptance = pledge.award.acceptance
        if acceptance.participation.buyer_id == pledge.holder_id:
            return holder_facts(acceptance)
    return identity_facts(pledge.holder)


def _pledge(pledge: Pledge) -> dict[str, Any]:
    return {
        "number": pledge.code,
        "opened_on": pledge.opened_on.isoformat(),
        "rank": RANKS[Rank(pledge.rank)],
        "lender": pledge.lender,
        "shares": pledge.shares,
        "purchased_on": pledge.purchased_on.isoformat(),
        "price": str(pledge.price),
        "inherited_from": str(pledge.inherited_from) if pledge.inherited_from else None,
    }


def _early(release: Release) -> dict[str, Any]:
    request = release.request
    if release.ground != Ground.EARLY or request is None:
        return {"request": None, "early": None, "payment": None}
    quote = request.quotes.select_related("decision").get(state=QuoteState.ACCEPTED)
    return {
        "request": request_facts_stated(request),
        "early": early_facts(quote),
        "payment": receipts_facts(request),
    }


def _signatories(release: Release, terms: Terms) -> list[dict[str, str]]:
    """Who signs for the Fund, by the rules in force now, and who approved the release."""
    signatories = []
    in_force = programme_terms(release.programme)
    name = in_force.signatory_name or terms.signatory_name
    post = in_force.signatory_title or terms.signatory_title
    if name and post:
        signatories.append({"name": name.value, "post": post.value})
    if release.reviewed_by:
        signatories.append({"name": str(release.reviewed_by), "post": APPROVER})
    return signatories
