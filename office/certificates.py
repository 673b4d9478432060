"""Certificates: a number that is never used twice, a code, frozen facts; the PDF comes after.

Issuing is one short transaction: lock the series, take the number, freeze the facts and the
code. Drawing reads the frozen facts alone, so it can fail, or die, and be done again.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, time
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.files import file_store
from office.models import Certificate, CertificateState, Series, User
from office.numbers import write_count
from office.pdf import PdfError, render_pdf
from office.refusals import Refused

# Without 0, O, 1, I, L: a person reads it from paper. 12 of 31 signs are over 59 bits.
CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 12
STYLESHEET = "certificate.css"
FEMININE = "Constancia"
# What a certificate is drawn with says its template's folder: these have as many pages as needed.
DOCUMENTS, DOCUMENT_STYLESHEET = "certificates/documents/", "document.css"


def series_next(*, kind: str, year: int) -> tuple[Series, int]:
    """Take the next number of a series, locked until the caller's transaction ends."""
    Series.objects.get_or_create(kind=kind, year=year)
    series = Series.objects.select_for_update().get(kind=kind, year=year)
    series.last_number += 1
    series.save(update_fields=["last_number"])
    return series, series.last_number


@transaction.atomic
def certificate_issue(
    *,
    kind: str,
    title: str,
    template: str,
    facts: dict[str, Any],
    legal_date: date,
    user: User,
    article: str = "",
    replaces: Certificate | None = None,
) -> Certificate:
    """Give a certificate its number, code and facts; its PDF is drawn later.

    `facts` is JSON: what the template states, and under `public` what the verification page may
    show of it (a list of label and value). `article` is the clause that the act rests on;
    `replaces`, the annulled certificate whose place it takes. Raises Refused where that one was
    annulled later than `legal_date`: two of a kind would have stood together.
    """
    check_follows(replaces, legal_date)
    series, number = series_next(kind=kind, year=legal_date.year)
    certificate = Certificate(
        series=series,
        number=number,
        code="".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH)),
        title=title,
        template=template,
        facts=facts,
        legal_date=legal_date,
        replaces=replaces,
        issued_by=user,
    )
    certificate.full_clean(exclude=["file"])  # its PDF comes later
    certificate.save()
    decision_record(
        act="certificate_issue",
        sentence=f"Expidió {_the(title)} {certificate.label}{_instead(replaces)}.",
        actor=user,
        subject=certificate,
        article=article,
        legal_at=bogota_moment(legal_date, time()),
    )
    return certificate


def check_follows(replaced: Certificate | None, legal_date: date) -> None:
    """Refuse a day of issue before that on which the paper that is replaced was annulled."""
    if replaced and replaced.annulled_on and legal_date < replaced.annulled_on:
        raise Refused(
            f"Reemplaza a {replaced.label}, que se anuló el {write_date(replaced.annulled_on)}: "
            "no puede ser anterior.",
            "legal_date",
        )


def _the(title: str) -> str:
    """The title in a sentence: "el certificado de adjudicación", "la constancia de …"."""
    article = "la" if title.startswith(FEMININE) else "el"  # "acta" takes "el" too
    return f"{article} {title[:1].lower()}{title[1:]}"


def _instead(replaced: Certificate | None) -> str:
    return f", en lugar de {replaced.label}, que se anuló" if replaced else ""


def paper_words(titles: Iterable[str]) -> tuple[str, str]:
    """What to call papers of those titles, one and many: ("constancia", "constancias"); papers of
    several kinds are documents.
    """
    words = {title.partition(" ")[0].lower() for title in titles}
    one = words.pop() if len(words) == 1 else "documento"
    return one, f"{one}s"


def papers_told(titles: Iterable[str]) -> str:
    """Papers counted by what they are: "59 constancias, 47 certificados y 1 acta"."""
    counted = Counter(paper_words([title]) for title in titles)
    told = [write_count(count, one, many) for (one, many), count in counted.most_common()]
    return f"{', '.join(told[:-1])} y {told[-1]}" if len(told) > 1 else "".join(told)


def pdf_name(certificate: Certificate) -> str:
    """The name under which its PDF is downloaded; an annulled one says so."""
    annulled = "-ANULADO" if certificate.state == CertificateState.ANNULLED else ""
    return f"{certificate.label}{annulled}.pdf"


def certificate_html(certificate: Certificate) -> str:
    """The page to draw, from the frozen facts alone."""
    return render_to_string(
        certificate.template,
        {
            "certificate": certificate,
            "facts": certificate.facts,
            "verify_url": verify_url(certificate),
        },
    )


def certificate_pdf(certificate: Certificate) -> bytes:
    """The certificate drawn, the same bytes each time; it is not stored."""
    html = certificate_html(certificate)
    if certificate.template.startswith(DOCUMENTS):
        return render_pdf(html, stylesheet=DOCUMENT_STYLESHEET, one_page=False)
    return render_pdf(html, stylesheet=STYLESHEET)


def verify_url(certificate: Certificate) -> str:
    """The public address that confirms the certificate; its QR holds the same."""
    return settings.SITE_URL + reverse("verify", args=[certificate.code])


def certificate_draw(certificate_id: int) -> Certificate:
    """Draw the PDF and store it once. Drawn already, it is left as it is; two workers at once
    draw the same bytes and one of them stores them. Raises PdfError, and the certificate stays
    as "por generar", where the facts cannot be printed.
    """
    certificate = Certificate.objects.select_related("series").get(pk=certificate_id)
    if certificate.state != CertificateState.PENDING:
        return certificate
    return _store(certificate_id, certificate_pdf(certificate))


def certificates_draw(
    wanted: Sequence[int], report: Callable[[int, int], None] = lambda done, total: None
) -> list[str]:
    """Draw each of the certificates `wanted` (ids), and tell `report` how many of how many.

    One that cannot be printed does not stop the others: the answer holds a Spanish line for each
    that stays as "por generar".
    """
    failed = []
    report(0, len(wanted))
    for done, pk in enumerate(wanted, start=1):
        try:
            certificate_draw(pk)
        except PdfError as error:
            label = Certificate.objects.select_related("series").get(pk=pk).label
            failed.append(f"{label}: {error}")
        report(done, len(wanted))
    return failed


@transaction.atomic
def _store(certificate_id: int, data: bytes) -> Certificate:
    certificate = (
        Certificate.objects.select_for_update(of=["self"])
        .select_related("series")
        .get(pk=certificate_id)
    )
    if certificate.state != CertificateState.PENDING:
        return certificate
    certificate.file = file_store(
        data=data, name=f"{certificate.label}.pdf", content_type="application/pdf"
    )
    certificate.state = CertificateState.ISSUED
    certificate.save(update_fields=["file", "state"])
    return certificate
