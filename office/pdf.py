"""PDFs for print: our fonts alone, no address but our own, the same bytes for the same text."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CDLL
from functools import cache
from hashlib import sha256
from html import unescape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import TYPE_CHECKING, Any
from unicodedata import name as character_name
from xml.etree import ElementTree
from xml.sax.saxutils import escape
from zlib import compress

import segno
from django.conf import settings
from django.core import checks
from django.utils.safestring import SafeString, mark_safe

from office.unbroken import keep_together

if TYPE_CHECKING:
    from weasyprint import CSS
    from weasyprint.document import Document
    from weasyprint.images import SVGImage
    from weasyprint.pdf.stream import Stream
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcherResponse

SCHEME = "print"
"""The address of a file of ours in a print page: ``print:img/seal.svg``."""

FOLDERS = {"fonts/print", "img"}
SERVED = {".svg": "image/svg+xml", ".png": "image/png", ".ttf": "font/ttf"}
VARIANT = "pdf/a-3a"
DRAWN_ONCE = ("img/certificate_frame.svg", "img/seal.svg")
# Classes of the root element, each smaller than the last; in the end, as many pages as needed.
SIZES = ("", "snug", "compact", "compact tight", "dense", "compact several")
QR_MASK = 4

# WeasyPrint loads these when it is imported (the names on Linux and on macOS).
PANGO = ("libpangoft2-1.0.so.0", "libpangoft2-1.0.dylib")
HARFBUZZ_SUBSET = ("libharfbuzz-subset.so.0", "libharfbuzz-subset.0.dylib")

FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{folder}</cachedir></fontconfig>
"""

# Pango's font maps belong to one thread at a time.
_drawing = RLock()


class PdfError(Exception):
    """The document cannot be drawn as it is; the message says why, for staff."""


def static_folder() -> Path:
    """Return the folder of the files that print pages may use."""
    return Path(settings.BASE_DIR) / "static"


def own_file(url: str) -> Path:
    """Return the file of ours that a print address names; refuse every other address."""
    scheme, _, path = url.partition(":")
    parent, _, filename = path.rpartition("/")
    if scheme != SCHEME or parent not in FOLDERS or Path(filename).suffix not in SERVED:
        raise PdfError(f"El documento pide un recurso que no es de la casa: {url!r}.")
    file = static_folder() / parent / filename
    if not file.is_file():
        raise PdfError(f"Falta el recurso de impresión {path!r}.")
    return file


def fetch_own(url: str) -> "URLFetcherResponse":
    """Fetch for WeasyPrint: a file of ours, or an end to the drawing."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcherResponse

    try:
        file = own_file(url)
    except PdfError as error:
        # Any lesser exception would only be logged, and the page drawn without its resource.
        raise FatalURLFetchingError(str(error)) from error
    return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": SERVED[file.suffix]})


@contextmanager
def _only_our_fonts() -> Iterator[None]:
    """Show fontconfig our print fonts alone while it reads its configuration.

    Otherwise Pango takes a glyph, or a whole family, from whatever the machine has installed,
    and the bytes depend on the machine. The variable is put back: child processes want theirs.
    """
    before = os.environ.get("FONTCONFIG_FILE")
    with TemporaryDirectory(prefix="print-fonts-") as folder:
        conf = Path(folder) / "fonts.conf"
        fonts = escape(str(static_folder() / "fonts" / "print"))
        conf.write_text(FONTS_CONF.format(fonts=fonts, folder=escape(folder)), encoding="utf-8")
        os.environ["FONTCONFIG_FILE"] = str(conf)
        try:
            yield
        finally:
            del os.environ["FONTCONFIG_FILE"]
            if before is not None:
                os.environ["FONTCONFIG_FILE"] = before


@cache
def _fonts() -> "FontConfiguration":
    """Return the process's one font configuration."""
    with _only_our_fonts():
        from weasyprint.text.fonts import FontConfiguration

        return FontConfiguration()


class _DrawnOnce:
    """An SVG of ours whose operators are worked out and packed once a process.

    The frame's 1,600 curves take longer than all the rest of a certificate. It stands in
    WeasyPrint's cache of images in place of the SVG, and has the two methods of one.
    """

    def __init__(self, svg: "SVGImage") -> None:
        self.svg = svg
        self.packed: dict[tuple[float, float], tuple[bytes, dict[str, Any]]] = {}

    def get_intrinsic_size(self, *args: Any) -> tuple[float, float, float]:
        return self.svg.get_intrinsic_size(*args)

    def draw(self, stream: "Stream", width: float, height: float, style: Any) -> None:
        form = stream.add_group(0, 0, width, height)
        states = form.extra["Resources"]["ExtGState"]
        if (width, height) not in self.packed:
            self.svg.draw(form, width, height, style)
            self.packed[width, height] = (compress(b"\n".join(form.stream), 9), dict(states))
        operators, used = self.packed[width, height]
        form.stream = [operators]
        states.update(used)
        form.compress = False
        form.extra["Filter"] = "/FlateDecode"
        del form.extra["Group"]  # nothing in it is transparent
        stream.draw_x_object(form.id)


@cache
def _images() -> dict[str, Any]:
    """Return the process's images by address, as WeasyPrint looks them up."""
    from weasyprint.images import SVGImage

    images: dict[str, Any] = {}
    for path in DRAWN_ONCE:
        url = f"{SCHEME}:{path}"
        tree = ElementTree.parse(own_file(url)).getroot()  # noqa: S314  (a file of ours)
        images[url] = _DrawnOnce(SVGImage(tree, url, fetch_own, None))
    return images


@cache
def _stylesheet(name: str) -> "CSS":
    """Return the parsed stylesheet of that name in static/css."""
    fonts = _fonts()
    from weasyprint import CSS

    text = (static_folder() / "css" / name).read_text(encoding="utf-8")
    return CSS(string=text, font_config=fonts, url_fetcher=fetch_own)


@cache
def _drawable() -> frozenset[str]:
    """Return the characters that every print font can draw, and white space."""
    from fontTools.ttLib import TTFont

    sets: list[set[int]] = []
    for file in (static_folder() / "fonts" / "print").glob("*.ttf"):
        with TTFont(file, lazy=True) as font:
            sets.append(set(font.getBestCmap()))
    return frozenset(map(chr, set.intersection(*sets))) | set("\n\r\t")


def check_characters(text: str) -> None:
    """Refuse a text with a character that our print fonts lack.

    Without this the character would come out as an empty box on a paper with legal effect.
    """
    missing = sorted(set(text) - _drawable())
    if missing:
        names = ", ".join(
            f"«{char}» (U+{ord(char):04X} {character_name(char, 'sin nombre')})"
            for char in missing[:5]
        )
        raise PdfError(
            f"La letra de impresión no tiene {names}. Corrija el dato de origen o escríbalo con "
            "letras del alfabeto latino."
        )


def render_pdf(html: str, *, stylesheet: str, one_page: bool = True) -> bytes:
    """Draw a print page as PDF/A-3a, the same bytes for the same input.

    *html* is a whole, already escaped page: its ``<title>``, ``lang``, ``<meta name="author">``
    and ``<meta name="dcterms.created">`` become the PDF's metadata, so that no clock is read.
    *stylesheet* names a file of static/css. What is meant for one page and does not fit is laid
    out again in the next smaller of SIZES, a class of the root element.
    """
    check_characters(unescape(html))
    with _drawing:
        _fonts()  # first of all: it imports WeasyPrint while fontconfig sees our fonts alone
        from weasyprint.urls import FatalURLFetchingError

        try:
            for size in SIZES:
                document = _laid_out(html, stylesheet, size)
                if len(document.pages) == 1 or not one_page:
                    break
            identifier = sha256(html.encode()).digest()[:16]
            return document.write_pdf(pdf_variant=VARIANT, pdf_identifier=identifier)
        except FatalURLFetchingError as error:
            raise PdfError(str(error)) from error


def _laid_out(html: str, stylesheet: str, size: str) -> "Document":
    from weasyprint import HTML

    page = HTML(string=html, url_fetcher=fetch_own)
    page.etree_element.set("class", size)
    keep_together(page.etree_element)
    return page.render(
        font_config=_fonts(),
        stylesheets=[_stylesheet(stylesheet)],
        cache=_images(),
        pdf_variant=VARIANT,
    )


def page_count(pdf: bytes) -> int:
    """Return the number of pages of a PDF."""
    import pikepdf  # here, since every process imports this module for its check

    with pikepdf.open(BytesIO(pdf)) as document:
        return len(document.pages)


def qr_svg(text: str, *, title: str) -> SafeString:
    """Return a QR code as inline SVG that fills its box, level M.

    The mask is fixed, since trying all eight takes most of the time. The quiet zone of four
    modules is left to the stylesheet, so that the code stands flush with the text's edge.
    """
    code = segno.make(text, error="m", mask=QR_MASK, micro=False, boost_error=False)
    svg = code.svg_inline(border=0, omitsize=True, title=title, svgclass=None, lineclass=None)
    # Nothing in it but segno's own drawing and the title, which segno escapes.
    return mark_safe(svg)  # noqa: S308


def _loads(names: tuple[str, ...]) -> bool:
    for name in names:
        try:
            CDLL(name)
        except OSError:
            continue
        return True
    return False


@checks.register(checks.Tags.compatibility)
def check_libraries(**_kwargs: object) -> list[checks.CheckMessage]:
    """Say at start-up which of the system's libraries the PDFs miss."""
    messages: list[checks.CheckMessage] = []
    if not _loads(PANGO):
        messages.append(
            checks.Error(
                "No se encuentra Pango: no se pueden generar certificados.",
                hint="Instale libpango-1.0-0 y libpangoft2-1.0-0.",
                id="office.E001",
            )
        )
    if not _loads(HARFBUZZ_SUBSET):
        messages.append(
            checks.Warning(
                "No se encuentra HarfBuzz-Subset: cada PDF tardará varias veces más.",
                hint="Instale libharfbuzz-subset0.",
                id="office.W001",
            )
        )
    return messages
