"""The allotment certificate: what it states, and when it can be issued."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from buyers.enums import BuyerClass, DeclarationKind
from buyers.models import Buyer
from offerings.decrees.reader import terms_from_data
from offerings.enums import AwardReason
from offerings.models import Acceptance, Award, Programme
from offerings.rules.months import LockUpFacts, lock_up_end
from offerings.rules.ruling import unique
from offerings.rules.terms import PledgeRank, Terms
from offerings.selectors.awards import readings_used
from offerings.selectors.payments import awards_to_certify, payments_total
from offerings.services.payments import award_locked, check_holds
from office.certificates import certificate_issue
from office.dates import bogota_day, write_date
from office.decisions import decision_record
from office.jobs import job_open
from office.models import Certificate, CertificateState, Job, JobState, User
from office.numbers import write_amount, write_quantity
from office.refusals import Refused
from office.roles import Capability

KIND = "ADJ"
TITLE = "Certificado de adjudicación"
TEMPLATE = "certificates/allotment.html"
FUND = "Fondo de Garantías de Instituciones Financieras"
JOB_KIND = "certificates_issue_paid"
TASK = "offerings.tasks.certificates.certificates_issue_paid_task"
RANKS = {PledgeRank.FIRST: 1, PledgeRank.SECOND: 2}
CHUNK = 100
MAY_NOT = "Solo un analista o un supervisor expide certificados."
IN_FUTURE = "El {day} está en el futuro: escriba cuándo se expide."


@transaction.atomic
def certificate_allotment_issue(*, award_id: int, user: User, legal_date: date) -> Certificate:
    """Certify a wholly paid award, once: asked again, the answer is the same certificate.

    The award's row is locked first and the series last, here and in payments, so that two people
    at once wait for each other and get consecutive numbers. Raises Refused.
    """
    award = award_locked(award_id)
    # Read after the lock: one joined to the waited-for row would be as it was before the wait.
    before = Certificate.objects.select_related("series").filter(pk=award.certificate_id).first()
    if before and before.state != CertificateState.ANNULLED:
        return before
    allotment_check(award=award, user=user, legal_date=legal_date)
    certificate = certificate_issue(
        kind=KIND,
        title=TITLE,
        template=TEMPLATE,
        facts=allotment_facts(award),
        legal_date=legal_date,
        user=user,
        replaces=before,
    )
    award.certificate = certificate
    award.save(update_fields=["certificate"])
    return certificate


def allotment_check(*, award: Award, user: User, legal_date: date) -> None:
    """Refuse an award that cannot be certified with that date of issue."""
    if not user.may(Capability.PREPARE):
        raise Refused(MAY_NOT)
    check_holds(award)
    balance = award.total - payments_total(award)
    if balance:
        raise Refused(
            f"Faltan por pagar {write_amount(balance)}: el certificado se expide cuando esté "
            "pagada en su totalidad."
        )
    _check_day(legal_date, award)


def _check_day(legal_date: date, award: Award) -> None:
    if legal_date > timezone.localdate():
        raise Refused(IN_FUTURE.format(day=write_date(legal_date)), "legal_date")
    paid_on = award.payments.latest("paid_on").paid_on
    if legal_date < paid_on:
        raise Refused(
            f"No puede ser anterior al último pago, del {write_date(paid_on)}.", "legal_date"
        )


# All that is paid


@transaction.atomic
def certificates_job_open(*, programme: Programme, user: User, legal_date: date) -> Job:
    """Open the job that certifies what is paid, for the screen to enqueue.

    Asked again while it waits or runs, the answer is the same job. Raises Refused.
    """
    Programme.objects.select_for_update().get(pk=programme.pk)
    running = Job.objects.filter(
        kind=JOB_KIND,
        arguments__programme=programme.pk,
        state__in=(JobState.QUEUED, JobState.RUNNING),
    ).first()
    if running:
        return running
    count = certificates_paid_check(programme=programme, user=user, legal_date=legal_date)
    job = job_open(
        kind=JOB_KIND,
        title="Expedición de certificados de lo pagado",
        context=str(programme),
        task=TASK,
        user=user,
        steps=["Numerar los certificados", "Generar los PDF"],
        arguments={"programme": programme.pk, "legal_date": legal_date.isoformat()},
    )
    decision_record(
        act="certificates_issue_paid",
        sentence=f"Pidió expedir con fecha {write_date(legal_date)} los certificados de lo "
        f"pagado: {write_quantity(count)} por expedir ({job.code}).",
        actor=user,
        subject=programme,
    )
    return job


def certificates_paid_check(*, programme: Programme, user: User, legal_date: date) -> int:
    """How many certificates would be issued with that date; Refused if there are none."""
    if not user.may(Capability.PREPARE):
        raise Refused(MAY_NOT)
    if legal_date > timezone.localdate():
        raise Refused(IN_FUTURE.format(day=write_date(legal_date)), "legal_date")
    count = awards_to_certify(programme.pk, paid_by=legal_date).count()
    if not count:
        raise Refused(
            f"Al {write_date(legal_date)} no hay adjudicaciones pagadas sin certificado.",
            "legal_date",
        )
    return count


def certificates_issue_paid(
    *,
    programme_id: int,
    user: User,
    legal_date: date,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> list[int]:
    """Number the certificates of a programme's awards that are wholly paid on `legal_date`.

    Each in a transaction of its own, so that other people's numbers never wait for the whole
    lot; done again, it goes on with what is left. The answer: the ids of those issued.
    """
    wanted = list(awards_to_certify(programme_id, paid_by=legal_date).values_list("pk", flat=True))
    issued = []
    for award_id in wanted:
        certificate = certificate_allotment_issue(
            award_id=award_id, user=user, legal_date=legal_date
        )
        issued.append(certificate.pk)
        if len(issued) % CHUNK == 0:
            report(len(issued), len(wanted))
    report(len(issued), len(wanted))
    return issued


# What it states


def allotment_facts(award: Award) -> dict[str, Any]:
    """All that the certificate states, as JSON with raw values (see its template for the keys).

    Read from the award, from the terms that its adjudication keeps, and from what was stored
    with the acceptance: nothing is calculated again but the end of the term.
    """
    terms = terms_from_data(award.adjudication.terms)
    acceptance = award.acceptance
    stage = acceptance.stage
    first = stage.number == 1
    return {
        "fund": FUND,
        "programme": _programme_title(terms),
        "decree": terms.decree.value,
        "issuer": {"name": terms.issuer.value, "of": _of_issuer(terms.issuer.value)},
        "seller": _seller(terms),
        "stage": stage.number,
        "holder": _holder(acceptance),
        "acceptance": {
            "number": acceptance.code,
            "received_on": bogota_day(acceptance.received_at).isoformat(),
            "requested": acceptance.requested,
            "broker": acceptance.broker.name if acceptance.broker else "",
            "exchange": acceptance.exchange.name if acceptance.exchange else "",
        },
        "limit": _limit(acceptance, terms),
        "award": {
            "quantity": award.awarded,
            "price": str(stage.price),
            "total": str(award.total),
            "price_cites": [terms.price.cite] if terms.price else [],
        },
        "adjudication": {
            "number": award.adjudication.code,
            "session_on": award.adjudication.session_on.isoformat(),
            "exchange": award.adjudication.exchange.name,
            "cites": _adjudication_cites(award, terms),
        },
        "payment": _payment(award),
        "lock_up": _lock_up(award, terms) if first else None,
        "pledge": _pledge(terms) if first else None,
        "cover": _cover(terms),
        "readings": readings_used(award),
        "signatories": _signatories(award, terms),
        "public": _public(award, terms),
    }


def _programme_title(terms: Terms) -> str:
    title = terms.title.value
    return f"Programa de enajenación de las {title[:1].lower()}{title[1:]}"


def _of_issuer(name: str) -> str:
    """The issuer with its preposition: del Banco Popular, de Fiduciaria FES S. A."""
    return f"del {name}" if name.startswith(("Banco", "Fondo")) else f"de {name}"


def _seller(terms: Terms) -> dict[str, Any]:
    """Who sells, and whether the Fund does so in another's name ("por conducto del Fondo")."""
    full = terms.seller.value if terms.seller else ""
    name = full.split(" – ")[0].split(",")[0]
    return {"name": name, "represented": bool(name) and not name.lower().startswith("el fondo")}


def _holder(acceptance: Acceptance) -> dict[str, Any]:
    participation = acceptance.participation
    buyer = participation.buyer
    holder: dict[str, Any] = {
        "name": buyer.name,
        "kind": buyer.kind,
        "class": BuyerClass(participation.buyer_class).label.lower(),
        "identity": {
            "type": buyer.identity_type,
            "number": buyer.identity_number,
            "check_digit": buyer.check_digit,
        },
    }
    if not buyer.is_natural and buyer.representative_name:
        holder["representative"] = _representative(buyer)
    return holder


def _representative(buyer: Buyer) -> dict[str, Any]:
    known: dict[str, Any] = {"name": buyer.representative_name}
    if buyer.representative_identity_number:
        known["identity"] = {
            "type": buyer.representative_identity_type,
            "number": buyer.representative_identity_number,
        }
    return known


def _limit(acceptance: Acceptance, terms: Terms) -> dict[str, Any]:
    """The quantity after the limit, with the clauses of the article on limits that led to it."""
    limits = terms.limits
    kind = acceptance.participation.buyer.kind
    scopes = [scope.cite for scope in limits.scopes if scope.kind == kind]
    known = {limb.cite for limb in limits.limbs} | {limits.over_limit.cite}
    cites = [cite for cite in acceptance.ruling.get("cites", ()) if cite in known]
    limit: dict[str, Any] = {"admitted": acceptance.admitted, "cites": cites or scopes[:1]}
    if acceptance.limit_shares is None and scopes:
        limit["article"] = scopes[0].removeprefix("art. ")
    return limit


def _adjudication_cites(award: Award, terms: Terms) -> list[str]:
    rule = terms.adjudication
    if rule is None:
        return []
    by_reason = {
        AwardReason.IN_FULL: rule.in_full_cite,
        AwardReason.PRO_RATA: rule.pro_rata_cite,
    }
    return [by_reason.get(AwardReason(award.reason), rule.consent_cite)]


def _payment(award: Award) -> dict[str, Any]:
    payments = list(award.payments.order_by("paid_on", "pk"))
    return {
        "paid_on": payments[-1].paid_on.isoformat(),
        "receipts": [payment.receipt for payment in payments],
    }


def _lock_up(award: Award, terms: Terms) -> dict[str, Any]:
    end = lock_up_end(LockUpFacts(purchased=award.adjudication.session_on), terms)
    return {
        "months": terms.lock_up.months,
        "last_day": end.value.isoformat(),
        "cites": [terms.lock_up.cite],
    }


def _pledge(terms: Terms) -> dict[str, Any] | None:
    rank = RANKS.get(terms.pledge_rank.value) if terms.pledge_rank else None
    return {"rank": rank} if rank else None


def _cover(terms: Terms) -> dict[str, Any] | None:
    cites = unique(
        declared.cite
        for declared in terms.documents.declarations
        if declared.kind == DeclarationKind.CONTINGENCY_COVER
    )
    return {"cites": list(cites)} if cites else None


def _signatories(award: Award, terms: Terms) -> list[dict[str, str]]:
    signatories = []
    if terms.signatory_name and terms.signatory_title:
        signatories.append(
            {"name": terms.signatory_name.value, "post": terms.signatory_title.value}
        )
    reviewer = award.adjudication.reviewed_by
    if reviewer:
        signatories.append({"name": str(reviewer), "post": "Aprobó la adjudicación"})
    return signatories


def _public(award: Award, terms: Terms) -> list[dict[str, str]]:
    """The least that proves it on the verification page: no name, no identity."""
    return [
        {"label": "Programa", "value": f"{_programme_title(terms)}, {terms.decree.value}"},
        {"label": "Acciones adjudicadas", "value": write_quantity(award.awarded)},
    ]
