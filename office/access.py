"""Who may come to a page: every workspace view says the capability that it asks for."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from office.roles import Capability

View = Callable[..., HttpResponseBase]


def may(capability: Capability) -> Callable[[View], View]:
    """Let in whoever has `capability`; everybody else gets 403 (the anonymous, the log-in)."""

    def wrap(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.may(capability):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        guarded.capability = capability  # type: ignore[attr-defined]
        return guarded

    return wrap
