"""The acceptance form: its shape follows the decree, its meaning is the services'."""

import uuid
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms import BoundField

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from buyers.models import Broker, Buyer, Exchange
from offerings.forms.beneficial_owners import BeneficialOwnerForm
from offerings.forms.intermediaries import fit_authorisation, fit_intermediaries, keeper_fault
from offerings.forms.papers import FIGURE_LABELS, PaperGroup, paper_terms
from offerings.models import Stage
from offerings.rules.intermediaries import intermediaries_required
from offerings.rules.terms import DocumentTerm, Terms
from offerings.services.acceptances import AcceptanceGiven
from offerings.services.participations import PaperGiven, PartGiven
from office.dates import bogota_moment
from office.forms import (
    AmountField,
    CleanTextField,
    DateTextField,
    QuantityField,
    TimeTextField,
    YearField,
)
from office.words import amount_words, shares_words

YES_NO = [("si", "Sí"), ("no", "No")]


class AcceptanceForm(BeneficialOwnerForm):
    """What a paper acceptance says. Which documents it asks for comes from the decree."""

    buyer = CleanTextField(
        label="Comprador",
        help_text="Nombre o documento de una persona ya registrada.",
        max_length=250,
        error_messages={"required": "Escriba el nombre o el documento del comprador."},
    )
    buyer_class = forms.ChoiceField(
        label="Clase que demuestra", error_messages={"required": "Elija la clase."}
    )
    files_tax_return = forms.ChoiceField(
        label="Obligada a declarar renta",
        choices=YES_NO,
        widget=forms.RadioSelect,
        required=False,
    )
    is_executive = forms.BooleanField(label="Ocupa un cargo de nivel directivo", required=False)
    last_year_filed = YearField(
        label="Último año que ya declaró (opcional)",
        help_text="Si no es el de la declaración que trae.",
        required=False,
    )
    present_holding = QuantityField(
        label="Acciones que ya tiene (opcional)",
        required=False,
    )
    held_through_others = QuantityField(
        label="Acciones por interpuesta persona (opcional)", required=False
    )
    authorisation_reference = CleanTextField(
        label="Autorización de la Superintendencia (opcional)",
        max_length=80,
        required=False,
    )
    requested = QuantityField(label="Cantidad solicitada", min_value=1)
    minimum = QuantityField(label="Mínimo admisible (opcional)", required=False)
    received_on = DateTextField(
        label="Fecha y hora de recibo", help_text="dd/mm/aaaa, hora de Bogotá."
    )
    received_time = TimeTextField(label="Hora de recibo")
    broker = forms.ModelChoiceField(
        label="Comisionista",
        queryset=Broker.objects.filter(is_active=True),
        empty_label="Elija…",
        error_messages={"required": "Elija el comisionista."},
    )
    exchange = forms.ModelChoiceField(
        label="Bolsa",
        queryset=Exchange.objects.filter(is_active=True),
        empty_label="Elija…",
        error_messages={"required": "Elija la bolsa."},
    )
    papers_reference = CleanTextField(
        label="Dónde reposan los papeles (opcional)",
        help_text="Carpeta o caja, con las palabras de quien los conserva.",
        max_length=80,
        required=False,
    )
    attested_on = DateTextField(
        label="Certificación del comisionista (opcional)",
        help_text="Fecha en que certificó que verificó los límites.",
        required=False,
    )
    valid_days = QuantityField(
        label="Vigencia de la aceptación (opcional)",
        required=False,
        min_value=1,
        max_value=9999,
        feminine=False,
    )
    filled_for = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    submission_key = forms.UUIDField(widget=forms.HiddenInput, required=False)
    draft_seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)

    def __init__(
        self,
        *args: Any,
        stage: Stage,
        terms: Terms,
        brokers: QuerySet[Broker] | None = None,
        **options: Any,
    ):
        """`brokers`: the only one through which whoever types presents; None = any."""
        self.stage, self.terms = stage, terms
        self.intermediaries = intermediaries_required(terms)
        initial = {"submission_key": uuid.uuid4()} | (options.pop("initial", None) or {})
        super().__init__(*args, initial=initial, **options)
        fit_authorisation(self, terms)
        fit_intermediaries(self, self.intermediaries)
        self.fixed_broker = None if brokers is None else brokers.first()
        if brokers is not None:
            self._fix_broker(brokers)
        codes = [code for group in terms.classes.groups for code in group.codes]
        self.fields["buyer_class"].choices = [
            ("", "Elija…"),
            *((code.value, BuyerClass(code).label) for code in codes),
        ]
        for name in ("requested", "minimum", "present_holding", "held_through_others"):
            self.fields[name].unit_after = "acciones"
        self.fields["requested"].words = shares_words
        self.fields[
            "minimum"
        ].foot = f"En blanco: acepta cualquier reducción ({_consent_cite(terms)})."
        self.fields["valid_days"].unit_after = "días"
        self._add_papers()
        self._add_declarations()
        self._drop_unasked()

    def _fix_broker(self, brokers: QuerySet[Broker]) -> None:
        field = self.fields["broker"]
        field.queryset, field.widget, field.required = brokers, forms.HiddenInput(), True
        field.error_messages["invalid_choice"] = (
            "Usted presenta solo por su sociedad comisionista."
        )
        self.fixed_broker_hint = (
            field.help_text if self.intermediaries.value else "Usted presenta por ella."
        )
        self.initial["broker"] = self.fixed_broker and self.fixed_broker.pk

    def _add_papers(self) -> None:
        for index, term in enumerate(self._paper_terms):
            name = f"paper{index}"
            if len(term.kinds) > 1:
                self.fields[f"{name}_kind"] = forms.ChoiceField(
                    label="Documento",
                    choices=[(kind.value, kind.label) for kind in term.kinds],
                    required=False,
                )
            if term.years or term.year_before_stage or term.figures:
                self.fields[f"{name}_year"] = YearField(label="Año gravable", required=False)
            for base in term.figures:
                field = AmountField(label=FIGURE_LABELS[base], required=False)
                field.unit_before, field.words = "$", amount_words
                self.fields[f"{name}_{base.value}"] = field
            if term.members:
                self.fields[f"{name}_members"] = QuantityField(
                    label="Número de afiliados", required=False, feminine=False
                )
            if DocumentKind.NO_STATUTORY_LIMIT in term.kinds:
                self.fields[f"{name}_norm"] = CleanTextField(
                    label="Norma que no le fija límite",
                    help_text="En lugar del límite, con su artículo.",
                    max_length=200,
                    required=False,
                )
            self.fields[f"{name}_reference"] = CleanTextField(
                label="Referencia en la bolsa", max_length=80, required=False
            )

    def _add_declarations(self) -> None:
        for declaration in self.terms.documents.declarations:
            if declaration.express:
                self.fields[f"declares_{declaration.kind.value}"] = forms.BooleanField(
                    label=f"Declara: {_lower_first(declaration.kind.label)} ({declaration.cite}).",
                    required=False,
                )

    def _drop_unasked(self) -> None:
        """Leave out what this decree never looks at."""
        limbs, asked = self.terms.limits.limbs, self.terms.documents.required
        if not any(term.executive for term in (*limbs, *asked)):
            del self.fields["is_executive"]
        if not any(limb.less_held_through_others for limb in limbs):
            del self.fields["held_through_others"]
        if not any(term.years for term in asked):
            del self.fields["last_year_filed"]
        if self.terms.minimum_validity_days is None:
            del self.fields["valid_days"]

    @property
    def _paper_terms(self) -> list[DocumentTerm]:
        return paper_terms(self.terms)

    def paper_groups(self, kind: BuyerKind | None, files: bool | None) -> Iterator[PaperGroup]:
        """The documents asked of such a buyer; all of them while it is not known."""
        for index, term in enumerate(self._paper_terms):
            if term.kind is not None and kind is not None and term.kind != kind:
                continue
            if None not in (term.files_tax_return, files) and term.files_tax_return != files:
                continue
            name = f"paper{index}"
            yield PaperGroup(
                term=term,
                kind=self._bound(f"{name}_kind"),
                year=self._bound(f"{name}_year"),
                figures=tuple(self[f"{name}_{base.value}"] for base in term.figures),
                members=self._bound(f"{name}_members"),
                norm=self._bound(f"{name}_norm"),
                reference=self[f"{name}_reference"],
            )

    def declaration_fields(self) -> list[BoundField]:
        """The express declarations, each a box to tick."""
        return [self[name] for name in self.fields if name.startswith("declares_")]

    def _bound(self, name: str) -> BoundField | None:
        return self[name] if name in self.fields else None

    def clean(self) -> dict[str, Any]:
        """Refuse a minimum above the quantity."""
        data = super().clean() or {}
        requested, minimum = data.get("requested"), data.get("minimum")
        if requested is not None and minimum is not None and minimum > requested:
            self.add_error(
                "minimum",
                f"{self['minimum'].value()} es mayor que la cantidad solicitada.",
            )
        keeper_missing = keeper_fault(data)
        if keeper_missing:
            self.add_error("exchange", keeper_missing)
        return data

    def files_return(self) -> bool | None:
        """Whether it says that it files a return; None where it does not say."""
        raw = (
            self.data.get("files_tax_return")
            if self.is_bound
            else self["files_tax_return"].value()
        )
        return {"si": True, "no": False}.get(raw or "")

    def part(self) -> PartGiven:
        """The buyer's part as the form says it."""
        data = self.cleaned_data
        return PartGiven(
            buyer_class=BuyerClass(data["buyer_class"]),
            is_executive=bool(data.get("is_executive")),
            files_tax_return=self.files_return(),
            last_year_filed=data.get("last_year_filed"),
            present_holding=data.get("present_holding") or 0,
            held_through_others=data.get("held_through_others") or 0,
        )

    def papers(self, buyer: Buyer) -> list[PaperGiven]:
        """The documents whose reference was typed, of those that concern the buyer."""
        data = self.cleaned_data
        exchange = data.get("exchange")
        if exchange is None:
            return []
        found = [
            self._paper(index, term, exchange)
            for index, term in enumerate(self._paper_terms)
            if data.get(f"paper{index}_reference")
            and (term.kind is None or term.kind == buyer.kind)
            and term.files_tax_return in (None, self.files_return())
        ]
        if data.get("authorisation_reference"):
            found.append(
                PaperGiven(
                    DocumentKind.SUPERINTENDENCY_AUTHORISATION,
                    exchange,
                    data["authorisation_reference"],
                )
            )
        return found

    def _paper(self, index: int, term: DocumentTerm, exchange: Exchange) -> PaperGiven:
        name, data = f"paper{index}", self.cleaned_data
        kind = DocumentKind(data.get(f"{name}_kind") or term.kinds[0])
        figures = {base: data.get(f"{name}_{base.value}") for base in term.figures}
        return PaperGiven(
            kind=kind,
            exchange=exchange,
            exchange_reference=data[f"{name}_reference"],
            year=data.get(f"{name}_year"),
            label=term.label if kind == DocumentKind.OTHER else "",
            figures={base: amount for base, amount in figures.items() if amount is not None},
            members=data.get(f"{name}_members"),
            norm=data.get(f"{name}_norm") or "",
        )

    def given(self) -> AcceptanceGiven:
        """The acceptance itself as the form says it."""
        data = self.cleaned_data
        return AcceptanceGiven(
            requested=data["requested"],
            minimum=data["minimum"],
            received_at=self.received_at(),
            broker=data["broker"],
            exchange=data["exchange"],
            attested_on=data["attested_on"],
            declarations=self.declarations(),
            valid_days=data.get("valid_days"),
            beneficial_owner=data["beneficial_owner"],
            beneficial_owner_identity=self.owner_identity,
            papers_reference=data["papers_reference"],
        )

    def received_at(self) -> datetime | None:
        """The legal date and time; None while they cannot be read."""
        day, clock = self.cleaned_data.get("received_on"), self.cleaned_data.get("received_time")
        return bogota_moment(day, clock) if day and clock else None

    def declarations(self) -> list[DeclarationKind]:
        """The express declarations that were ticked."""
        return [
            DeclarationKind(name.removeprefix("declares_"))
            for name in self.fields
            if name.startswith("declares_") and self.cleaned_data.get(name)
        ]


def _consent_cite(terms: Terms) -> str:
    return terms.adjudication.consent_cite if terms.adjudication else "regla de adjudicación"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
