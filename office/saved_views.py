"""Views that people keep of a list: its filter under a name of their own, as a tab."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from office.lists import Listing, query_kept
from office.models import SavedView, User
from office.refusals import Refused

MOST = 20
TWICE = "Ya tiene una vista con ese nombre: escriba otro."


@transaction.atomic
def saved_view_save(*, user: User, listing: Listing, label: str, query: str) -> SavedView:
    """Keep what `query` asks of a list; raises Refused for a name used already, a filter that
    is none, and more than a person can find again.
    """
    kept = query_kept(listing, query)
    if not kept:
        raise Refused("No hay un filtro que guardar: filtre u ordene la lista primero.")
    if SavedView.objects.filter(owner=user, page=listing.page).count() >= MOST:
        raise Refused(f"Ya tiene {MOST} vistas de esta lista: borre una antes de guardar otra.")
    view = SavedView(owner=user, page=listing.page, label=label, query=kept)
    return _saved(view)


@transaction.atomic
def saved_view_rename(*, user: User, view_id: int, label: str) -> SavedView:
    """Give an own view another name; raises Refused for one used already."""
    view = SavedView.objects.select_for_update().get(pk=view_id, owner=user)
    view.label = label
    return _saved(view)


@transaction.atomic
def saved_view_delete(*, user: User, view_id: int) -> None:
    """Forget an own view; the rows that it showed stay as they are."""
    SavedView.objects.select_for_update().get(pk=view_id, owner=user).delete()


def _saved(view: SavedView) -> SavedView:
    try:
        view.full_clean()
        with transaction.atomic():
            view.save()
    except ValidationError as error:
        raise Refused(" ".join(error.messages), "label") from error
    except IntegrityError as error:  # somebody saved the same name since it was checked
        raise Refused(TWICE, "label") from error
    return view
