"""Who comes to the pages of what is pledged (see tests/pages.py and tests/test_access.py)."""

from tests.pages import APPROVE, OWN, PREPARE, READ, Page, a_file, own
from tests.pledges import world
from tests.world import World

PLEDGE_PAGES: dict[str, Page] = {
    # --- pledges ---
    "pledges": Page(OWN),
    "pledges_export": Page(OWN, about=a_file()),
    "pledge": own(about=world.of_pledge),
    "pledge_new": Page(PREPARE, post=422, about=world.of_paid_award),
    "pledges_open": Page(PREPARE, post=422, about=world.of_pledged_programme),
    "holder_position": own(about=world.of_holder),
    "holder_statement_pdf": own(about=world.of_holder),
    "pledge_enter": Page(PREPARE, post=422, about=world.of_pledge),
    # --- early exits ---
    "release_requests": Page(READ),
    "release_requests_export": Page(READ, about=a_file()),
    "release_request_new": Page(PREPARE, post=422, about=world.of_pledge),
    "release_request_breach": Page(PREPARE, post=422, about=world.of_pledge),
    "penalty_what_if": Page(READ, about=world.of_pledge),
    "release_request": Page(READ, about=world.of_request),
    "release_request_sale": Page(PREPARE, post=422, about=world.of_request),
    "release_request_sale_file": Page(READ, about=world.of_sale_file),
    "release_request_withdraw": Page(PREPARE, post=422, about=world.of_request),
    "release_request_reopen": Page(PREPARE, post=422, about=world.of_settled_request),
    "release_request_close": Page(PREPARE, post=422, about=world.of_request),
    "release_request_closing_review": Page(APPROVE, post=422, about=world.of_closing),
    "fund_decision_new": Page(PREPARE, post=422, about=world.of_request),
    "fund_decision_review": Page(APPROVE, post=422, about=world.of_fund_decision),
    "quote_new": Page(PREPARE, post=422, about=world.of_request),
    "quote": Page(READ, about=world.of_quote),
    "quote_accept": Page(PREPARE, post=422, about=world.of_quote),
    "quote_other_readings": Page(READ, about=world.of_quote),
    "penalty_payment_new": Page(PREPARE, post=422, about=world.of_settled_request),
    "penalty_refund_new": Page(PREPARE, post=422, about=world.of_closed_request),
    "penalty_readings": Page(READ, about=World.of_programme),
    "penalty_readings_new": Page(PREPARE, post=422, about=World.of_programme),
    "penalty_readings_review": Page(APPROVE, post=422, about=world.of_readings),
    # --- measures, rights, the lender, transfers ---
    "pledge_attachment_new": Page(PREPARE, post=422, about=world.of_pledge),
    "pledge_attachment_lift": Page(PREPARE, post=422, about=world.of_measure),
    "pledge_rights_new": Page(PREPARE, post=422, about=world.of_pledge),
    "pledge_rights_end": Page(PREPARE, post=422, about=world.of_rights),
    "pledge_lender_notice_new": Page(PREPARE, post=422, about=world.of_request),
    "pledge_transfer_new": Page(PREPARE, post=422, about=world.of_pledge),
    "pledge_inheritance_new": Page(PREPARE, post=422, about=world.of_pledge),
}
