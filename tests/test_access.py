"""Who comes in where: every address of the house, each kind of person, GET and POST.

PAGES is the table; that of what is pledged stands in tests/pledges/pages.py. An address that
neither knows fails, and so does one that is gone.
"""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.offerings.price_pages import PRICE_PAGES
from tests.pages import (
    ANONYMOUS,
    APPROVE,
    EVERYBODY,
    LOG_IN,
    OTHERS,
    OWN,
    PEOPLE,
    PREPARE,
    PRESENT,
    PUBLIC,
    READ,
    Page,
    a_file,
    own,
    own_draft,
    presented,
)
from tests.pledges.pages import PLEDGE_PAGES
from tests.world import World

# Of a buyer whom both brokers presented these pages are both's, each with its own things.
SHARED = {
    "buyer",
    "buyer_parts",
    "buyer_payments",
    "buyer_history",
    "buyer_statement",
    "buyer_statement_pdf",
    "buyer_statement_xlsx",
    "holder_position",
    "holder_statement_pdf",
    "document_new",
    "participation",
    "participation_documents",
}


PAGES: dict[str, Page] = {
    # --- the door, and what is open to all ---
    "login": Page(PUBLIC, post=200),
    "alive": Page(PUBLIC),
    "verify_search": Page(PUBLIC, post=422),
    "verify": Page(PUBLIC, post=422, about=World.of_code),
    # --- whoever has logged in ---
    "home": Page(EVERYBODY),
    "logout": Page(EVERYBODY, get=405, post=302),
    "password_change": Page(EVERYBODY, post=200),
    "password_change_done": Page(EVERYBODY),
    # --- the frame ---
    "search": Page(OWN),
    "jobs": Page(OWN),
    "jobs_export": Page(OWN, about=a_file()),
    "saved_view_new": Page(OWN, get=404, post=404),
    "saved_view": Page(OWN, post=422, about=World.of_saved_view, hidden=OTHERS),
    "saved_view_delete": Page(OWN, get=405, post=302, about=World.of_saved_view, hidden=OTHERS),
    "job": own(about=World.of_job),
    "job_stop": Page(PRESENT, get=302, post=302, about=World.of_job, hidden=frozenset({"other"})),
    "job_restart": Page(PREPARE, get=405, post=302, about=World.of_job),
    # --- programmes ---
    "programmes": Page(OWN),
    "programmes_export": Page(OWN, about=a_file()),
    "programme_open": Page(PREPARE, post=422),
    "programme": Page(OWN, about=World.of_programme),
    "programme_decree": Page(OWN, about=World.of_programme),
    "notice_new": Page(PREPARE, post=422, about=World.of_programme),
    "credit_line_new": Page(PREPARE, post=422, about=World.of_programme),
    "fund_rules": Page(READ, post=302, about=World.of_programme),
    "fund_rules_version": Page(READ, about=World.of_rules),
    "fund_rules_edit": Page(PREPARE, post=422, about=World.of_draft_rules),
    "fund_rules_submit": Page(PREPARE, post=302, about=World.of_draft_rules),
    "fund_rules_review": Page(APPROVE, post=422, about=World.of_pending_rules),
    "stage_open": Page(APPROVE, post=422, about=World.of_planned_stage),
    "stage_close": Page(APPROVE, post=422, about=World.of_open_stage),
    "stage_demand": Page(
        READ, about=lambda world: a_file(World.of_open_stage)(world) | {"by": "semana"}
    ),
    # --- buyers ---
    "buyers": Page(OWN),
    "buyers_export": Page(OWN, about=a_file()),
    "buyer": own(about=World.of_buyer),
    "buyer_new": Page(PRESENT, post=422),
    "buyer_change": Page(PREPARE, post=422, about=World.of_buyer),
    "buyer_parts": own(about=World.of_buyer),
    "buyer_payments": own(about=World.of_award_buyer),
    "buyer_history": own(about=World.of_buyer),
    "buyer_dossier": Page(READ, post=422, about=World.of_buyer),
    "buyer_merge": Page(APPROVE, post=422, about=World.of_buyer),
    "document_new": presented(post=422, about=World.of_buyer),
    "document_file": own(about=World.of_document),
    "documents": Page(OWN),
    "documents_export": Page(OWN, about=a_file()),
    "document_verify": Page(PREPARE, post=422, about=World.of_document),
    "document_replace": presented(post=422, about=World.of_document),
    # --- acceptances ---
    "acceptances": Page(OWN),
    "acceptances_export": Page(OWN, about=a_file()),
    "acceptance": own(about=World.of_acceptance),
    "acceptance_new": Page(PRESENT, post=422, about=World.of_open_stage),
    "acceptance_drafts": Page(PRESENT),
    "acceptance_draft": own_draft(),
    "acceptance_draft_discard": own_draft(get=405, post=302),
    "acceptance_draft_save": Page(PRESENT, get=405, post=302, about=World.of_open_stage),
    "acceptance_limit": Page(PRESENT, get=405, post=200, about=World.of_open_stage),
    "acceptance_papers": Page(PRESENT, get=405, post=200, about=World.of_open_stage),
    "acceptance_receipt": own(about=World.of_acceptance),
    "acceptance_withdraw": presented(post=422, about=World.of_acceptance),
    "participation": own(about=World.of_participation),
    "participation_documents": presented(post=200, about=World.of_participation),
    "participation_false_class": Page(APPROVE, post=422, about=World.of_participation),
    "participation_false_class_lift": Page(APPROVE, post=422, about=World.of_class_finding),
    "participation_change": Page(PREPARE, post=422, about=World.of_participation),
    # --- files of acceptances ---
    "import_new": Page(PREPARE, post=422, about=World.of_open_stage),
    "imports": Page(READ, about=World.of_open_stage),
    "imports_export": Page(READ, about=a_file(World.of_open_stage)),
    "import_export": Page(READ, about=a_file(World.of_reviewed_import)),
    "import_template": Page(READ),
    "import": Page(READ, about=World.of_reviewed_import),
    "import_columns": Page(PREPARE, post=422, about=World.of_reviewed_import),
    "import_decide": Page(PREPARE, get=405, post=422, about=World.of_reviewed_import),
    "import_confirm": Page(PREPARE, get=405, post=422, about=World.of_reviewed_import),
    "import_discard": Page(PREPARE, get=405, post=302, about=World.of_reviewed_import),
    "import_errors": Page(READ, about=World.of_errors_file),
    "import_file": Page(READ, about=World.of_reviewed_import),
    # --- adjudications ---
    "adjudications": Page(READ),
    "adjudications_export": Page(READ, about=a_file()),
    "adjudication": Page(READ, about=World.of_adjudication),
    "adjudication_differences": Page(READ, about=World.of_second_adjudication),
    "adjudication_export": Page(READ, about=a_file(World.of_adjudication)),
    "adjudication_new": Page(PREPARE, post=422, about=World.of_closed_stage),
    "adjudication_approve": Page(APPROVE, post=302, about=World.of_pending_adjudication),
    "adjudication_return": Page(APPROVE, post=422, about=World.of_pending_adjudication),
    "adjudication_reject": Page(APPROVE, post=422, about=World.of_pending_adjudication),
    "adjudication_annul": Page(PREPARE, post=422, about=World.of_adjudication),
    "adjudication_annulment_approve": Page(APPROVE, post=422, about=World.of_run_annulment),
    "adjudication_annulment_return": Page(APPROVE, post=422, about=World.of_run_annulment),
    "adjudication_annulment_reject": Page(APPROVE, post=422, about=World.of_run_annulment),
    "adjudication_record_draft": Page(READ, about=World.of_pending_adjudication),
    "adjudication_record_new": Page(PREPARE, post=422, about=World.of_adjudication),
    "adjudication_annex": Page(READ, about=World.of_annex),
    "award": own(about=World.of_award),
    # --- reports ---
    "programme_reports": Page(OWN, about=World.of_closed_stage),
    "report_exchange": Page(READ, about=World.of_exchange_report),
    "report_broker": own(about=World.of_broker_report),
    "report_register": Page(READ, about=World.of_reported_stage),
    "report_board": Page(READ, get=422, about=World.of_reported_stage),
    # --- payments ---
    "payments": Page(READ),
    "payments_export": Page(READ, about=a_file()),
    "payment_award": Page(READ, about=World.of_award_due),
    "payment_new": Page(PREPARE, post=422, about=World.of_award_due),
    "payment_receipt": own(about=World.of_payment),
    "payment_receipt_pdf": own(about=World.of_payment),
    "refunds": Page(READ),
    "refunds_export": Page(READ, about=a_file()),
    "refund_new": Page(PREPARE, post=422, about=World.of_award_due),
    "default_new": Page(PREPARE, post=422, about=World.of_award_due),
    "default": Page(READ, about=World.of_default),
    "default_review": Page(APPROVE, post=422, about=World.of_default),
    "bank_files": Page(READ),
    "bank_files_export": Page(READ, about=a_file()),
    "bank_file_new": Page(PREPARE, post=422),
    "bank_file_template": Page(READ),
    "bank_file": Page(READ, about=World.of_bank_file),
    "bank_file_columns": Page(PREPARE, post=422, about=World.of_bank_file),
    "bank_file_confirm": Page(PREPARE, get=405, post=422, about=World.of_bank_file),
    "bank_file_discard": Page(PREPARE, get=405, post=302, about=World.of_bank_file),
    "bank_file_errors": Page(READ, about=World.of_bank_errors),
    "bank_file_original": Page(READ, about=World.of_bank_file),
    "buyer_statement": own(about=World.of_buyer_awarded),
    "buyer_statement_pdf": own(about=World.of_buyer_awarded),
    "buyer_statement_xlsx": own(about=World.of_buyer_awarded),
    # --- certificates ---
    "certificates": Page(OWN),
    "certificates_export": Page(OWN, about=a_file()),
    "certificate": own(about=World.of_certificate),
    "certificate_pdf": own(about=World.of_certificate),
    "certificate_redraw": Page(PREPARE, get=405, post=302, about=World.of_certificate),
    "certificate_new": Page(PREPARE, post=422, about=World.of_award_due),
    "certificate_notice": Page(PREPARE, post=422, about=World.of_award_due),
    "certificate_annul": Page(PREPARE, post=422, about=World.of_certificate),
    "certificate_annulment_approve": Page(APPROVE, post=422, about=World.of_certificate_annulment),
    "certificate_annulment_return": Page(APPROVE, post=422, about=World.of_certificate_annulment),
    "certificate_annulment_reject": Page(APPROVE, post=422, about=World.of_certificate_annulment),
    "certificates_issue": Page(PREPARE, post=422),
    "certificates_zip": Page(OWN, get=405, post=302),
    "certificates_redraw": Page(PREPARE, get=405, post=302),
    **PRICE_PAGES,
    **PLEDGE_PAGES,
}


# --- the walk ---


def addresses(
    patterns: list | None = None, prefix: str = "", space: str = ""
) -> Iterator[tuple[str, str, Callable]]:
    """Name (or route, where it has none), route and view of every pattern of the resolver."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from addresses(pattern.url_patterns, route, inner)
        elif isinstance(pattern, URLPattern):
            yield space + pattern.name if pattern.name else route, route, pattern.callback


WORKSPACE = {name: view for name, route, view in addresses() if not route.startswith("admin/")}
KNOWN = sorted(WORKSPACE.keys() & PAGES.keys())


def test_table_knows_every_address_and_no_other():
    unknown, gone = sorted(WORKSPACE.keys() - PAGES), sorted(PAGES.keys() - WORKSPACE)
    assert not unknown, f"say in PAGES who may come to: {unknown}"
    assert not gone, f"PAGES knows addresses that are gone: {gone}"


def test_two_addresses_never_share_a_name():
    names = [name for name, _, _ in addresses()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", KNOWN)
def test_view_asks_for_the_capability_that_the_table_says(name):
    declared = getattr(WORKSPACE[name], "capability", None)
    needs = PAGES[name].needs
    assert declared == (None if needs in {EVERYBODY, PUBLIC} else needs)


@pytest.mark.parametrize("name", KNOWN)
def test_view_is_open_without_log_in_only_where_the_table_says(name):
    needs_login = getattr(WORKSPACE[name], "login_required", True)
    assert needs_login is (PAGES[name].needs != PUBLIC)


@pytest.fixture
def world(db):
    return World()


def answer(world: World, person: str, method: str, address: str):
    """What the person gets; whatever the request changed is undone."""
    client = Client()
    if person != ANONYMOUS:
        client.force_login(world.people[person])
    with transaction.atomic():
        response = getattr(client, method)(address)
        if response.streaming:  # to its end, so that the file is closed
            response.read_to_its_end = response.getvalue()
        transaction.set_rollback(True)
    return response


@pytest.mark.parametrize("name", KNOWN)
def test_each_person_gets_at_each_address_what_the_table_says(world, name):
    page = PAGES[name]
    address = reverse(name, kwargs=page.about(world))
    wrong = []
    for person, method in product([ANONYMOUS, *PEOPLE], ("get", "post")):
        response = answer(world, person, method, address)
        expected = page.expected(person, method)
        got = to_log_in(response, address) or response.status_code
        if got not in (expected if isinstance(expected, set) else {expected}):
            wrong.append(f"{method.upper()} {address} as {person}: {got}, not {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in KNOWN if PAGES[name].hidden])
def test_two_brokers_with_one_buyer_see_each_its_own_alone(world, name):
    page = PAGES[name]
    address = reverse(name, kwargs=page.about(world))
    world.share()
    for method in ("get", "post"):
        response = answer(world, "other", method, address)
        status = page.get if method == "get" else page.post
        shown = name in SHARED or status == 405
        assert response.status_code == (status if shown else 404), method
        if response.status_code == 200 and not response.streaming:
            assert "Corredores Propia" not in response.content.decode(errors="replace")


def to_log_in(response, address: str) -> str:
    """LOG_IN if the answer is to log in first and come back."""
    back = f"{reverse('login')}?next={address}"
    return LOG_IN if response.status_code == 302 and response["Location"] == back else ""


def body(response) -> str:
    data = response.read_to_its_end if response.streaming else response.content
    return data.decode()
