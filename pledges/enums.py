"""States and kinds of what is pledged: English key, Spanish label."""

from django.db import models


class PledgeState(models.TextChoices):
    """Matured: its term is over and its shares wait for their release."""

    IN_FORCE = "in_force", "Vigente"
    MATURED = "matured", "Cumplida"
    RELEASED = "released", "Liberada"
    PASSED_ON = "passed_on", "Transmitida"
    ANNULLED = "annulled", "Sin efecto"


class Rank(models.TextChoices):
    """The rank of the Fund's pledge."""

    FIRST = "first", "Primer grado"
    SECOND = "second", "Segundo grado"


class Measure(models.TextChoices):
    """What an authority orders on pledged shares."""

    EMBARGO = "embargo", "Embargo"
    SECUESTRO = "secuestro", "Secuestro"
    OTHER = "other", "Otra medida preventiva"


class RightsCause(models.TextChoices):
    """Why the Fund exercises the shareholder's rights (FES, numeral 5)."""

    DEFAULT = "default", "Incumplimiento del deudor o comprador"
    ATTACHMENT = "attachment", "Medida preventiva de una autoridad"


class RequestKind(models.TextChoices):
    """Who brings up an early exit: its holder asks, or the Fund finds it out."""

    ASKED = "asked", "Solicitud del titular"
    BREACH = "breach", "Incumplimiento comprobado por el Fondo"


class RequestState(models.TextChoices):
    OPEN = "open", "En trámite"
    SETTLED = "settled", "Liquidada"
    PAID = "paid", "Pagada"
    RELEASED = "released", "Levantada"
    WITHDRAWN = "withdrawn", "Desistida"
    CLOSED = "closed", "Cerrada sin salida"


class QuoteState(models.TextChoices):
    PROPOSED = "proposed", "Propuesta"
    ACCEPTED = "accepted", "Fijada"
    REPLACED = "replaced", "Reemplazada"


class Ground(models.TextChoices):
    """Why shares are released."""

    TERM = "term", "Cumplimiento del término"
    EARLY = "early", "Salida anticipada con pago"


class LineState(models.TextChoices):
    """What came of a pledge's line in a release."""

    PLANNED = "planned", "Por levantar"
    DONE = "done", "Levantada"
    SKIPPED = "skipped", "No se levantó"
    DROPPED = "dropped", "Sin efecto"
    ANNULLED = "annulled", "Anulada"


class TransferKind(models.TextChoices):
    """By what title shares passed to another."""

    SALE = "sale", "Venta"
    GIVING_IN_PAYMENT = "giving_in_payment", "Dación en pago"
    GIFT = "gift", "Donación"
    BENEFICIAL_OWNER = "beneficial_owner", "Otro pasó a ser beneficiario real"
    OTHER = "other", "Otro título"
    INHERITANCE = "inheritance", "Sucesión por causa de muerte"
