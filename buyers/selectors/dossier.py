"""All that is held on one person or organisation: a sheet for each kind of record, what happened
to each of them, and the stored files."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

import pghistory.core
from django.db import models
from django.db.models import Q, QuerySet

from buyers.models import Broker, Buyer, Document, Exchange, Presentation
from office.decisions import subject_kind
from office.models import Decision, StoredFile, User
from office.xlsx import Table, Value

DOSSIER_ACT = "buyer_dossier"
CHANGE_WORDS = {"insert": "Se creó", "update": "Cambió", "delete": "Se borró"}
# Columns whose model gives them no Spanish name of their own.
LABELS = {
    "registered_by": "registró",
    "registered_at": "registrado el",
    "recorded_by": "registró",
    "recorded_at": "registrado el",
    "lifted_by": "la levantó",
    "prepared_by": "preparó",
    "prepared_at": "preparado el",
    "accepted_by": "fijó",
    "opened_by": "constituyó",
    "ended_by": "terminó",
    "inherited_from": "viene de la prenda n.º",
    "heir_pledge": "prenda del heredero n.º",
    "presented_at": "presentado el",
    "evaluated_at": "calculado el",
    "terms_sha256": "SHA-256 de las condiciones",
    "template": "plantilla",
}
TECHNICAL = {"name_folded", "submission_key"}
# What a column that leads to one of these says by its name; the others say its number.
NAMED = (User, Broker, Exchange, StoredFile)


@dataclass(frozen=True)
class Person:
    """One person or organisation: the record that is kept and those that were merged into it."""

    buyers: tuple[Buyer, ...]

    @property
    def identities(self) -> list[tuple[str, str]]:
        """Under which types and numbers it is registered."""
        return [(one.identity_type, one.identity_number) for one in self.buyers]

    def identified(self, prefix: str) -> Q:
        """That the identity in the columns that begin with `prefix` is one of its own."""
        return reduce(
            or_,
            (
                Q(**{f"{prefix}identity_type": kind, f"{prefix}identity_number": number})
                for kind, number in self.identities
            ),
        )


@dataclass(frozen=True)
class Kind:
    """A kind of record that is held on a person.

    found: the records. lead: columns before the model's own, by heading. file: the stored file
    of a record. own: whether what happened to the record is the person's own, which it is not
    where another's record only mentions it.
    """

    title: str
    model: type[models.Model]
    found: Callable[[Person], QuerySet]
    lead: Mapping[str, Callable[[Any], Value]] = field(default_factory=dict)
    file: Callable[[Any], StoredFile | None] = lambda record: None
    only: tuple[str, ...] = ()
    own: bool = True


@dataclass(frozen=True)
class Dossier:
    """The sheets, in order, and the files by the name that each has in the archive."""

    tables: list[Table]
    files: list[tuple[str, StoredFile]]


# Each app says here what it keeps of a person: buyers knows nobody above it.
KINDS: list[Kind] = [
    Kind("Identidad", Buyer, lambda person: Buyer.objects.filter(pk__in=_ids(person))),
    Kind(
        "Presentaciones",
        Presentation,
        lambda person: Presentation.objects.filter(buyer__in=person.buyers),
    ),
    Kind(
        "Documentos",
        Document,
        lambda person: Document.objects.filter(buyer__in=person.buyers),
        file=lambda document: document.file,
    ),
    Kind(
        "Actúa por",
        Buyer,
        lambda person: Buyer.objects.filter(
            person.identified("representative_") | person.identified("attorney_")
        ),
        only=("name", "representative_name", "attorney_name"),
        own=False,
    ),
]


def person_of(buyer: Buyer) -> Person:
    """The person that a record is of, with all its records."""
    kept = buyer.kept
    return Person((kept, *Buyer.objects.filter(merged_into=kept).order_by("pk")))


def dossier_of(person: Person) -> Dossier:
    """All that is held, read in as many queries however much there is."""
    held = [(kind, list(_related(kind.found(person)).order_by("pk"))) for kind in KINDS]
    files = [
        (f"{kind.title.lower()}/{record.pk}-{stored.original_name}", stored)
        for kind, records in held
        for record in records
        if (stored := kind.file(record)) is not None
    ]
    own = [(kind.model, [record.pk for record in records]) for kind, records in held if kind.own]
    tables = [_table(kind, records) for kind, records in held]
    return Dossier([*tables, _decisions(own), _history(own), _exports(person)], files)


def dossiers_before(person: Person) -> QuerySet[Decision]:
    """Who exported all of it before, oldest first."""
    return (
        Decision.objects.filter(
            act=DOSSIER_ACT, subject_kind=subject_kind(Buyer), subject_id__in=_ids(person)
        )
        .select_related("actor")
        .order_by("pk")
    )


def _ids(person: Person) -> list[int]:
    return [buyer.pk for buyer in person.buyers]


def _fields(kind: Kind) -> list[models.Field]:
    return [
        one
        for one in kind.model._meta.concrete_fields
        if one.name not in TECHNICAL and (not kind.only or one.name in kind.only)
    ]


def _related(found: QuerySet) -> QuerySet:
    names = [
        one.name
        for one in found.model._meta.concrete_fields
        if one.is_relation and issubclass(one.related_model, NAMED)
    ]
    # Added to what the kind itself asks for; without a name it would ask for everything.
    return found.select_related(*names) if names else found


def _table(kind: Kind, records: Iterable[Any]) -> Table:
    fields = _fields(kind)
    headings = [*kind.lead, *map(_label, fields)]
    rows = [
        [*(lead(record) for lead in kind.lead.values()), *(_value(record, one) for one in fields)]
        for record in records
    ]
    return Table(kind.title, headings, rows)


def _label(one: models.Field) -> str:
    named = str(one.verbose_name)
    if named == one.name.replace("_", " "):
        named = LABELS.get(one.name, "")
        if not named and one.is_relation:
            named = f"{one.related_model._meta.verbose_name} n.º"
    return "número del registro" if one.primary_key else named


def _value(record: Any, one: models.Field) -> Value:
    value = getattr(record, one.attname)
    if one.is_relation and value is not None and issubclass(one.related_model, NAMED):
        return str(getattr(record, one.name))
    if one.choices:
        return str(dict(one.flatchoices).get(value, value or ""))
    return _plain(value)


def _plain(value: Any) -> Value:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value if isinstance(value, Value) else str(value)


Own = list[tuple[type[models.Model], list[int]]]


def own_of(person: Person) -> Own:
    """The ids of the person's own records, by model."""
    return [
        (kind.model, list(kind.found(person).values_list("pk", flat=True)))
        for kind in KINDS
        if kind.own
    ]


def decisions_of(own: Own) -> QuerySet[Decision]:
    """The acts on any of these records, oldest first."""
    asked = [Q(subject_kind=subject_kind(model), subject_id__in=ids) for model, ids in own]
    found = Decision.objects.filter(reduce(or_, asked))
    return found.select_related("actor").order_by("pk")


def _decisions(own: Own) -> Table:
    names = {subject_kind(model): str(model._meta.verbose_name) for model, _ in own}
    return Table(
        "Decisiones",
        ["registrado el", "fecha legal", "quién", "qué", "artículo", "motivo", "sobre", "número"],
        [
            [
                act.recorded_at, act.legal_at, str(act.actor), act.sentence, act.article,
                act.reason, names[act.subject_kind], act.subject_id,
            ]
            for act in decisions_of(own)
        ],
    )  # fmt: skip


def _history(own: Own) -> Table:
    events = sorted(_events(own), key=lambda event: (event.pgh_created_at, event.pgh_id))
    contexts = [event.pgh_context.metadata if event.pgh_context else {} for event in events]
    ids = {data["user"] for data in contexts if data.get("user")}
    people = {user.pk: str(user) for user in User.objects.filter(pk__in=ids)}
    return Table(
        "Historia de los cambios",
        ["cuándo", "qué pasó", "registro", "número", "quién", "dónde", "datos en ese momento"],
        [
            [
                event.pgh_created_at,
                CHANGE_WORDS.get(event.pgh_label, event.pgh_label),
                str(event.pgh_tracked_model._meta.verbose_name),
                event.pgh_obj_id,
                people.get(data.get("user"), ""),
                data.get("url", ""),
                _state(event),
            ]
            for event, data in zip(events, contexts, strict=True)
        ],
    )


def _events(own: Own) -> Iterator[Any]:
    trails = {events.pgh_tracked_model: events for events in pghistory.core.event_models()}
    for model, ids in own:
        if model in trails:
            found = trails[model].objects.filter(pgh_obj__in=ids)
            yield from found.select_related("pgh_context")


def _state(event: Any) -> str:
    """The record as the event keeps it, column by column."""
    fields = event.pgh_tracked_model._meta.concrete_fields
    told = [
        f"{_label(one)}: {value}"
        for one in fields
        if one.name not in TECHNICAL
        and (value := _plain(getattr(event, one.attname, None))) not in (None, "")
    ]
    return "; ".join(told)


def _exports(person: Person) -> Table:
    return Table(
        "Exportaciones anteriores",
        ["cuándo", "quién", "por qué"],
        [[act.recorded_at, str(act.actor), act.reason] for act in dossiers_before(person)],
    )


def counted(dossier: Dossier) -> dict[str, int]:
    """How many rows each sheet holds."""
    return dict(Counter({table.title: len(table.rows) for table in dossier.tables}))
