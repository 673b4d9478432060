"""The one list of buyers' kinds, classes, identities, documents and declarations.

Plain StrEnums without Django, so that the rules and the decrees can read them too. The value is
the code that is stored; `label` is what staff read.
"""

from enum import StrEnum


class LabelledEnum(StrEnum):
    """A code with a Spanish label: members are written `NAME = "code", "Etiqueta"`."""

    label: str

    def __new__(cls, code: str, label: str = "") -> "LabelledEnum":
        """Keep the code as the value and the label beside it."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.label = label
        return member

    @classmethod
    def choices(cls) -> list[tuple[str, str]]:
        """Pairs (code, label) in the order of the class, for a form or a column."""
        return [(member.value, member.label) for member in cls]


class BuyerKind(LabelledEnum):
    """Whether the buyer is a person or an organisation: the limits differ."""

    NATURAL = "natural", "Persona natural"
    ORGANISATION = "organisation", "Organización"


class BuyerClass(LabelledEnum):
    """The beneficiaries of the special conditions, as the decrees list them."""

    WORKER = "worker", "Trabajador activo"
    PENSIONER = "pensioner", "Pensionado"
    EMPLOYEE_ASSOCIATION = "employee_association", "Asociación de empleados o exempleados"
    EMPLOYEE_FUND = "employee_fund", "Fondo de empleados"
    MUTUAL_INVESTMENT_FUND = "mutual_investment_fund", "Fondo mutuo de inversión"
    SEVERANCE_FUND = "severance_fund", "Fondo de cesantías"
    PENSION_FUND = "pension_fund", "Fondo de pensiones"
    COOPERATIVE = "cooperative", "Cooperativa"
    TRADE_UNION = "trade_union", "Sindicato de trabajadores"
    UNION_FEDERATION = "union_federation", "Federación de sindicatos"
    UNION_CONFEDERATION = "union_confederation", "Confederación de sindicatos"
    SOLIDARITY_ORGANISATION = "solidarity_organisation", "Otra organización solidaria"

    @property
    def plural(self) -> str:
        """What staff read where it heads a group: "Trabajadores activos"."""
        return _CLASS_PLURALS[self]


_CLASS_PLURALS = {
    BuyerClass.WORKER: "Trabajadores activos",
    BuyerClass.PENSIONER: "Pensionados",
    BuyerClass.EMPLOYEE_ASSOCIATION: "Asociaciones de empleados o exempleados",
    BuyerClass.EMPLOYEE_FUND: "Fondos de empleados",
    BuyerClass.MUTUAL_INVESTMENT_FUND: "Fondos mutuos de inversión",
    BuyerClass.SEVERANCE_FUND: "Fondos de cesantías",
    BuyerClass.PENSION_FUND: "Fondos de pensiones",
    BuyerClass.COOPERATIVE: "Cooperativas",
    BuyerClass.TRADE_UNION: "Sindicatos de trabajadores",
    BuyerClass.UNION_FEDERATION: "Federaciones de sindicatos",
    BuyerClass.UNION_CONFEDERATION: "Confederaciones de sindicatos",
    BuyerClass.SOLIDARITY_ORGANISATION: "Otras organizaciones solidarias",
}

NATURAL_CLASSES = frozenset({BuyerClass.WORKER, BuyerClass.PENSIONER})


def kind_of(buyer_class: BuyerClass) -> BuyerKind:
    """The kind that a class implies: workers and pensioners are persons, the rest are not."""
    return BuyerKind.NATURAL if buyer_class in NATURAL_CLASSES else BuyerKind.ORGANISATION


class IdentityType(LabelledEnum):
    """The types of identity; the same number under another type is another person."""

    CC = "CC", "Cédula de ciudadanía"
    CE = "CE", "Cédula de extranjería"
    PA = "PA", "Pasaporte"
    NIT = "NIT", "NIT"


class DocumentKind(LabelledEnum):
    """What a document proves."""

    TAX_RETURN = "tax_return", "Declaración de renta"
    INCOME_CERTIFICATE = "income_certificate", "Certificado de ingresos y retenciones"
    INCOME_DECLARATION = "income_declaration", "Declaración de ingresos"
    REMUNERATION_CERTIFICATE = "remuneration_certificate", "Certificación de la remuneración anual"
    CERTIFIED_STATEMENTS = "certified_statements", "Estados financieros certificados"
    STATUTORY_LIMIT_PROOF = "statutory_limit_proof", "Prueba del límite legal de la entidad"
    NO_STATUTORY_LIMIT = "no_statutory_limit", "Declaración de que la ley no le fija límite"
    MEMBERS_CERTIFICATE = "members_certificate", "Certificación del número de afiliados"
    EXISTENCE_CERTIFICATE = "existence_certificate", "Existencia y representación legal"
    CLASS_PROOF = "class_proof", "Constancia de la clase"
    SUPERINTENDENCY_AUTHORISATION = (
        "superintendency_authorisation",
        "Autorización de la Superintendencia Bancaria",
    )
    BROKER_ATTESTATION = "broker_attestation", "Certificación del comisionista"
    OTHER = "other", "Otro documento"


class DeclarationKind(LabelledEnum):
    """What a buyer commits itself to, or states, with its acceptance."""

    NO_TRANSFER = "no_transfer", "No negociar ni transferir las acciones durante el plazo"
    NO_BENEFICIAL_OWNER = (
        "no_beneficial_owner",
        "No hacer a otra persona beneficiaria real de las acciones",
    )
    NO_GIVING_IN_PAYMENT = "no_giving_in_payment", "No dar en pago las acciones"
    NO_SUBROGATION = "no_subrogation", "No subrogar el crédito de compra"
    TERMS_OF_OFFER = "terms_of_offer", "Aceptar las condiciones de la oferta pública"
    CONTINGENCY_COVER = "contingency_cover", "Aceptar la cobertura de contingencias"
    NOT_DISQUALIFIED = "not_disqualified", "No estar inhabilitado para comprar"
