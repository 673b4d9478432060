"""What penalties and the base price are worked out from: the consumer price index, month by
month, and the auction of a programme with the trades that may set a price."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Now

from buyers.models import Exchange
from offerings.enums import CpiLayout, FigureState, ImportState
from offerings.models.imports import WAITING
from offerings.models.programmes import Programme
from office.dates import MONTHS
from office.models import StoredFile

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}
CPI_DIGITS = {"max_digits": 12, "decimal_places": 6}


class Figure(models.Model):
    """What was entered with its source: never written over. What is wrong is corrected by another
    row, or withdrawn; either way by whom, when and why stays."""

    source = models.CharField("fuente", max_length=300)
    state = models.CharField(
        "estado", max_length=9, choices=FigureState.choices, default=FigureState.IN_FORCE
    )
    corrects = models.OneToOneField(
        "self",
        verbose_name="corrige",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="correction",
    )
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name="la registró", **PERSON)
    recorded_at = models.DateTimeField("registrada", db_default=Now())
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="la corrigió o retiró",
        null=True,
        blank=True,
        **PERSON,
    )
    closed_at = models.DateTimeField("corregida o retirada", null=True, blank=True)
    closed_reason = models.TextField("motivo", blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    state=FigureState.IN_FORCE,
                    closed_by=None,
                    closed_at=None,
                    closed_reason="",
                )
                | Q(
                    ~Q(closed_reason=""),
                    state__in=(FigureState.CORRECTED, FigureState.WITHDRAWN),
                    closed_by__isnull=False,
                    closed_at__isnull=False,
                ),
                name="%(class)s_closed_with_reason",
                violation_error_message="Escriba el motivo.",
            ),
            models.CheckConstraint(
                condition=~Q(source=""),
                name="%(class)s_has_source",
                violation_error_message="Escriba de dónde sale.",
            ),
        ]

    @property
    def in_force(self) -> bool:
        return self.state == FigureState.IN_FORCE


def kept_as_entered(name: str) -> list[pgtrigger.Trigger]:
    """The triggers that hold a figure of model `name`: it can be closed once, says the same for
    ever, and is kept."""
    closing = ["state", "closed_by", "closed_at", "closed_reason"]
    return [
        pgtrigger.Protect(
            name=f"{name}_says_the_same",
            operation=pgtrigger.Update,
            condition=pgtrigger.AnyChange(exclude=closing),
        ),
        pgtrigger.Protect(
            name=f"{name}_closed_for_good",
            operation=pgtrigger.Update,
            condition=~pgtrigger.Q(old__state=FigureState.IN_FORCE),
        ),
        pgtrigger.Protect(name=f"{name}_kept", operation=pgtrigger.Delete),
    ]


@pghistory.track()
class CpiBase(models.Model):
    """The base of a series of the index: the month in which it is 100. One is in force, and every
    calculation uses its series alone."""

    month = models.DateField("mes en que vale 100", unique=True)
    in_force = models.BooleanField("en uso", default=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "base del IPC"
        verbose_name_plural = "bases del IPC"
        ordering = ["month"]
        constraints = [
            models.CheckConstraint(condition=Q(month__day=1), name="cpibase_month_by_first_day"),
            models.UniqueConstraint(
                fields=["in_force"],
                condition=Q(in_force=True),
                name="cpibase_one_in_force",
                violation_error_message="Ya hay una base en uso.",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="cpibase_month_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__month__df=pgtrigger.F("new__month")),
            ),
            pgtrigger.Protect(name="cpibase_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{MONTHS[self.month.month - 1]} de {self.month.year} = 100"


@pghistory.track()
class CpiImport(models.Model):
    """A file of the index: what was understood of it, and then that it was loaded.

    `months`: what it says, each {month, value, at, outcome, known}, with `known` the value loaded
    before where it differs. `problems`: what is wrong with the file as a whole.
    """

    file = models.ForeignKey(StoredFile, verbose_name="archivo", **PERSON)
    sha256 = models.CharField(max_length=64)
    source = models.CharField("fuente", max_length=300)
    base_month = models.DateField("base", null=True, blank=True)
    layout = models.CharField("forma", max_length=8, choices=CpiLayout.choices, blank=True)
    state = models.CharField(
        "estado", max_length=10, choices=ImportState.choices, default=ImportState.REVIEWED
    )
    read_as = models.CharField("leído como", max_length=300, blank=True)
    months = models.JSONField("meses", default=list, blank=True)
    problems = models.JSONField("problemas", default=list, blank=True)
    changes_base = models.BooleanField("cambia la base en uso", default=False)
    loaded = models.PositiveIntegerField("cargados", default=0)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name="lo subió", **PERSON)
    uploaded_at = models.DateTimeField("subido", db_default=Now())
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name="lo confirmó", null=True, blank=True, **PERSON
    )

    class Meta:
        verbose_name = "archivo del IPC"
        verbose_name_plural = "archivos del IPC"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["sha256"],
                condition=Q(state__in=WAITING),
                name="cpiimport_file_once",
                violation_error_message="Este archivo ya está en revisión.",
            ),
            models.CheckConstraint(
                condition=~Q(state=ImportState.LOADED)
                | Q(confirmed_by__isnull=False, base_month__isnull=False),
                name="cpiimport_confirmed",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="cpiimport_decided_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(
                    old__state__in=(
                        ImportState.LOADED,
                        ImportState.REFUSED,
                        ImportState.DISCARDED,
                    )
                ),
            ),
            pgtrigger.Protect(name="cpiimport_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"IP-{self.pk:06d}"


@pghistory.track()
class CpiIndex(Figure):
    """The index of one month in one base; `month` is its first day."""

    base = models.ForeignKey(CpiBase, on_delete=models.PROTECT, related_name="indices")
    month = models.DateField("mes")
    value = models.DecimalField("índice", **CPI_DIGITS)
    loaded_with = models.ForeignKey(
        CpiImport, null=True, blank=True, on_delete=models.PROTECT, related_name="indices"
    )

    class Meta(Figure.Meta):
        abstract = False
        verbose_name = "IPC de un mes"
        verbose_name_plural = "IPC mes a mes"
        ordering = ["base", "month", "pk"]
        constraints = [
            *Figure.Meta.constraints,
            models.CheckConstraint(
                condition=Q(value__gt=0),
                name="cpiindex_value_positive",
                violation_error_message="El índice debe ser mayor que cero.",
            ),
            models.CheckConstraint(condition=Q(month__day=1), name="cpiindex_month_by_first_day"),
            models.UniqueConstraint(
                fields=["base", "month"],
                condition=Q(state=FigureState.IN_FORCE),
                name="cpiindex_one_in_force",
                violation_error_message="El IPC de ese mes ya está cargado.",
            ),
        ]
        triggers = kept_as_entered("cpiindex")

    def __str__(self) -> str:
        return f"IPC de {self.month:%m/%Y}"


@pghistory.track()
class AuctionSession(Figure):
    """That a programme's auction was held: before it no trade counts (1995 art. 12)."""

    programme = models.ForeignKey(
        Programme, on_delete=models.PROTECT, related_name="auction_sessions"
    )
    held_on = models.DateField("fecha del martillo")
    exchange = models.ForeignKey(Exchange, verbose_name="bolsa", null=True, blank=True, **PERSON)

    class Meta(Figure.Meta):
        abstract = False
        verbose_name = "sesión de martillo"
        verbose_name_plural = "sesiones de martillo"
        ordering = ["programme", "held_on", "pk"]
        constraints = [
            *Figure.Meta.constraints,
            models.UniqueConstraint(
                fields=["programme", "held_on"],
                condition=Q(state=FigureState.IN_FORCE),
                name="auctionsession_day_once",
                violation_error_message="El martillo de ese día ya está registrado.",
            ),
        ]
        triggers = kept_as_entered("auctionsession")

    def __str__(self) -> str:
        return f"Martillo del {self.held_on:%d/%m/%Y}"


IN_ITS_SESSION = """
    IF NOT EXISTS (
        SELECT 1 FROM offerings_auctionsession
        WHERE id = NEW.session_id AND programme_id = NEW.programme_id AND held_on = NEW.traded_on
            AND state = 'in_force'
    ) THEN
        RAISE EXCEPTION 'referencetrade_in_its_session: el martillo es de otro programa o día'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""


@pghistory.track()
class ReferenceTrade(Figure):
    """One purchase of the issuer's shares, in the auction (then with its session) or later; what
    a penalty may look at."""

    programme = models.ForeignKey(
        Programme, on_delete=models.PROTECT, related_name="reference_trades"
    )
    session = models.ForeignKey(
        AuctionSession,
        verbose_name="martillo",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="trades",
    )
    traded_on = models.DateField("fecha")
    price = models.DecimalField("precio por acción", max_digits=24, decimal_places=2)
    shares = models.PositiveBigIntegerField("acciones")
    venue = models.CharField("dónde", max_length=200)
    buyer_reference = models.CharField("comprador", max_length=200, blank=True)

    class Meta(Figure.Meta):
        abstract = False
        verbose_name = "operación de referencia"
        verbose_name_plural = "operaciones de referencia"
        ordering = ["programme", "traded_on", "pk"]
        constraints = [
            *Figure.Meta.constraints,
            models.CheckConstraint(
                condition=Q(price__gt=0),
                name="referencetrade_price_positive",
                violation_error_message="El precio debe ser mayor que cero.",
            ),
            models.CheckConstraint(
                condition=Q(shares__gt=0),
                name="referencetrade_shares_positive",
                violation_error_message="Las acciones deben ser al menos una.",
            ),
            models.UniqueConstraint(
                F("programme"),
                F("traded_on"),
                F("price"),
                F("shares"),
                Lower("venue"),
                Lower("buyer_reference"),
                condition=Q(state=FigureState.IN_FORCE),
                name="referencetrade_not_twice",
                violation_error_message="Esa operación ya está registrada. Si es otra igual, "
                "escriba el comprador o la referencia que la distingue.",
            ),
        ]
        triggers = [
            *kept_as_entered("referencetrade"),
            pgtrigger.Trigger(
                name="referencetrade_in_its_session",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__session__isnull=False),
                func=IN_ITS_SESSION,
            ),
        ]

    def __str__(self) -> str:
        return f"Operación del {self.traded_on:%d/%m/%Y}"

    @property
    def in_auction(self) -> bool:
        return self.session_id is not None
