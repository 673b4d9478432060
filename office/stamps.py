"""A copy of an annulled PDF that says so on each page; the stored bytes stay as they are."""

from io import BytesIO
from typing import TYPE_CHECKING

from django.template.loader import render_to_string

from office.dates import write_date_long
from office.files import file_read
from office.models import Certificate
from office.pdf import render_pdf

if TYPE_CHECKING:
    from pikepdf import Pdf

TEMPLATE, STYLESHEET = "certificates/annulled.html", "annulled.css"


def annulled_copy(certificate: Certificate, *, replaced_by: str = "") -> bytes:
    """Return an annulled certificate's PDF with the stamp over each page. `replaced_by`: the
    number of the one in its place. Raises PdfError.
    """
    import pikepdf  # here, as in office.pdf

    stamp = render_pdf(_page(certificate, replaced_by), stylesheet=STYLESHEET, one_page=False)
    copy = BytesIO()
    with (
        pikepdf.open(BytesIO(file_read(certificate.file))) as document,
        pikepdf.open(BytesIO(stamp)) as over,
    ):
        for page in document.pages:
            page.add_overlay(over.pages[0])
        _claim_no_archive(document)
        document.save(copy)
    return copy.getvalue()


def _page(certificate: Certificate, replaced_by: str) -> str:
    instead = f"En su lugar se expidió {replaced_by}." if replaced_by else ""
    return render_to_string(
        TEMPLATE,
        {
            "certificate": certificate,
            "day": write_date_long(certificate.annulled_on),
            "instead": instead,
        },
    )


def _claim_no_archive(document: "Pdf") -> None:
    """The copy is no PDF/A any more: the stamp has no place in the document's structure."""
    with document.open_metadata(set_pikepdf_as_editor=False) as metadata:
        for name in ("pdfaid:part", "pdfaid:conformance"):
            if name in metadata:
                del metadata[name]
