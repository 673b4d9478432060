"""The public page that confirms a certificate, by its code or by the very bytes of its PDF.

It shows the least that proves a certificate, and no name. A file is hashed while it arrives: it
is never parsed, kept or logged, and one that is too large is refused before it is read.
"""

from hashlib import sha256
from io import BytesIO
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods
from redis.exceptions import RedisError

from office.models import Certificate

LIMIT, SECONDS = 30, 60
LONGEST_CODE = 20
MAX_MEGABYTES = 2
MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
AROUND_BYTES = 64 * 1024  # what a form adds to its file
HOUSE_BITS = 64  # of an IPv6 address: beyond them, one house has all there are
TEMPLATE = "office/verify.html"
FIELD = "archivo"


class HashedFile(UploadedFile):
    """What stays of an uploaded file: its SHA-256 and its size."""

    def __init__(self, digest: str, size: int) -> None:
        super().__init__(file=BytesIO(), name=FIELD, size=size)
        self.sha256 = digest


class HashingHandler(FileUploadHandler):
    """Takes in an upload by hashing it, and stops one that passes the limit."""

    too_large = False

    def new_file(self, *args: Any, **options: Any) -> None:
        """Begin with a hash of nothing."""
        super().new_file(*args, **options)
        self.hash, self.size = sha256(), 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Hash a piece and let it go."""
        self.size += len(raw_data)
        if self.size > MAX_BYTES:
            self.too_large = True
            raise StopUpload(connection_reset=True)
        self.hash.update(raw_data)

    def file_complete(self, file_size: int) -> HashedFile:
        """Give what is left of it."""
        return HashedFile(self.hash.hexdigest(), self.size)


@csrf_exempt  # the token is checked below, once it is settled how the upload is taken in
@login_not_required
@require_http_methods(["GET", "POST"])
def verify(request: HttpRequest, code: str = "") -> HttpResponse:
    """Confirm a certificate by its code (GET), or by its file, with its code or without (POST)."""
    code = _code_typed(code or request.GET.get("codigo", ""))
    if (code or request.method == "POST") and not _allowed(request):
        return _throttled(request)
    if request.method == "GET":
        found = _certificate(code=code) if code else None
        status = 404 if code and found is None else 200
        return _page(request, code, found, status=status)
    if _declared_length(request) > MAX_BYTES + AROUND_BYTES:
        return _page(request, code, _certificate(code=code), status=413, refused=_too_large())
    handler = HashingHandler(request)
    request.upload_handlers = [handler]
    return _checked(request, code, handler)


@csrf_protect
def _checked(request: HttpRequest, code: str, handler: HashingHandler) -> HttpResponse:
    """Compare the file that comes with what is stored: annulled ones are told as such."""
    found = _certificate(code=code) if code else None
    if code and found is None:
        return _page(request, code, None, status=404)
    given = request.FILES.get(FIELD)
    if handler.too_large:
        return _page(request, code, found, status=413, refused=_too_large())
    if not isinstance(given, HashedFile) or not given.size:
        refused = "Elija el PDF que quiere comprobar: no llegó ninguno, o está vacío."
        return _page(request, code, found, status=422, refused=refused)
    by_file = _certificate(file__sha256=given.sha256)
    same = by_file is not None and (found is None or by_file.pk == found.pk)
    return _page(request, code, found or by_file, checked=True, same=same)


def _page(
    request: HttpRequest,
    code: str,
    found: Certificate | None,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    context |= {
        "code": code,
        "certificate": found,
        "replaced_by": getattr(found, "replaced_by", None),
        "megabytes": MAX_MEGABYTES,
    }
    return render(request, TEMPLATE, context, status=status)


def _certificate(**known: str) -> Certificate | None:
    shown = Certificate.objects.select_related("series", "file", "replaced_by__series")
    return shown.filter(**known).first()


def _code_typed(text: str) -> str:
    """A code as it is stored, however a person groups it; nothing else reaches the database."""
    return "".join(filter(str.isalnum, text)).upper()[:LONGEST_CODE]


def _declared_length(request: HttpRequest) -> int:
    """What the request says that it brings; without a number nothing is read of it."""
    declared = request.META.get("CONTENT_LENGTH") or "0"
    return int(declared) if declared.isdecimal() else 0


def _too_large() -> str:
    return (
        f"El archivo pasa de {MAX_MEGABYTES} MB y no se leyó: los PDF del Fondo son mucho menores."
    )


# Slowing down whoever guesses


def _throttled(request: HttpRequest) -> HttpResponse:
    response = render(request, TEMPLATE, {"throttled": True}, status=429)
    response.headers["Retry-After"] = str(SECONDS)
    return response


def _allowed(request: HttpRequest) -> bool:
    """Whether the address may ask again; where the counter does not answer, it may."""
    key = f"verify:{client_address(request)}"
    try:
        cache.add(key, 0, SECONDS)
        return cache.incr(key) <= LIMIT
    except (ValueError, RedisError):  # a ValueError: it expired between the two calls
        return True


def client_address(request: HttpRequest) -> str:
    """From where a request comes: an IPv4 address, or an IPv6 one's network.

    Anybody can write X-Forwarded-For; of it only what the settings' own proxies added counts:
    with one in front, its last address.
    """
    address = request.META.get("REMOTE_ADDR", "")
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    proxies = settings.PROXIES_IN_FRONT
    if proxies and len(forwarded) >= proxies:
        address = forwarded[-proxies].strip()
    try:
        known = ip_address(address)
    except ValueError:  # a unix socket's, or no address at all
        return "unknown"
    if known.version == 4:
        return str(known)
    return str(ip_network((known, HOUSE_BITS), strict=False))
