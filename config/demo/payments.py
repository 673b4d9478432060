"""Payments of some awards, and the certificates of those that are wholly paid."""

from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import uuid5

from django.conf import settings

from buyers.enums import BuyerKind
from config.demo import SESSION_ON, SOURCE, SUBMISSIONS
from config.demo.jobs import Tell, job_finish
from config.demo.people import acting
from offerings.certificates import JOB_KIND, certificates_job_open
from offerings.enums import PaymentMeans
from offerings.models import Adjudication, Award, Programme
from offerings.selectors.certificates import ALLOTMENT, NOTICE, Scope
from offerings.selectors.payments import awards_due, awards_to_certify
from offerings.services.payments import PaymentEntry, payment_record
from office.files import file_read
from office.models import Certificate, CertificateState, Job, User

ORGANISATIONS, PERSONS = 18, 30  # of each, those that came first pay in full
PARTLY = 6  # persons who come next and pay a part
WITHIN = 28  # days after the session in which they pay
ISSUED_ON = date(1995, 10, 17)
COPIES = 4


def payments_ready(run: Adjudication) -> None:
    """Some dozens of awards paid in full, and some in part; the rest is left for the screens."""
    due = awards_due().filter(adjudication=run)
    kind = "acceptance__participation__buyer__kind"
    persons = due.filter(**{kind: BuyerKind.NATURAL})[: PERSONS + PARTLY]
    organisations = due.filter(**{kind: BuyerKind.ORGANISATION})[:ORGANISATIONS]
    with acting("mateo") as mateo:
        for award in [*organisations, *persons[:PERSONS]]:
            _pay(award, award.total, mateo)
        for award in persons[PERSONS:]:
            _pay(award, Decimal(award.total // 2), mateo)


def _pay(award: Award, amount: Decimal, user: User) -> None:
    number = award.acceptance.serial
    means = PaymentMeans.CHEQUE if number % 2 else PaymentMeans.CASH
    payment_record(
        award_id=award.pk,
        user=user,
        entry=PaymentEntry(
            means=means,
            reference=f"{means.label} {number:06d}. {SOURCE}",
            paid_on=SESSION_ON + timedelta(days=number % WITHIN),
            amount=amount,
        ),
        submission_key=uuid5(SUBMISSIONS, f"payment {award.acceptance.code}"),
    )


def certificates_ready(programme: Programme, tell: Tell) -> None:
    """A certificate for each award that is wholly paid, numbered and drawn by the worker."""
    scope = Scope(programme=programme)
    jobs = Job.objects.filter(kind=JOB_KIND, arguments__programme=programme.pk)
    # Of the notices there may be jobs too; one of before they had a kind is of certificates.
    job = jobs.exclude(arguments__kind__in=[NOTICE]).order_by("pk").first()
    if job is None and awards_to_certify(scope, by=ISSUED_ON).exists():
        with acting("mateo") as mateo:
            job = certificates_job_open(
                kind=ALLOTMENT, scope=scope, user=mateo, legal_date=ISSUED_ON
            )
    if job is not None:
        job_finish(job, tell)


def certificates_copied(programme: Programme) -> list[Path]:
    """Some of the PDFs, copied under their numbers to a folder beside the data."""
    folder = Path(settings.STATE_DIR) / "certificados"
    folder.mkdir(parents=True, exist_ok=True)
    issued = Certificate.objects.filter(
        award__acceptance__stage__programme=programme, state=CertificateState.ISSUED
    )
    paths = []
    for certificate in issued.select_related("series", "file").order_by("pk")[:COPIES]:
        path = folder / f"{certificate.label}.pdf"
        path.write_bytes(file_read(certificate.file))
        paths.append(path)
    return paths
