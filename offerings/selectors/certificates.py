"""Allotment certificates, and who may see them."""

from django.db.models import Q, QuerySet

from offerings.models import Award
from office.models import Certificate, CertificateState, User
from office.text import fold

PENDING, ISSUED = "por-generar", "vigentes"
VIEWS = {
    PENDING: Q(state=CertificateState.PENDING),
    ISSUED: Q(state=CertificateState.ISSUED),
}


def certificates_visible(user: User) -> QuerySet[Certificate]:
    """The allotment certificates of the awards that `user` may see, newest first."""
    return (
        Certificate.objects.filter(award__in=Award.objects.visible_to(user))
        .select_related(
            "series",
            "file",
            "issued_by",
            "award__adjudication",
            "award__acceptance__stage__programme",
            "award__acceptance__participation__buyer",
            "award__acceptance__broker",
        )
        .order_by("-series__year", "-number")
    )


def certificates_found(
    certificates: QuerySet[Certificate], *, programme: str = "", text: str = ""
) -> QuerySet[Certificate]:
    """Of `certificates`, those of a programme whose number, code or holder answers to `text`."""
    if programme:
        certificates = certificates.filter(award__acceptance__stage__programme__slug=programme)
    wanted = fold(text)
    if not wanted:
        return certificates
    found = Q(award__acceptance__participation__buyer__name_folded__contains=wanted)
    found |= Q(code=text.replace(" ", "").upper())
    number = "".join(sign for sign in text if sign.isdigit())
    if number:
        found |= Q(award__acceptance__participation__buyer__identity_number=number)
    last = wanted.rpartition("-")[2]
    if last.isdecimal() and len(last) < 10:
        found |= Q(number=int(last))
    return certificates.filter(found)


def certificates_pending(programme_id: int) -> list[int]:
    """The ids of a programme's allotment certificates that wait for their PDF, oldest first."""
    return list(
        Certificate.objects.filter(
            award__acceptance__stage__programme=programme_id, state=CertificateState.PENDING
        )
        .order_by("pk")
        .values_list("pk", flat=True)
    )
