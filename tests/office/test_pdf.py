import os
import subprocess
import sys
from hashlib import sha256
from html import escape
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from django.conf import settings
from pdfminer.high_level import extract_text

from office import pdf
from office.pdf import (
    PdfError,
    check_libraries,
    fetch_own,
    own_file,
    page_count,
    qr_svg,
    render_pdf,
)

PAGE = (
    '<!doctype html><html lang="es-CO"><head><title>Prueba</title>'
    '<meta name="dcterms.created" content="1995-10-03T14:12:00Z"></head>'
    '<body><div class="frame"></div><div class="seal"></div>{}</body></html>'
)


def page(body):
    return PAGE.format(body)


def drawn(html):
    return render_pdf(html, stylesheet="certificate.css")


def text_of(data):
    return extract_text(BytesIO(data))


def fonts_of(data):
    with pikepdf.open(BytesIO(data)) as document:
        fonts = [obj for obj in document.objects if is_font(obj)]
        return {str(font.BaseFont).split("+")[-1] for font in fonts}


def is_font(obj):
    return isinstance(obj, pikepdf.Dictionary) and obj.get("/Subtype") == "/Type0"


def test_a_page_becomes_a_pdf_with_its_text():
    data = drawn(page("<p>Ñáñez Güiza $ º — “60,60”</p>"))

    assert page_count(data) == 1
    assert text_of(data).strip() == "Ñáñez Güiza $ º — “60,60”"


def test_pdf_a_3a_is_claimed_once():
    with pikepdf.open(BytesIO(drawn(page("<p>Hola</p>")))) as document:
        xmp = document.Root.Metadata.read_bytes()
        assert xmp.count(b"<x:xmpmeta") == 1
        assert xmp.count(b"<rdf:RDF") == 1
        with document.open_metadata() as metadata:
            assert metadata.pdfa_status == "3A"
        assert document.Root.MarkInfo.Marked
        assert document.Root.StructTreeRoot is not None
        assert str(document.Root.Lang) == "es-CO"
        assert str(document.Root.OutputIntents[0].S) == "/GTS_PDFA1"
        assert str(document.docinfo.Title) == "Prueba"
        assert str(document.docinfo.CreationDate) == "D:19951003141200+00'00"


def test_same_page_gives_the_same_bytes_after_another_one():
    first = drawn(page("<p>Uno</p>"))
    drawn(page("<h1>Otro</h1><p class='fund'>Con otra letra</p>"))

    assert drawn(page("<p>Uno</p>")) == first
    assert drawn(page("<p>Dos</p>")) != first


DRAW = """
import sys
from hashlib import sha256
from pathlib import Path
from django.conf import settings
settings.configure(BASE_DIR=Path(sys.argv[1]))
from office.pdf import render_pdf
print(sha256(render_pdf(sys.argv[2], stylesheet="certificate.css")).hexdigest())
"""


def drawn_elsewhere(html, **environment):
    """The digest of the page's PDF drawn by a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", DRAW, str(settings.BASE_DIR), html],
        capture_output=True,
        check=True,
        cwd=settings.BASE_DIR,
        env=os.environ | environment,
        text=True,
        timeout=60,
    ).stdout.strip()


def test_two_processes_give_the_same_bytes():
    html = page("<h1>Certificado</h1><p>Número uno</p>")

    assert drawn_elsewhere(html) == sha256(drawn(html)).hexdigest()


def test_machine_without_fonts_gives_the_same_bytes(tmp_path):
    html = page("<h1>Certificado</h1><p><b>Número</b> <i>uno</i></p>")
    bare = tmp_path / "fonts.conf"
    bare.write_text("<fontconfig></fontconfig>", encoding="utf-8")

    digest = drawn_elsewhere(html, FONTCONFIG_FILE=str(bare), XDG_DATA_HOME=str(tmp_path))

    assert digest == sha256(drawn(html)).hexdigest()


def test_family_that_is_not_ours_is_never_used():
    body = "<p style='font-family: DejaVu Sans, Arial, monospace'>Abc</p><p>Abc <i>Abc</i></p>"

    fonts = fonts_of(drawn(page(body)))

    assert fonts
    assert all(font.startswith("Source-Serif-4") for font in fonts)


def test_every_font_is_embedded():
    data = drawn(page("<h1>Título</h1><p>Texto <b>fuerte</b></p>"))

    with pikepdf.open(BytesIO(data)) as document:
        fonts = [obj for obj in document.objects if is_font(obj)]
        assert len(fonts) >= 2
        for font in fonts:
            assert "/FontFile2" in font.DescendantFonts[0].FontDescriptor


def test_environment_is_left_as_it_was():
    before = os.environ.get("FONTCONFIG_FILE")

    drawn(page("<p>Hola</p>"))

    assert os.environ.get("FONTCONFIG_FILE") == before


@pytest.mark.parametrize("text", ["漢字", "🙂", "\ue000"])
def test_character_that_our_fonts_lack_is_refused(text):
    with pytest.raises(PdfError, match=f"U\\+{ord(text[0]):04X}"):
        drawn(page(f"<p>Ana {text}</p>"))


def test_character_written_as_an_entity_is_refused_too():
    with pytest.raises(PdfError, match=r"U\+6F22"):
        drawn(page("<p>&#x6f22;</p>"))


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://ejemplo.example/a.png",
        "https://ejemplo.example/a.png",
        "ftp://ejemplo.example/a.png",
        "data:image/png;base64,AAAA",
        "print:../config/settings.py",
        "print:img/../../config/settings.py",
        "print:css/certificate.css",
        "print:/etc/passwd",
        "print:img/sello.exe",
        "print:img/que-no-existe.svg",
    ],
)
def test_address_that_is_not_ours_is_refused(address):
    with pytest.raises(PdfError):
        own_file(address)
    with pytest.raises(PdfError):
        drawn(page(f'<img src="{address}" alt="x">'))


def test_attachment_is_refused_if_a_page_asks_for_one():
    body = '<link rel="attachment" href="file:///etc/passwd"><p>Hola</p>'

    with pytest.raises(PdfError):
        drawn(page(body))


def test_our_own_image_and_font_are_served():
    with_image = fetch_own("print:img/seal.svg")
    with_font = fetch_own("print:fonts/print/SourceSerif4-Regular.ttf")

    assert with_image.content_type == "image/svg+xml"
    assert with_image.read().startswith(b"<svg")
    assert with_font.content_type == "font/ttf"


def test_text_that_looks_like_markup_is_printed():
    name = '<link rel=attachment href="file:///etc/passwd"><img src=x>'

    data = drawn(page(f"<p>{escape(name)}</p>"))

    assert name in text_of(data)
    with pikepdf.open(BytesIO(data)) as document:
        assert not document.attachments
        assert "/AF" not in document.Root


def test_a_page_is_laid_out_smaller_only_where_it_does_not_fit(monkeypatch):
    passes = []
    laid_out = pdf._laid_out

    def spy(html, stylesheet, size):
        passes.append(size)
        return laid_out(html, stylesheet, size)

    monkeypatch.setattr(pdf, "_laid_out", spy)
    assert page_count(drawn(page("<p>Corto</p>"))) == 1
    assert passes == [""]

    passes.clear()
    assert page_count(drawn(page("<p>Largo</p>" * 200))) > 1
    assert passes == list(pdf.SIZES)


def test_fonts_are_shipped_with_their_licence():
    folder = Path(settings.BASE_DIR) / "static" / "fonts" / "print"

    assert "SIL Open Font License" in (folder / "LICENSE.md").read_text(encoding="utf-8")
    assert len(list(folder.glob("*.ttf"))) == 6


def test_qr_says_its_address_at_level_m():
    drawing = qr_svg("https://fondo.example/verificar/7K4M2QXR9TBD", title="Código <QR>")

    assert drawing == qr_svg("https://fondo.example/verificar/7K4M2QXR9TBD", title="Código <QR>")
    assert 'viewBox="0 0 33 33"' in drawing  # version 4 holds 62 signs at level M
    assert "Código &lt;QR&gt;" in drawing
    assert "style=" not in drawing
    assert qr_svg("https://fondo.example/verificar/7K4M2QXR9TBE", title="x") != drawing


def test_missing_libraries_are_said_at_start_up(monkeypatch):
    assert check_libraries() == []

    def absent(name):
        raise OSError(name)

    monkeypatch.setattr(pdf, "CDLL", absent)
    found = check_libraries()

    assert [message.id for message in found] == ["office.E001", "office.W001"]
    assert "libharfbuzz-subset0" in found[1].hint
