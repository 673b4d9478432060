"""Pledges and what befell them, to look things up: every act is done in the workspace."""

from django.contrib import admin

from office.admin_bases import ReadOnlyAdmin, show_amount, show_quantity
from pledges.models import (
    Attachment,
    DailyRun,
    FundDecision,
    LenderNotice,
    PenaltyPayment,
    PenaltyReadings,
    PenaltyRefund,
    Pledge,
    Quote,
    Release,
    ReleaseAnnulment,
    ReleaseLine,
    ReleaseRequest,
    RequestClosing,
    ShareholderRights,
    Transfer,
)

OF_PLEDGE = "Número de la prenda"
OF_REQUEST = "Número de la solicitud"


@admin.register(Pledge)
class PledgeAdmin(ReadOnlyAdmin):
    list_display = (
        "code",
        "holder",
        show_quantity("shares", "acciones"),
        show_quantity("released", "liberadas"),
        show_quantity("attached", "embargadas"),
        "last_day",
        "rank",
        "state",
    )
    list_filter = ("state", "rank")
    list_select_related = ("holder",)
    search_fields = ("=pk", "holder__identity_number")
    search_help_text = f"{OF_PLEDGE}, o del documento sin puntos"


@admin.register(Attachment)
class AttachmentAdmin(ReadOnlyAdmin):
    list_display = (
        "pledge",
        "measure",
        "authority",
        "number",
        show_quantity("shares", "acciones"),
        "ordered_on",
        "lifted_on",
    )
    list_filter = ("measure",)
    list_select_related = ("pledge",)
    search_fields = ("=pledge__pk", "number")
    search_help_text = f"{OF_PLEDGE} o del oficio"


@admin.register(ShareholderRights)
class ShareholderRightsAdmin(ReadOnlyAdmin):
    list_display = ("pledge", "cause", "since", "until")
    list_filter = ("cause",)
    list_select_related = ("pledge",)
    search_fields = ("=pledge__pk",)
    search_help_text = OF_PLEDGE


@admin.register(ReleaseRequest)
class ReleaseRequestAdmin(ReadOnlyAdmin):
    list_display = (
        "code",
        "pledge",
        "kind",
        show_quantity("shares", "acciones"),
        "filing_number",
        "filed_at",
        "state",
    )
    list_filter = ("state", "kind")
    list_select_related = ("pledge",)
    search_fields = ("=pk", "=pledge__pk", "filing_number")
    search_help_text = f"{OF_REQUEST}, de la prenda o del radicado"


@admin.register(Quote)
class QuoteAdmin(ReadOnlyAdmin):
    list_display = (
        "code",
        "request",
        show_amount("amount", "valor en pesos"),
        "state",
        "valid_until",
        "accepted_on",
    )
    list_filter = ("state",)
    list_select_related = ("request",)
    search_fields = ("=pk", "=request__pk")
    search_help_text = "Número de la liquidación o de la solicitud"


@admin.register(RequestClosing, FundDecision)
class OfRequestAdmin(ReadOnlyAdmin):
    list_display = ("request", "review_state", "prepared_by", "reviewed_by", "reviewed_at")
    list_filter = ("review_state",)
    list_select_related = ("request", "prepared_by", "reviewed_by")
    search_fields = ("=request__pk",)
    search_help_text = OF_REQUEST


@admin.register(PenaltyReadings)
class PenaltyReadingsAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "act", "act_on", "review_state", "prepared_by", "reviewed_by")
    list_filter = ("review_state",)
    list_select_related = ("programme", "prepared_by", "reviewed_by")


@admin.register(PenaltyPayment)
class PenaltyPaymentAdmin(ReadOnlyAdmin):
    list_display = (
        "receipt", "request", "means", "reference", "paid_on",
        show_amount("amount", "valor en pesos"),
    )  # fmt: skip
    list_filter = ("means",)
    list_select_related = ("request",)
    search_fields = ("receipt", "reference")


@admin.register(PenaltyRefund)
class PenaltyRefundAdmin(ReadOnlyAdmin):
    list_display = (
        "request", "means", "reference", "paid_on", show_amount("amount", "valor en pesos"),
    )  # fmt: skip
    list_filter = ("means",)
    list_select_related = ("request",)
    search_fields = ("reference",)


@admin.register(LenderNotice)
class LenderNoticeAdmin(ReadOnlyAdmin):
    list_display = ("request", "lender", "reference", "notified_on")
    list_select_related = ("request",)
    search_fields = ("=request__pk",)
    search_help_text = OF_REQUEST


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    list_display = (
        "code", "programme", "ground", "released_on", "lines_planned", "review_state",
        "prepared_by", "reviewed_by",
    )  # fmt: skip
    list_filter = ("ground", "review_state")
    list_select_related = ("programme", "prepared_by", "reviewed_by")
    search_fields = ("=pk",)
    search_help_text = "Número del levantamiento"


@admin.register(ReleaseLine)
class ReleaseLineAdmin(ReadOnlyAdmin):
    list_display = (
        "release", "pledge", show_quantity("shares", "acciones"), "state", "done_at",
    )  # fmt: skip
    list_filter = ("state",)
    list_select_related = ("release", "pledge")
    search_fields = ("=release__pk", "=pledge__pk")
    search_help_text = "Número del levantamiento o de la prenda"


@admin.register(ReleaseAnnulment)
class ReleaseAnnulmentAdmin(ReadOnlyAdmin):
    list_display = ("line", "annulled_on", "review_state", "prepared_by", "reviewed_by")
    list_filter = ("review_state",)
    list_select_related = ("line__release", "line__pledge", "prepared_by", "reviewed_by")


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    list_display = (
        "pledge", "kind", "transferred_on", show_quantity("shares", "acciones"), "to_name",
        "request",
    )  # fmt: skip
    list_filter = ("kind",)
    list_select_related = ("pledge", "request")
    search_fields = ("=pledge__pk", "to_name")
    search_help_text = f"{OF_PLEDGE}, o a favor de quién"


@admin.register(DailyRun)
class DailyRunAdmin(ReadOnlyAdmin):
    list_display = ("day", "matured", "ran_at")
