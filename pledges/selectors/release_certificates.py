"""The certificates of what was released: what lacks one, what waits for its PDF, and where one is
annulled."""

from datetime import date, datetime

from django.db.models import Q, QuerySet
from django.urls import reverse

from office.annulments import Elsewhere
from office.models import Certificate, CertificateState
from pledges.enums import LineState
from pledges.models import Pledge, ReleaseLine
from pledges.selectors.pledges import pledges_answering
from pledges.selectors.releases import annulment_waiting

RELEASE_KIND = "CL"
KIND_LABEL = "Certificados de levantamiento de prenda"
TEMPLATE = "certificates/release.html"
FACTS_PAGE = "pledges/releases/certificate_facts.html"


def lines_uncertified(programme_id: int, *, by: date) -> QuerySet[ReleaseLine]:
    """What a programme's releases have freed by a day and nobody has certified, oldest first."""
    return ReleaseLine.objects.filter(
        state=LineState.DONE,
        certificate=None,
        release__programme_id=programme_id,
        release__released_on__lte=by,
    ).order_by("pk")


def release_certificates_issued(programme_id: int, release_id: int | None, since: datetime) -> int:
    """How many were issued from a moment on, those annulled afterwards too."""
    issued = Certificate.objects.filter(
        issued_at__gte=since, release_line__release__programme_id=programme_id
    )
    if release_id:
        issued = issued.filter(release_line__release_id=release_id)
    return issued.count()


def release_certificates_pending(programme_id: int, release_id: int | None) -> list[int]:
    """The ids of the certificates of release that wait for their PDF, oldest first."""
    pending = Certificate.objects.filter(
        state=CertificateState.PENDING, release_line__release__programme_id=programme_id
    )
    if release_id:
        pending = pending.filter(release_line__release_id=release_id)
    return list(pending.order_by("pk").values_list("pk", flat=True))


def release_answers(text: str) -> Q:
    """A certificate of release answers to its pledge and to whose it is now, an heir too."""
    lines = ReleaseLine.objects.filter(
        certificate__isnull=False,
        pledge__in=pledges_answering(Pledge.objects.all(), text).order_by().values("pk"),
    )
    return Q(pk__in=lines.order_by().values("certificate"))


def annulled_with_release(certificate: Certificate) -> Elsewhere | None:
    """A certificate of release is annulled with the release that it tells of, which pledges the
    shares again; never alone."""
    line = ReleaseLine.objects.select_related("release").filter(certificate=certificate).first()
    if line is None:
        return None
    waiting = annulment_waiting(line)
    if waiting:
        return Elsewhere(
            sentence=f"{certificate.label} se anula con el levantamiento {line.release.code}, "
            "cuya anulación ya espera revisión.",
            url=reverse("release_annulment", args=[waiting.pk]),
            waiting=True,
        )
    return Elsewhere(
        sentence=f"{certificate.label} es del levantamiento {line.release.code}: no se anula "
        "solo. Anule ese levantamiento, y el certificado se anula con él.",
        url=reverse("release_annul", args=[line.pk]),
    )
