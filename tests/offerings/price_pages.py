"""Who comes to the pages of the index, of auctions and of trades (see tests/test_access.py)."""

from offerings.models import CpiIndex
from tests.offerings.cpi_files import csv_of, long_rows, opened
from tests.offerings.price_rows import make_import, make_index, make_session, make_trade
from tests.pages import INDICES, INDICES_READ, PREPARE, READ, Page, a_file
from tests.world import World


def _index(world: World) -> CpiIndex:
    known = CpiIndex.objects.first()
    return known or make_index(world.people["analista"])


def of_index(world: World) -> dict:
    return {"pk": _index(world).pk}


def of_file(world: World) -> dict:
    """Read, with months to load."""
    return {"pk": opened(world.people["analista"], csv_of(long_rows())).pk}


def of_session(world: World) -> dict:
    programme = world.open_stage.programme
    session = make_session(programme, world.people["analista"])
    return {"slug": programme.slug, "pk": session.pk}


def of_trade(world: World) -> dict:
    programme = world.open_stage.programme
    return {"slug": programme.slug, "pk": make_trade(programme, world.people["analista"]).pk}


def make_every_price(world: World) -> None:
    """A row in every table of prices."""
    analyst = world.people["analista"]
    programme = world.certificates["broker"].award.acceptance.stage.programme
    _index(world)
    make_import(analyst)
    if not programme.auction_sessions.exists():
        make_session(programme, analyst)
    if not programme.reference_trades.exists():
        make_trade(programme, analyst)


PRICE_PAGES: dict[str, Page] = {
    # --- the index: the administrator keeps it, too ---
    "cpi": Page(INDICES_READ),
    "cpi_new": Page(INDICES, post=422),
    "cpi_months": Page(INDICES_READ),
    "cpi_months_export": Page(INDICES_READ, about=a_file()),
    "cpi_index": Page(INDICES_READ, about=of_index),
    "cpi_correct": Page(INDICES, post=422, about=of_index),
    "cpi_withdraw": Page(INDICES, post=422, about=of_index),
    "cpi_imports": Page(INDICES_READ),
    "cpi_imports_export": Page(INDICES_READ, about=a_file()),
    "cpi_import_new": Page(INDICES, post=422),
    "cpi_import": Page(INDICES_READ, about=of_file),
    "cpi_import_confirm": Page(INDICES, get=405, post=302, about=of_file),
    "cpi_import_discard": Page(INDICES, get=405, post=302, about=of_file),
    "cpi_import_original": Page(INDICES_READ, about=of_file),
    # --- the auction and the trades ---
    "trades": Page(READ),
    "trades_export": Page(READ, about=a_file()),
    "trades_programme": Page(READ, about=World.of_programme),
    "trade_new": Page(PREPARE, post=422, about=World.of_programme),
    "trade_correct": Page(PREPARE, post=422, about=of_trade),
    "trade_withdraw": Page(PREPARE, post=422, about=of_trade),
    "auction_session_new": Page(PREPARE, post=422, about=World.of_programme),
    "auction_session_withdraw": Page(PREPARE, post=422, about=of_session),
}
