"""What the pledges hold on a person: its own, what befell them, and what passed to it."""

from collections.abc import Callable
from typing import Any

from django.db.models import Model, QuerySet

from buyers.selectors.dossier import Kind, Person
from office.models import Certificate
from pledges.models import (
    Attachment,
    FundDecision,
    LenderNotice,
    PenaltyPayment,
    PenaltyRefund,
    Pledge,
    Quote,
    ReleaseAnnulment,
    ReleaseLine,
    ReleaseRequest,
    RequestClosing,
    ShareholderRights,
    Transfer,
)


def _of(model: type[Model], holder: str) -> Callable[[Person], QuerySet]:
    """Those of a model whose pledge is the person's; `holder` leads to who holds it."""

    def found(person: Person) -> QuerySet:
        rows = model._default_manager.filter(**{f"{holder}__in": person.buyers})
        owner = holder.removesuffix("holder").removesuffix("__")
        return rows.select_related(owner) if owner else rows

    return found


def _pledge(row: Any) -> str:
    return row.pledge.code


def _request(row: Any) -> str:
    return row.request.code


def _of_request(title: str, model: type[Model], **more: Any) -> Kind:
    """A kind that hangs on a request for release."""
    return Kind(title, model, _of(model, "request__pledge__holder"),
                lead={"solicitud": _request}, **more)  # fmt: skip


def _certificates(person: Person) -> QuerySet[Certificate]:
    found = Certificate.objects.filter(release_line__pledge__holder__in=person.buyers)
    return found.select_related("series", "file")


KINDS = [
    Kind(
        "Prendas",
        Pledge,
        _of(Pledge, "holder"),
        lead={"prenda": lambda pledge: pledge.code},
    ),
    Kind(
        "Medidas sobre prendas",
        Attachment,
        _of(Attachment, "pledge__holder"),
        lead={"prenda": _pledge},
    ),
    Kind(
        "Derechos de accionista",
        ShareholderRights,
        _of(ShareholderRights, "pledge__holder"),
        lead={"prenda": _pledge},
    ),
    Kind(
        "Solicitudes de salida",
        ReleaseRequest,
        _of(ReleaseRequest, "pledge__holder"),
        lead={"solicitud": lambda request: request.code, "prenda": _pledge},
        file=lambda request: request.sale_file,
    ),
    _of_request("Cierres de solicitudes", RequestClosing),
    _of_request("Decisiones del Fondo", FundDecision),
    _of_request("Liquidaciones", Quote),
    _of_request("Pagos de sanciones", PenaltyPayment),
    _of_request("Devoluciones de sanciones", PenaltyRefund),
    _of_request("Avisos al acreedor", LenderNotice),
    Kind(
        "Levantamientos",
        ReleaseLine,
        lambda person: ReleaseLine.objects.filter(pledge__holder__in=person.buyers).select_related(
            "release", "pledge"
        ),
        lead={
            "levantamiento": lambda line: line.release.code,
            "causa": lambda line: line.release.get_ground_display(),
            "fecha": lambda line: line.release.released_on,
            "prenda": _pledge,
        },
    ),
    Kind(
        "Levantamientos anulados",
        ReleaseAnnulment,
        lambda person: ReleaseAnnulment.objects.filter(
            line__pledge__holder__in=person.buyers
        ).select_related("line__release", "line__pledge"),
        lead={
            "levantamiento": lambda act: act.line.release.code,
            "prenda": lambda act: act.line.pledge.code,
        },
    ),
    Kind(
        "Certificados de levantamiento",
        Certificate,
        _certificates,
        lead={"certificado": lambda certificate: certificate.label},
        file=lambda certificate: certificate.file,
    ),
    Kind(
        "Transferencias",
        Transfer,
        _of(Transfer, "pledge__holder"),
        lead={"prenda": _pledge},
    ),
    Kind(
        "Acciones que se le pasaron",
        Transfer,
        lambda person: Transfer.objects.filter(to_buyer__in=person.buyers).select_related(
            "pledge"
        ),
        lead={"prenda": _pledge},
        only=("kind", "transferred_on", "shares", "to_name", "proof"),
        own=False,
    ),
]
