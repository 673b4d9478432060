"""Who comes to the pages of what is pledged (see tests/pages.py and tests/test_access.py)."""

from tests.pages import OWN, Page, a_file, own
from tests.pledges import world

PLEDGE_PAGES: dict[str, Page] = {
    # --- pledges ---
    "pledges": Page(OWN),
    "pledges_export": Page(OWN, about=a_file()),
    "pledge": own(about=world.of_pledge),
}
