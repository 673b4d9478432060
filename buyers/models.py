"""Buyers, what proves who they are and what they have, and the brokers who bring them."""

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from buyers.enums import BuyerKind, DocumentKind, IdentityType
from office.identities import write_identity
from office.models import StoredFile, User, events_of_many
from office.roles import Capability

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}
FIGURE = {"max_digits": 24, "decimal_places": 2, "null": True, "blank": True}


@pghistory.track()
class Exchange(models.Model):
    """A stock exchange: it keeps the papers and adjudicates (1995 arts. 14, 24)."""

    name = models.CharField("nombre", max_length=120, unique=True)
    is_active = models.BooleanField("activa", default=True)

    class Meta:
        verbose_name = "bolsa de valores"
        verbose_name_plural = "bolsas de valores"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


@pghistory.track()
class Broker(models.Model):
    """A sociedad comisionista: it presents buyers and answers for them (1995 art. 14)."""

    name = models.CharField("razón social", max_length=200)
    nit = models.CharField(
        "NIT", max_length=12, unique=True, help_text="Con dígito de verificación: 800197268-4."
    )
    is_active = models.BooleanField("activa", default=True)

    class Meta:
        verbose_name = "sociedad comisionista"
        verbose_name_plural = "sociedades comisionistas"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


@pghistory.track()
class BrokerUser(models.Model):
    """A person who works for a broker and sees what that broker presented, nothing else."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name="usuario",
        on_delete=models.PROTECT,
        related_name="broker_user",
    )
    broker = models.ForeignKey(Broker, verbose_name="comisionista", **PERSON)

    class Meta:
        verbose_name = "usuario de comisionista"
        verbose_name_plural = "usuarios de comisionistas"

    def __str__(self) -> str:
        return f"{self.user} · {self.broker}"


class BuyerQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "BuyerQuerySet":
        """All of them for staff; for a broker, those that it presented."""
        if user.may(Capability.READ):
            return self
        if not user.may(Capability.OWN):
            return self.none()
        brought = Presentation.objects.filter(broker__in=brokers_of(user))
        return self.filter(pk__in=brought.values("buyer"))


def brokers_of(user: User) -> models.QuerySet:
    """The broker that `user` works for, as a queryset (empty for everybody else)."""
    return Broker.objects.filter(pk__in=BrokerUser.objects.filter(user=user).values("broker"))


@pghistory.track(*events_of_many())
class Buyer(models.Model):
    """A natural person or an organisation, once, under its identity's type and number."""

    kind = models.CharField("quién compra", max_length=12, choices=BuyerKind.choices())
    identity_type = models.CharField(
        "tipo de documento",
        max_length=3,
        choices=IdentityType.choices(),
    )
    identity_number = models.CharField("número", max_length=20)
    check_digit = models.CharField("dígito de verificación", max_length=1, blank=True)
    name = models.CharField("nombre o razón social", max_length=200)
    name_folded = models.CharField(max_length=200, db_index=True, editable=False)
    representative_name = models.CharField("representante", max_length=200, blank=True)
    representative_identity_type = models.CharField(
        "tipo de documento del representante",
        max_length=3,
        blank=True,
        choices=IdentityType.choices(),
    )
    representative_identity_number = models.CharField(
        "número del representante", max_length=20, blank=True
    )
    attorney_name = models.CharField("apoderado", max_length=200, blank=True)
    attorney_identity_type = models.CharField(
        "tipo de documento del apoderado",
        max_length=3,
        blank=True,
        choices=IdentityType.choices(),
    )
    attorney_identity_number = models.CharField("número del apoderado", max_length=20, blank=True)
    merged_into = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        editable=False,
        verbose_name="unido a",
        on_delete=models.PROTECT,
        related_name="merged",
    )
    merged_at = models.DateTimeField("unido", null=True, blank=True, editable=False)
    registered_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    registered_at = models.DateTimeField(db_default=Now())

    objects = BuyerQuerySet.as_manager()

    class Meta:
        verbose_name = "comprador"
        verbose_name_plural = "compradores"
        ordering = ["name_folded", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["identity_type", "identity_number"],
                name="buyer_identity_once",
                violation_error_message="Ya hay un comprador con ese tipo y número de documento.",
            ),
            models.CheckConstraint(
                condition=Q(identity_type=IdentityType.NIT, check_digit__regex=r"^[0-9]$")
                | (~Q(identity_type=IdentityType.NIT) & Q(check_digit="")),
                name="buyer_nit_has_check_digit",
                violation_error_message="El NIT lleva dígito de verificación; los demás, no.",
            ),
            models.CheckConstraint(
                condition=~Q(kind=BuyerKind.ORGANISATION) | Q(identity_type=IdentityType.NIT),
                name="buyer_organisation_has_nit",
                violation_error_message="Una organización se identifica con NIT.",
            ),
            models.CheckConstraint(
                condition=Q(merged_into=None, merged_at=None)
                | Q(merged_into__isnull=False, merged_at__isnull=False) & ~Q(merged_into=F("pk")),
                name="buyer_merged_into_another",
                violation_error_message="Un comprador se une a otro, nunca a sí mismo.",
            ),
        ]
        indexes = [
            # An identity's first figures, whatever its type.
            models.Index(
                fields=["identity_number"],
                name="buyer_identity_number",
                opclasses=["varchar_pattern_ops"],
            )
        ]
        triggers = [pgtrigger.Protect(name="buyer_kept", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.name

    @property
    def kept(self) -> "Buyer":
        """The buyer itself, or the one that it was merged into in the end."""
        return self if self.merged_into is None else self.merged_into.kept

    @property
    def identity(self) -> str:
        return write_identity(self.identity_type, self.identity_number, self.check_digit)

    @property
    def representative_identity(self) -> str:
        if not self.representative_identity_number:
            return ""
        return write_identity(
            self.representative_identity_type, self.representative_identity_number
        )

    @property
    def attorney_identity(self) -> str:
        if not self.attorney_identity_number:
            return ""
        return write_identity(self.attorney_identity_type, self.attorney_identity_number)

    @property
    def is_natural(self) -> bool:
        return self.kind == BuyerKind.NATURAL


@pghistory.track(*events_of_many())
class Presentation(models.Model):
    """That a broker brought a buyer in: what lets it see that buyer."""

    buyer = models.ForeignKey(Buyer, on_delete=models.PROTECT, related_name="presentations")
    broker = models.ForeignKey(Broker, verbose_name="comisionista", **PERSON)
    presented_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "presentación"
        verbose_name_plural = "presentaciones"
        constraints = [
            models.UniqueConstraint(fields=["buyer", "broker"], name="presentation_once")
        ]

    def __str__(self) -> str:
        return f"{self.broker}: {self.buyer}"


class DocumentQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "DocumentQuerySet":
        """All of them for staff; for a broker, those that it brought itself."""
        if user.may(Capability.READ):
            return self
        if not user.may(Capability.OWN):
            return self.none()
        return self.filter(presented_by__in=brokers_of(user))


YEARLY_KINDS = (
    DocumentKind.TAX_RETURN,
    DocumentKind.INCOME_CERTIFICATE,
    DocumentKind.INCOME_DECLARATION,
)


@pghistory.track(*events_of_many())
class Document(models.Model):
    """A paper of a buyer with the figures read from it: its stored file, or its reference at the
    exchange that keeps it; either way by who looked at it and when."""

    buyer = models.ForeignKey(Buyer, on_delete=models.PROTECT, related_name="documents")
    kind = models.CharField(
        "documento",
        max_length=40,
        choices=DocumentKind.choices(),
    )
    label = models.CharField("nombre en el reglamento", max_length=200, blank=True)
    year = models.PositiveSmallIntegerField("año gravable", null=True, blank=True)
    issued_on = models.DateField("fecha del documento", null=True, blank=True)
    gross_equity = models.DecimalField("patrimonio bruto", **FIGURE)
    net_equity = models.DecimalField("patrimonio líquido", **FIGURE)
    annual_income = models.DecimalField("ingresos del año", **FIGURE)
    annual_remuneration = models.DecimalField("remuneración anual", **FIGURE)
    statutory_limit = models.DecimalField("límite de sus normas", **FIGURE)
    members = models.PositiveIntegerField("afiliados", null=True, blank=True)
    norm = models.CharField(
        "norma",
        max_length=200,
        blank=True,
        help_text="La que dice que la ley no le fija límite a la entidad.",
    )
    file = models.ForeignKey(StoredFile, null=True, blank=True, verbose_name="archivo", **PERSON)
    exchange = models.ForeignKey(
        Exchange, null=True, blank=True, verbose_name="bolsa que lo conserva", **PERSON
    )
    exchange_reference = models.CharField("referencia en la bolsa", max_length=80, blank=True)
    presented_by = models.ForeignKey(
        Broker,
        null=True,
        blank=True,
        verbose_name="lo trajo",
        help_text="El comisionista que lo registró; vacío, el Fondo.",
        **PERSON,
    )
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name="lo vio", **PERSON)
    seen_at = models.DateTimeField("visto", db_default=Now())
    verified_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, verbose_name="lo verificó", **PERSON
    )
    verified_at = models.DateTimeField("verificado", null=True, blank=True)
    replaced_at = models.DateTimeField("reemplazado", null=True, blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        verbose_name = "documento"
        verbose_name_plural = "documentos"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(file__isnull=False)
                | (Q(exchange__isnull=False) & ~Q(exchange_reference="")),
                name="document_file_or_reference",
                violation_error_message="Adjunte el archivo, o escriba la bolsa que lo conserva "
                "y su referencia (art. 14).",
            ),
            models.UniqueConstraint(
                # Two brokers may bring the same paper of one buyer, each without knowing.
                fields=["buyer", "kind", "year", "presented_by"],
                condition=Q(kind__in=YEARLY_KINDS, replaced_at=None),
                nulls_distinct=False,
                name="document_one_per_kind_and_year",
                violation_error_message="Ya hay un documento de ese tipo y año: reemplácelo.",
            ),
            models.CheckConstraint(
                condition=Q(
                    *[
                        Q(**{figure: None}) | Q(**{f"{figure}__gte": 0})
                        for figure in (
                            "gross_equity",
                            "net_equity",
                            "annual_income",
                            "annual_remuneration",
                            "statutory_limit",
                        )
                    ]
                ),
                name="document_figures_not_negative",
                violation_error_message="Las cifras del documento no pueden ser negativas.",
            ),
            models.CheckConstraint(
                condition=Q(replaced_at=None) | Q(replaced_at__gte=F("seen_at")),
                name="document_replaced_after_seen",
            ),
            models.CheckConstraint(
                condition=Q(verified_by=None, verified_at=None)
                | Q(
                    verified_by__isnull=False,
                    verified_at__isnull=False,  # or the comparison would say nothing, and pass
                    verified_at__gte=F("seen_at"),
                )
                & ~Q(verified_by=F("seen_by")),
                name="document_verified_by_another",
                violation_error_message="Lo verifica otra persona, no quien lo registró.",
            ),
        ]
        triggers = [pgtrigger.Protect(name="document_kept", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.kind_words} {self.year}" if self.year else self.kind_words

    @property
    def kind_words(self) -> str:
        """What it is, in words: one that the Fund asks for goes by the Fund's name."""
        own = self.label if self.kind == DocumentKind.OTHER else ""
        return own or self.get_kind_display()

    @property
    def has_figures(self) -> bool:
        figures = (
            self.gross_equity,
            self.net_equity,
            self.annual_income,
            self.annual_remuneration,
            self.statutory_limit,
            self.members,
        )
        return any(figure is not None for figure in figures)
