"""The list of buyers and its export."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from buyers import selectors
from buyers.enums import BuyerKind, IdentityType
from buyers.models import Buyer
from office.access import may
from office.exports import list_export
from office.identities import write_number
from office.list_pages import list_context
from office.lists import Column, Filter, Listing, Narrowed, choice_filter, shows
from office.models import User
from office.roles import Capability


def _acting(name: str):
    """What is known of who acts for it; empty where that is not for whoever asks."""
    return lambda buyer: getattr(buyer, name) if buyer.shows_acting else ""


def _identity(buyer: Buyer) -> str:
    return write_number(buyer.identity_type, buyer.identity_number, buyer.check_digit)


def _by_text(rows, value: str, user: User) -> Narrowed:
    return selectors.buyers_matching(rows, value, user), f"«{value}»"


BUYERS = Listing(
    page="buyers",
    title="Compradores",
    noun=("comprador", "compradores"),
    every="Todos",
    columns=(
        Column("Quién compra", Buyer.get_kind_display),
        Column("Tipo de documento", lambda buyer: buyer.identity_type),
        Column("Número", _identity),
        Column("Nombre o razón social", lambda buyer: buyer.name),
        Column("Representante", _acting("representative_name")),
        Column("Tipo de documento del representante", _acting("representative_identity_type")),
        Column("Número del representante", _acting("representative_identity_number")),
        Column("Apoderado", _acting("attorney_name")),
        Column("Tipo de documento del apoderado", _acting("attorney_identity_type")),
        Column("Número del apoderado", _acting("attorney_identity_number")),
        Column("Registrado", lambda buyer: buyer.since),
    ),
    filters=(
        Filter("q", "Nombre o documento", _by_text, typed=True),
        choice_filter("quien", "Quién compra", "kind", BuyerKind.choices()),
        choice_filter("documento", "Tipo de documento", "identity_type", IdentityType.choices()),
    ),
    orders={"nombre": ("name_folded",), "registrado": ("since",)},
)


@require_GET
@may(Capability.OWN)
@shows(BUYERS)
def buyer_list(request: HttpRequest) -> HttpResponse:
    """Buyers found by name or identity, narrowed by the filters in the address."""
    context = list_context(request, BUYERS, selectors.buyers_listed(request.user))
    return render(request, "buyers/list.html", context)


@require_GET
@may(Capability.OWN)
def buyers_export(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The list as it is filtered, as a file."""
    return list_export(request, BUYERS, selectors.buyers_listed(request.user), kind)
