"""What is let in as a paper and what is not, file by file, by what they really are."""

import io
import struct
import zipfile
import zlib

import pikepdf
import pytest
from django.urls import reverse
from PIL import Image

from buyers.models import Document
from buyers.services import document_add
from buyers.services.uploads import XLSX
from office.files import file_read
from office.models import StoredFile
from office.refusals import Refused
from tests.buyers.files import (
    book_bytes,
    image_bytes,
    pdf_bytes,
    repacked,
    tiff_bytes,
    upload,
)

HTML = b"<!DOCTYPE html><script>alert(1)</script>"


def take(user, buyer, data, name="declaracion.pdf"):
    return document_add(user=user, buyer=buyer, kind="class_proof", file=upload(data, name))


def refusal_of(user, buyer, data, name="declaracion.pdf") -> str:
    """What is said of a file that is refused; nothing of it is kept."""
    with pytest.raises(Refused) as caught:
        take(user, buyer, data, name)
    assert caught.value.field == "file"
    assert not Document.objects.exists()
    assert not StoredFile.objects.exists()
    return caught.value.message


@pytest.mark.parametrize(
    ("data", "name", "kept_as"),
    [
        (tiff_bytes(), "declaracion.tif", "image/tiff"),
        (tiff_bytes(2, mode="RGB", compression="jpeg"), "color.tiff", "image/tiff"),
        (tiff_bytes(1, mode="L", compression="tiff_lzw"), "gris.tiff", "image/tiff"),
        (book_bytes(), "estados.xlsx", XLSX),
        (book_bytes(("Enlace",), ('=HYPERLINK("https://fondo.example")',)), "e.xlsx", XLSX),
        (tiff_bytes(), "declaracion.pdf", "image/tiff"),  # by its content, whatever its name
        (pdf_bytes(), "estados.xlsx", "application/pdf"),
    ],
)
def test_a_file_is_kept_by_its_content(irene, nanez, data, name, kept_as):
    document = take(irene, nanez, data, name)
    assert (document.file.content_type, file_read(document.file)) == (kept_as, data)


@pytest.mark.parametrize(
    ("data", "name", "shown"),
    [
        (pdf_bytes(), "documento-{}.pdf", True),
        (image_bytes("PNG"), "documento-{}.png", True),
        (image_bytes("JPEG"), "documento-{}.jpg", True),
        (tiff_bytes(), "documento-{}.tif", False),
        (book_bytes(), "documento-{}.xlsx", False),
    ],
)
def test_a_file_is_given_back_to_keep_and_shown_only_where_a_browser_shows_it(
    at_desk, irene, nanez, data, name, shown
):
    document = take(irene, nanez, data, "a.exe")
    address = reverse("document_file", args=[document.pk])
    kept, seen = at_desk.get(address), at_desk.get(f"{address}?ver")
    named = f'filename="{name.format(document.pk)}"'
    assert kept["Content-Disposition"] == f"attachment; {named}"
    assert seen["Content-Disposition"] == f"{'inline' if shown else 'attachment'}; {named}"
    for answer in (kept, seen):
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Type"] == document.file.content_type
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert b"".join(answer.streaming_content) == data


# --- images ---


def image_of(width, height) -> bytes:
    """The first bytes of a PNG that says to be that large, and holds next to nothing."""

    def chunk(kind, body):
        checked = kind + body
        return struct.pack(">I", len(body)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 100))


def looped_tiff() -> bytes:
    """A TIFF whose last page points at its first."""
    data = bytearray(tiff_bytes(2))
    order = "<" if data[:2] == b"II" else ">"
    first = struct.unpack_from(f"{order}I", data, 4)[0]
    place = first
    while place:
        fields = struct.unpack_from(f"{order}H", data, place)[0]
        link = place + 2 + 12 * fields
        place = struct.unpack_from(f"{order}I", data, link)[0]
    struct.pack_into(f"{order}I", data, link, first)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: image_of(100_000, 100_000), "crece demasiado"),
        (lambda: image_of(9_000, 9_000), "crece demasiado"),
        (lambda: tiff_bytes(1, (9_000, 9_000)), "crece demasiado"),
        (lambda: tiff_bytes(11, (7_700, 7_700)), "crece demasiado"),
        (lambda: tiff_bytes(301, (4, 4)), "más de 300 páginas"),
        (lambda: tiff_bytes()[:-40], "dañado"),
        (lambda: tiff_bytes()[:8], "dañado"),
        (lambda: b"II*\x00" + b"\xff" * 400, "dañado"),
        (lambda: image_bytes("JPEG", (200, 200))[:300], "dañado"),
        (lambda: b"\xff\xd8\xff", "dañado"),
        (lambda: image_bytes("PNG").replace(b"IDAT", b"IXAT"), "dañado"),
    ],
    ids=[
        "enormous", "large", "large-fax", "many-large-pages", "many-pages", "cut-fax",
        "fax-head", "no-fax", "cut-photograph", "photograph-head", "no-picture",
    ],
)  # fmt: skip
def test_an_image_is_drawn_whole_before_it_is_let_in(irene, nanez, data, words):
    assert words in refusal_of(irene, nanez, data(), "escaneo.tif")


def test_a_fax_whose_pages_go_round_in_a_ring_comes_to_an_end(irene, nanez):
    document = take(irene, nanez, looped_tiff(), "fax.tif")
    assert document.file.content_type == "image/tiff"


def test_a_picture_that_moves_is_drawn_frame_by_frame(irene, nanez):
    frames = [Image.new("L", (8, 8), shade) for shade in range(250)]
    target = io.BytesIO()
    frames[0].save(target, "PNG", save_all=True, append_images=frames[1:] + frames[1:])
    assert "más de 300 páginas" in refusal_of(irene, nanez, target.getvalue())


# --- two things at once ---


def packed() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as bundle:
        bundle.writestr("programa.exe", b"MZ")
    return target.getvalue()


def commented_png() -> bytes:
    from PIL.PngImagePlugin import PngInfo

    note, target = PngInfo(), io.BytesIO()
    note.add_text("Comment", "<html><script>alert(1)</script>")
    Image.new("L", (8, 8)).save(target, "PNG", pnginfo=note)
    return target.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        lambda: pdf_bytes() + packed(),
        lambda: image_bytes("PNG") + packed(),
        lambda: image_bytes("JPEG") + packed(),
        lambda: commented_png(),
        lambda: image_bytes("JPEG")[:20] + b"%PDF-1.7" + image_bytes("JPEG")[20:],
    ],
    ids=["pdf-zip", "png-zip", "jpeg-zip", "png-html", "jpeg-pdf"],
)
def test_a_file_that_is_two_things_at_once_is_refused(irene, nanez, data):
    assert "dos formatos" in refusal_of(irene, nanez, data())


# No packed file, and too far in to be taken for a page.
PRETENDED = b"PK\x03\x04" + b"." * 1500 + b"<html><script>alert(1)</script>"


@pytest.mark.parametrize(
    "data",
    [
        lambda: pdf_bytes() + image_bytes("PNG"),
        lambda: pdf_bytes() + image_bytes("PNG") + b"\n%%EOF\n",
        lambda: pdf_bytes() + PRETENDED,
        lambda: image_bytes("PNG") + image_bytes("JPEG"),
        lambda: image_bytes("PNG") + PRETENDED,
        lambda: image_bytes("JPEG") + image_bytes("JPEG"),
        lambda: image_bytes("JPEG") + PRETENDED,
        lambda: scanned_twice("JPEG") + PRETENDED,
        lambda: scanned_twice("MPO") + PRETENDED,
        lambda: book_bytes() + image_bytes("PNG"),
    ],
    ids=[
        "pdf-png", "pdf-png-end", "pdf-page", "png-jpeg", "png-page", "jpeg-jpeg", "jpeg-page",
        "scans-page", "pair-page", "book-png",
    ],
)  # fmt: skip
def test_a_file_with_another_after_its_end_is_refused(irene, nanez, data):
    assert "después de su final" in refusal_of(irene, nanez, data())


def scanned_twice(kind) -> bytes:
    """A photograph drawn in several scans, with a small one inside; with MPO, two of them."""
    noise = Image.effect_noise((120, 90), 80)
    target = io.BytesIO()
    exif = noise.getexif()
    exif[270] = "Prueba"
    others = {"save_all": True, "append_images": [noise.resize((60, 45))]} if kind == "MPO" else {}
    noise.save(target, kind, progressive=True, restart_marker_rows=1, exif=exif, **others)
    return target.getvalue()


def updated() -> bytes:
    """A PDF to which another version of the same was appended, as signing one does."""
    data = pdf_bytes()
    before = data.rindex(b"startxref")
    table = int(data[before:].split()[1])
    more = b"xref\n0 0\ntrailer\n<< /Size 4 /Root 1 0 R /Prev %d >>\n" % table
    return data + more + b"startxref\n%d\n%%%%EOF" % len(data)


@pytest.mark.parametrize(
    "data",
    [
        lambda: pdf_bytes(linearize=True),
        lambda: pdf_bytes() + b"\r\n\0\0",
        lambda: updated(),
        lambda: image_bytes("PNG") + b"\0\0",
        lambda: image_bytes("JPEG") + b"\n",
        lambda: scanned_twice("JPEG"),
        lambda: scanned_twice("MPO"),
    ],
    ids=["for-web", "padded-pdf", "updated", "padded-png", "padded-jpeg", "scans", "pair"],
)
def test_a_sound_file_ends_where_its_format_says(irene, nanez, data):
    whole = data()
    assert file_read(take(irene, nanez, whole).file) == whole


@pytest.mark.parametrize("name", ["declaracion.pdf", "declaracion.png", "estados.xlsx"])
def test_a_page_is_refused_under_any_name(irene, nanez, name):
    words = refusal_of(irene, nanez, HTML, name)
    assert words.startswith("Por su contenido no es un PDF ni una imagen.")
    assert "PDF, PNG, JPEG, TIFF o libro de Excel (.xlsx)" in words


# --- PDFs ---


def disguised_script(pdf) -> None:
    pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name("/URI"), URI="x" * 2)


def test_a_script_whose_name_is_written_in_figures_is_found(irene, nanez):
    data = pdf_bytes(disguised_script, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    data = data.replace(b"/S /URI", b"/S /JavaScri#70t").replace(b"/URI (xx)", b"/J#53 (xx)")
    assert b"/JavaScript" not in data
    assert "JavaScript" in refusal_of(irene, nanez, data)


def test_a_pdf_of_more_than_300_pages_is_refused(irene, nanez):
    def pages(pdf):
        for _ in range(300):
            pdf.add_blank_page()

    assert "más de 300 páginas" in refusal_of(irene, nanez, pdf_bytes(pages))


# --- workbooks ---

KIND = b'<Override PartName="/%s" ContentType="application/%s"/></Types>'
RELATION = (
    b'<Relationship Id="rId90" Type="http://schemas.example/%s" Target="%s"%s/></Relationships>'
)


def book_with(part: bytes, kind: bytes):
    """A workbook with one part more, of a kind that its list of contents names."""

    def change(name, text):
        if name == "[Content_Types].xml":
            return text.replace(b"</Types>", KIND % (part, kind))
        return text

    return repacked(book_bytes(), change, **{part.decode(): b"x"})


def book_related(kind: bytes, target=b"x", mode=b""):
    def change(name, text):
        if name == "xl/_rels/workbook.xml.rels":
            return text.replace(b"</Relationships>", RELATION % (kind, target, mode))
        return text

    return repacked(book_bytes(), change)


def sheet_changed(old: bytes, new: bytes):
    def change(name, text):
        if name != "xl/worksheets/sheet1.xml":
            return text
        assert old in text
        return text.replace(old, new, 1)

    return repacked(book_bytes(), change)


ENTITY = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = b' TargetMode="External"'
LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: book_with(b"xl/vbaProject.bin", b"vnd.ms-office.vbaProject"), "macros"),
        (lambda: book_with(b"xl/inocente.bin", b"vnd.ms-office.vbaProject"), "macros"),
        (lambda: book_with(b"xl/m.xml", b"vnd.ms-excel.macrosheet+xml"), "macros"),
        (lambda: book_with(b"xl/o.bin", b"vnd.openxmlformats.oleObject"), "objetos"),
        (lambda: book_with(b"xl/a.xml", b"vnd.ms-office.activeX+xml"), "objetos"),
        (lambda: book_with(b"xl/c.xml", b"spreadsheetml.connections+xml"), "vínculos"),
        (lambda: book_related(b"externalLink", b"externalLinks/1.xml"), "vínculos"),
        (lambda: book_related(b"image", b"http://ajeno.example/a.png", OUTSIDE), "vínculos"),
        (lambda: book_related(b"package", b"embeddings/a.docx"), "objetos"),
        (lambda: book_bytes(formula="=cmd|'/c calc'!A0"), "vínculos"),
        (lambda: book_bytes(formula='=WEBSERVICE("http://ajeno.example")'), "vínculos"),
        (lambda: sheet_changed(b"<worksheet", ENTITY + b"<worksheet"), "dañado"),
        (lambda: sheet_changed(b'r="A1"', b'r="XFD1048576"'), "demasiado grande"),
        (lambda: sheet_changed(b"</sheetData>", b"</sheetData"), "no se puede abrir"),
        (lambda: repacked(book_bytes(), **{"xl/a.bin": bytes(160_000_000)}), "demasiado grande"),
        (lambda: book_bytes(()), "no tiene ningún dato"),
        (lambda: book_bytes()[:200], "dañado"),
        (lambda: book_bytes()[:-30], "dañado"),
        (lambda: packed(), "no es un libro de Excel"),
        (lambda: LOCKED, "protegido con clave"),
        (lambda: LOCKED[:400], "antiguo"),
    ],
    ids=[
        "macros", "macros-renamed", "macro-sheet", "object", "control", "connection",
        "outside-book", "outside-picture", "embedded", "dde", "web", "entities", "far-cell",
        "broken-sheet", "bomb", "blank", "head", "cut", "zip", "locked", "old",
    ],
)  # fmt: skip
def test_a_workbook_with_more_than_figures_is_refused(irene, nanez, data, words):
    assert words in refusal_of(irene, nanez, data(), "estados.xlsx")
