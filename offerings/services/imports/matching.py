"""Each row against what is known and against the other rows: a known identity is attached, a new
one is made once, data that differ from the register are noted for somebody to decide, and two
rows that contradict each other are a fault."""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, kind_of
from buyers.models import Broker, Buyer, Exchange
from buyers.services import buyer_draft
from offerings.models import Acceptance, AcceptanceImport, Participation
from offerings.rules.intermediaries import intermediaries_required
from offerings.services.acceptances import AcceptanceGiven, acceptance_faults, acceptance_new
from offerings.services.beneficial_owners import beneficial_owner_faults
from offerings.services.imports.columns import BY_NAME
from offerings.services.imports.known import BuyerCase, Known, key_of
from offerings.services.imports.papers import on_file_match, papers_match
from offerings.services.imports.reading import RowGiven, owner_identity, representative_identity
from offerings.services.participations import class_check, false_class_refused
from office.identities import Identity
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.text import fold, quoted

PART_COLUMNS = {
    "buyer_class": "clase",
    "is_executive": "directivo",
    "files_tax_return": "declara_renta",
    "last_year_filed": "ultimo_anio_declarado",
    "present_holding": "acciones_actuales",
    "held_through_others": "acciones_por_otros",
}
REPRESENTATIVE_COLUMNS = ("representante", "representante_tipo", "representante_documento")
OWNER_COLUMNS = ("beneficiario_real", "beneficiario_tipo", "beneficiario_documento")
FIELD_COLUMNS = {
    "identity_type": "tipo_documento",
    "identity_number": "numero_documento",
    "name": "nombre",
    "representative_name": "representante",
    "representative_identity_type": "representante_tipo",
    "representative_identity_number": "representante_documento",
    "received_at": "recibida",
    "minimum": "minimo",
    "attested_on": "certificado_el",
    "valid_days": "vigencia_dias",
    "broker": "comisionista",
    "exchange": "bolsa",
    **PART_COLUMNS,
}
NOTHING = "sin dato"
_NAMESPACE = uuid.UUID("5f0c3a54-6b0e-4f0c-9a57-3d1b6f7e2c11")


@dataclass
class Match:
    """The rows of a file being matched; what comes out of it lies in `known.cases`."""

    known: Known
    source: AcceptanceImport
    user: User
    acceptances: list[Acceptance] = field(default_factory=list)


def rows_match(match: Match, rows: Iterable[RowGiven]) -> None:
    """Match each row in the file's order, and note its faults in it."""
    for row in rows:
        _row_match(match, row)


def _row_match(match: Match, row: RowGiven) -> None:
    """A row whose buyer or places cannot be told is matched too, with rows that are never saved,
    so that its other faults come out at once."""
    row.warnings.clear()
    broker, exchange = _broker(match.known, row), _exchange(match.known, row)
    if _is_registered(match.known, row, broker, exchange):
        return
    representative = _representative(row)
    case = _case(match, row, representative)
    if row.values["clase"] is not None:
        _part_match(match.known, row, case)
        papers_match(row, case, exchange or Exchange(), match.known.terms, match.user)
        on_file_match(case, match.known.terms)
    _name_match(row, case)
    _representative_match(row, case, representative)
    owner = _owner(row, case)
    if row.identity is not None and case.is_known and not row.differences:
        row.warn("numero_documento", "Este comprador ya consta con los mismos datos.")
    acceptance = _acceptance(match, row, case, broker, exchange, owner)
    if acceptance is not None and not row.faults:
        _warn_repeated(match, row, case, acceptance)
        case.new.append(acceptance)
        match.acceptances.append(acceptance)


def _is_registered(
    known: Known, row: RowGiven, broker: Broker | None, exchange: Exchange | None
) -> bool:
    """Whether another file, or this one before, has made the acceptance of this row: the same
    buyer, quantity, moment, broker and exchange. Each of those answers for one row."""
    row.registered = ""
    case = known.cases.get(key_of(row.identity)) if row.identity else None
    if case is None or row.faults:
        return False
    same = _same(
        row.values["cantidad"],
        row.values["recibida"],
        broker and broker.pk,
        exchange and exchange.pk,
    )
    found = case.claim(lambda one: one.source_import_id is not None and same(one))
    if found is not None:
        row.registered = found.code
        row.warn("numero_documento", f"Ya registrada como {found.code}: no se repite.")
    return found is not None


def _same(
    requested: int, received_at: datetime, broker: int | None, exchange: int | None
) -> Callable[[Acceptance], bool]:
    asked = (requested, received_at, broker, exchange)
    return lambda one: asked == (
        one.requested, one.received_at, one.broker_id, one.exchange_id,
    )  # fmt: skip


def _warn_repeated(match: Match, row: RowGiven, case: BuyerCase, acceptance: Acceptance) -> None:
    same = _same(
        acceptance.requested,
        acceptance.received_at,
        acceptance.broker_id,
        acceptance.exchange_id,
    )
    twin = next((one for one in case.new if same(one)), None)
    if twin is not None:
        row.warn("cantidad", f"Dice lo mismo que la fila {twin.source_row}: serán dos.")
    by_hand = next((one for one in case.presented if one.source_row is None and same(one)), None)
    if by_hand is not None:
        row.warn("cantidad", f"{by_hand.code}, registrada a mano, dice lo mismo: serán dos.")


def _case(match: Match, row: RowGiven, representative: Identity | None) -> BuyerCase:
    """The buyer that the row is of: known, brought by a row before, or new with this one."""
    known = match.known.cases.get(key_of(row.identity)) if row.identity else None
    return known or _new_case(match, row, representative)


def _broker(known: Known, row: RowGiven) -> Broker | None:
    nit = row.values["comisionista"]
    broker = known.brokers.get(nit) if nit else None
    if nit and broker is None:
        row.fault(
            "comisionista",
            f"No consta una sociedad comisionista con NIT {nit}. Revise el número, o pida al "
            "administrador que la registre.",
        )
    if not nit:
        _fault_if_required(known, row, "comisionista")
    return _active(row, "comisionista", broker)


def _exchange(known: Known, row: RowGiven) -> Exchange | None:
    name = row.values["bolsa"]
    exchange = known.exchanges.get(fold(name)) if name else None
    if name and exchange is None:
        names = ", ".join(str(one) for one in known.exchanges.values() if one.is_active)
        row.fault("bolsa", f"{quoted(name)} no consta. Escriba una de estas: {names}.")
    if not name:
        _fault_if_required(known, row, "bolsa")
    return _active(row, "bolsa", exchange)


def _fault_if_required(known: Known, row: RowGiven, column: str) -> None:
    """A blank place is a fault where the decree asks for it."""
    ruling = intermediaries_required(known.terms)
    if ruling.value:
        cites = "".join(f" ({cite})" for cite in ruling.cites)
        row.fault(column, f"Falta este dato{cites}. {BY_NAME[column].holds}")


def _active(row: RowGiven, column: str, place: Any) -> Any:
    if place is None or place.is_active:
        return place
    row.fault(column, f"{place} ya no está activa. Escriba la que presentó la aceptación.")
    return None


def _representative(row: RowGiven) -> Identity | None:
    """The representative's identity; its three columns go together, for organisations alone."""
    given = [name for name in REPRESENTATIVE_COLUMNS if row.values[name] is not None]
    buyer_class = row.values["clase"]
    if given and buyer_class and kind_of(buyer_class) == BuyerKind.NATURAL:
        row.fault(given[0], "Solo las organizaciones llevan representante. Déjelo vacío.")
    elif given:
        for name in REPRESENTATIVE_COLUMNS:
            if row.values[name] is None:
                row.fault(name, "Falta: el representante lleva nombre, tipo y número.")
    return representative_identity(row)


def _new_case(match: Match, row: RowGiven, representative: Identity | None) -> BuyerCase:
    """A buyer that nobody knew; where it cannot be made, one that no other row will find."""
    programme = match.known.stage.programme
    buyer_class, identity = row.values["clase"], row.identity
    if identity is not None and buyer_class is not None and row.values["nombre"] is not None:
        try:
            buyer = _buyer(match, row, identity, representative)
        except Refused as refusal:
            row.fault(FIELD_COLUMNS.get(refusal.field, ""), refusal.message)
        else:
            case = BuyerCase(buyer, Participation(programme=programme, buyer=buyer))
            match.known.cases[key_of(identity)] = case
            return case
    nobody = Buyer(kind=kind_of(buyer_class) if buyer_class else "")
    return BuyerCase(nobody, Participation(programme=programme, buyer=nobody))


def _buyer(match: Match, row: RowGiven, identity: Identity, other: Identity | None) -> Buyer:
    """A buyer with its representative, whose identity is `other`; raises Refused."""
    digit = f"-{identity.check_digit}" if identity.check_digit else ""
    kind = kind_of(row.values["clase"])
    if kind == BuyerKind.NATURAL:  # its fault was told: only organisations have one
        name, other = "", None
    else:
        name = row.values["representante"] or ""
    return buyer_draft(
        user=match.user,
        kind=kind,
        identity_type=identity.type,
        identity_number=f"{identity.number}{digit}",
        name=row.values["nombre"],
        representative_name=name,
        representative_identity_type=other.type if other else "",
        representative_identity_number=other.number if other else "",
    )


def _says_again(row: RowGiven, case: BuyerCase, column: str, value: Any) -> bool:
    """Whether the file has said this of the buyer before; a difference is noted."""
    if column not in case.said:
        case.said[column] = (value, row.number)
        return False
    before, where = case.said[column]
    if before != value:
        row.fault(
            column,
            f"La fila {where} dice otra cosa de este comprador. Escriba lo mismo en las dos.",
        )
    return True


def _name_match(row: RowGiven, case: BuyerCase) -> None:
    name = row.values["nombre"]
    if name is None:
        return
    if not case.is_known:
        _says_again(row, case, "nombre", fold(name))
    elif fold(name) != case.buyer.name_folded:
        row.differ("nombre", case.buyer.name)
        row.values["nombre"] = case.buyer.name


def _representative_match(row: RowGiven, case: BuyerCase, identity: Identity | None) -> None:
    name = row.values["representante"]
    if name is None or identity is None:
        return
    given = {"representante": fold(name), "representante_documento": tuple(key_of(identity))}
    if not case.is_known:
        for column, value in given.items():
            _says_again(row, case, column, value)
        return
    known = _representative_known(case.buyer)
    said = {
        "representante": case.buyer.representative_name or NOTHING,
        "representante_documento": case.buyer.representative_identity or NOTHING,
    }
    for column, value in given.items():
        if value != known[column]:
            row.differ(column, said[column])


def _representative_known(buyer: Buyer) -> dict[str, Any]:
    return {
        "representante": fold(buyer.representative_name),
        "representante_documento": (
            buyer.representative_identity_type,
            buyer.representative_identity_number,
        ),
    }


def _part_match(known: Known, row: RowGiven, case: BuyerCase) -> None:
    """The buyer's part: a blank says nothing, and what the register says is kept."""
    for name, column in PART_COLUMNS.items():
        value = row.values[column]
        if value is None:
            continue
        if column not in case.said and case.part_known(name):
            _part_differ(row, case.participation, name)
        elif not _says_again(row, case, column, value):
            setattr(case.participation, name, value)
            case.part_completed = True
    if case.finding is not None:
        row.fault("clase", false_class_refused(case.finding).message)
    try:
        class_check(case.buyer, row.values["clase"], known.terms)
    except Refused as refusal:
        row.fault("clase", refusal.message)


def _part_differ(row: RowGiven, part: Participation, name: str) -> None:
    column = PART_COLUMNS[name]
    known = getattr(part, name)
    if known == row.values[column]:
        return
    row.differ(column, _part_words(name, known))
    row.values[column] = BuyerClass(known) if name == "buyer_class" else known


def _part_words(name: str, value: Any) -> str:
    if name == "buyer_class":
        return BuyerClass(value).label
    if isinstance(value, bool):
        return "sí" if value else "no"
    return str(value) if name == "last_year_filed" else write_quantity(value)


def _acceptance(
    match: Match,
    row: RowGiven,
    case: BuyerCase,
    broker: Broker | None,
    exchange: Exchange | None,
    owner: Identity | None,
) -> Acceptance | None:
    """The acceptance of the row, with the next number of the stage; None where it has none."""
    values = row.values
    if not values["cantidad"] or values["recibida"] is None:
        return None
    given = AcceptanceGiven(
        requested=values["cantidad"],
        received_at=values["recibida"],
        broker=broker,
        exchange=exchange,
        minimum=values["minimo"],
        attested_on=values["certificado_el"],
        declarations=_declarations(row),
        valid_days=values["vigencia_dias"],
        beneficial_owner=values["beneficiario_real"] or "",
        beneficial_owner_identity=owner,
        papers_reference=values["papeles"] or "",
    )
    known = match.known
    acceptance = acceptance_new(
        stage=known.stage,
        participation=case.participation,
        given=given,
        user=match.user,
        key=uuid.uuid5(_NAMESPACE, f"{match.source.pk}:{row.number}"),
    )
    acceptance.source_import, acceptance.source_row = match.source, row.number
    for fault in acceptance_faults(acceptance, known.stage, known.terms, known.repealed):
        row.fault(FIELD_COLUMNS.get(fault.field, ""), fault.message)
    return acceptance


def _owner(row: RowGiven, case: BuyerCase) -> Identity | None:
    """The beneficial owner's identity; its three columns go together."""
    given = [name for name in OWNER_COLUMNS if row.values[name] is not None]
    if given and len(given) < len(OWNER_COLUMNS):
        for name in OWNER_COLUMNS:
            if row.values[name] is None:
                row.fault(name, "Falta: el beneficiario real lleva nombre, tipo y número.")
        return None
    identity = owner_identity(row)
    name = row.values["beneficiario_real"] or ""
    for fault in beneficial_owner_faults(case.buyer, name, identity):
        row.fault("beneficiario_documento", fault.message)
    return identity


def _declarations(row: RowGiven) -> frozenset[DeclarationKind]:
    others = row.values["otras_declaraciones"] or frozenset()
    if row.values["no_inhabilitado"]:
        return others | {DeclarationKind.NOT_DISQUALIFIED}
    return others
