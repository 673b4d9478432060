"""The session, kept alive by what a person does and not by a page that polls."""

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse

QUIET_HEADER = "HX-Trigger-Name"
QUIET_VALUE = "poll"


class QuietSessionMiddleware(SessionMiddleware):
    """Django's sessions, except that a polling request does not renew them."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Leave the session's end where it is when the page asked by itself."""
        if request.headers.get(QUIET_HEADER) == QUIET_VALUE and not request.session.modified:
            return response
        return super().process_response(request, response)
