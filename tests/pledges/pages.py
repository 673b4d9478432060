"""Who comes to the pages of what is pledged (see tests/pages.py and tests/test_access.py)."""

from tests.pages import OWN, PREPARE, Page, a_file, own
from tests.pledges import world

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
}
