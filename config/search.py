"""The search of the top bar: buyers by name or identity, everything else by the code it bears.

Each kind of thing is looked for among those that the person may see, and nothing else.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from buyers.selectors import buyers_found
from offerings.models import (
    Acceptance,
    AcceptanceImport,
    Adjudication,
    BankFile,
    CpiImport,
    Payment,
)
from offerings.selectors.certificates import certificates_visible
from offerings.selectors.payment_receipts import payments_shown
from office.access import may
from office.jobs import jobs_visible_to
from office.models import Certificate, User
from office.roles import Capability
from office.text import fold
from pledges.models import Pledge, Quote, Release, ReleaseRequest

FOUND_AT_MOST = 20
SHORTEST = 2
# "A-7", "ad 000012": what a thing is called and its number, whatever stands between.
_CODE = re.compile(r"(A|AD|IM|PR|BA|IP|PD|SD|LQ|LV)[ -]*0*([1-9][0-9]{0,8})")
# "ADJ-1995-000001", "pg 1995 1": a series, its year, a number.
_SERIES = re.compile(r"([A-Z]{2,5})[ -]+([0-9]{4})[ -]+0*([1-9][0-9]{0,8})")
_VERIFICATION = re.compile(r"[A-Z0-9]{12}")

Found = dict[str, Any]


@require_GET
@may(Capability.OWN)
def search(request: HttpRequest) -> HttpResponse:
    """What answers to the words in the address, by kind."""
    asked = request.GET.get("q", "").replace("\x00", " ").strip()[:200]
    sections = [section for section in _sections(asked, request.user) if section["rows"]]
    return render(request, "home/search.html", {"asked": asked, "sections": sections})


def _sections(asked: str, user: User) -> Iterator[Found]:
    if len(fold(asked)) < SHORTEST:
        return
    yield _section("Compradores", _buyers(asked, user))
    typed = asked.upper().strip()
    code, series = _CODE.fullmatch(typed), _SERIES.fullmatch(typed)
    if code:
        yield from _by_code(code[1], int(code[2]), user)
    if series:
        yield from _by_series(series[1], int(series[2]), int(series[3]), user)
    yield _section("Certificados", _by_verification(typed, user))


def _section(title: str, rows: list[Found]) -> Found:
    return {"title": title, "rows": rows}


def _row(label: str, name: str, key: int, detail: str) -> Found:
    return {"label": label, "url": reverse(name, args=[key]), "detail": detail}


def _buyers(asked: str, user: User) -> list[Found]:
    found = buyers_found(user, text=asked)[:FOUND_AT_MOST]
    return [_row(buyer.name, "buyer", buyer.pk, buyer.identity) for buyer in found]


def _by_code(kind: str, number: int, user: User) -> Iterator[Found]:
    if kind == "A":
        yield _section("Aceptaciones", _acceptances(number, user))
    elif kind == "PR":
        jobs = jobs_visible_to(user).filter(pk=number)
        yield _section("Procesos", [_row(job.code, "job", job.pk, job.title) for job in jobs])
    elif kind in PLEDGED:
        title, found = PLEDGED[kind]
        yield _section(title, list(found(number, user)))
    elif user.may(Capability.READ):
        yield _of_the_house(kind, number)


def _acceptances(number: int, user: User) -> list[Found]:
    visible = Acceptance.objects.visible_to(user).filter(serial=number)
    shown = visible.select_related("stage__programme", "participation__buyer")[:FOUND_AT_MOST]
    return [
        _row(row.code, "acceptance", row.pk, f"{row.participation.buyer.name} · {row.stage}")
        for row in shown
    ]


def _pledges(number: int, user: User) -> Iterator[Found]:
    for pledge in Pledge.objects.visible_to(user).filter(pk=number).select_related("holder"):
        yield _row(pledge.code, "pledge", pledge.pk, pledge.holder.name)


def _requests(number: int, user: User) -> Iterator[Found]:
    own = ReleaseRequest.objects.filter(pk=number, pledge__in=Pledge.objects.visible_to(user))
    for one in own.select_related("pledge__holder"):
        detail = f"{one.pledge.holder.name} · {one.pledge.code}"
        yield _row(one.code, "release_request", one.pk, detail)


def _quotes(number: int, user: User) -> Iterator[Found]:
    visible = Pledge.objects.visible_to(user)
    own = Quote.objects.filter(pk=number, request__pledge__in=visible)
    for quote in own.select_related("request__pledge__holder"):
        detail = f"{quote.request.pledge.holder.name} · {quote.request.code}"
        yield _row(quote.code, "quote", quote.pk, detail)


def _releases(number: int, user: User) -> Iterator[Found]:
    """A release may be of many: who reads everything sees it."""
    if not user.may(Capability.READ):
        return
    for release in Release.objects.filter(pk=number).select_related("programme"):
        detail = f"{release.programme} · {release.get_ground_display()}"
        yield _row(release.code, "release", release.pk, detail)


PLEDGED: dict[str, tuple[str, Callable[[int, User], Iterator[Found]]]] = {
    "PD": ("Prendas", _pledges),
    "SD": ("Solicitudes de despignoración", _requests),
    "LQ": ("Liquidaciones", _quotes),
    "LV": ("Levantamientos", _releases),
}


def _of_the_house(kind: str, number: int) -> Found:
    """What only who reads everything sees: adjudications and files."""
    if kind == "AD":
        runs = Adjudication.objects.select_related("stage__programme").filter(pk=number)
        rows = [_row(run.code, "adjudication", run.pk, str(run.stage)) for run in runs]
        return _section("Adjudicaciones", rows)
    if kind == "IM":
        files = AcceptanceImport.objects.select_related("file").filter(pk=number)
        rows = [_row(one.code, "import", one.pk, one.file.original_name) for one in files]
        return _section("Importaciones", rows)
    if kind == "IP":
        indices = CpiImport.objects.select_related("file").filter(pk=number)
        rows = [_row(one.code, "cpi_import", one.pk, one.file.original_name) for one in indices]
        return _section("Archivos del IPC", rows)
    banks = BankFile.objects.select_related("file").filter(pk=number)
    rows = [_row(one.code, "bank_file", one.pk, one.file.original_name) for one in banks]
    return _section("Archivos del banco", rows)


def _by_series(kind: str, year: int, number: int, user: User) -> Iterator[Found]:
    """By the number that a certificate or a receipt bears."""
    own = Q(series__kind=kind, series__year=year, number=number)
    yield _section("Certificados", _certificates(certificates_visible(user).filter(own)))
    payments = payments_shown(user).filter(receipt=f"{kind}-{year}-{number:06d}")
    yield _section("Recibos de pago", [_payment(payment) for payment in payments])


def _payment(payment: Payment) -> Found:
    acceptance = payment.award.acceptance
    detail = f"{acceptance.participation.buyer.name} · {acceptance.code}"
    return _row(payment.receipt, "payment_receipt", payment.pk, detail)


def _by_verification(typed: str, user: User) -> list[Found]:
    """By the code under which anyone confirms a certificate, however it is grouped."""
    code = "".join(filter(str.isalnum, typed))
    if not _VERIFICATION.fullmatch(code):
        return []
    return _certificates(certificates_visible(user).filter(code=code))


def _certificates(found: QuerySet[Certificate]) -> list[Found]:
    return [
        _row(one.label, "certificate", one.pk, f"{one.title} · {one.get_state_display()}")
        for one in found[:FOUND_AT_MOST]
    ]
