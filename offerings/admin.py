"""Programmes and what came of them, to look things up: every act is done in the workspace."""

from django.contrib import admin

from offerings.models import (
    Acceptance,
    AcceptanceImport,
    Adjudication,
    AuctionSession,
    Award,
    ClassFinding,
    CpiBase,
    CpiImport,
    CpiIndex,
    CreditLine,
    FundRules,
    FundValue,
    Participation,
    Payment,
    Programme,
    PublicNotice,
    ReferenceTrade,
    Stage,
)
from office.admin_bases import ReadOnlyAdmin, show_amount, show_quantity


@admin.register(Programme, CreditLine, PublicNotice)
class LookedUpAdmin(ReadOnlyAdmin):
    pass


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "state", "opened_at", "closed_at")
    list_select_related = ("programme",)


@admin.register(FundRules)
class FundRulesAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "review_state", "prepared_by", "reviewed_by", "reviewed_at")
    list_filter = ("review_state",)
    list_select_related = ("programme", "prepared_by", "reviewed_by")


@admin.register(FundValue)
class FundValueAdmin(ReadOnlyAdmin):
    pass


@admin.register(Participation)
class ParticipationAdmin(ReadOnlyAdmin):
    list_display = (
        "buyer",
        "programme",
        "buyer_class",
        "is_executive",
        show_quantity("present_holding", "acciones que ya tiene"),
    )
    list_filter = ("programme", "buyer_class", "is_executive")
    list_select_related = ("buyer", "programme")
    search_fields = ("buyer__identity_number", "buyer__name_folded")


@admin.register(ClassFinding)
class ClassFindingAdmin(ReadOnlyAdmin):
    list_display = ("participation", "found_at", "recorded_by", "lifted_at")
    list_select_related = (
        "participation__buyer",
        "participation__programme",
        "recorded_by",
    )


@admin.register(Acceptance)
class AcceptanceAdmin(ReadOnlyAdmin):
    list_display = (
        "code",
        "participation",
        show_quantity("requested", "solicitado"),
        show_quantity("admitted", "tras el límite"),
        "state",
        "received_at",
        "broker",
    )
    list_filter = ("state", "standing", "stage")
    list_select_related = ("participation__buyer", "participation__programme", "broker")
    search_fields = ("=serial", "participation__buyer__identity_number")
    search_help_text = "Número de la aceptación, o del documento sin puntos"


@admin.register(AcceptanceImport)
class AcceptanceImportAdmin(ReadOnlyAdmin):
    list_display = ("code", "stage", "state", "uploaded_by", "uploaded_at")
    list_filter = ("state",)
    list_select_related = ("stage__programme", "uploaded_by")


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnlyAdmin):
    list_display = (
        "code",
        "stage",
        "version",
        "review_state",
        show_quantity("supply", "oferta"),
        show_quantity("awarded", "adjudicado"),
        "prepared_by",
        "reviewed_by",
    )
    list_filter = ("review_state",)
    list_select_related = ("stage__programme", "prepared_by", "reviewed_by")


@admin.register(Award)
class AwardAdmin(ReadOnlyAdmin):
    list_display = (
        "acceptance",
        "adjudication",
        show_quantity("admitted", "tras el límite"),
        show_quantity("awarded", "adjudicado"),
        "reason",
    )
    list_filter = ("reason", "adjudication")
    list_select_related = ("acceptance", "adjudication")
    search_fields = ("=acceptance__serial",)
    search_help_text = "Número de la aceptación"


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = (
        "receipt",
        "award",
        "means",
        "reference",
        "paid_on",
        show_amount("amount", "valor en pesos"),
    )
    list_filter = ("means",)
    list_select_related = ("award__acceptance", "award__adjudication")
    search_fields = ("receipt", "reference")


@admin.register(CpiBase)
class CpiBaseAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "in_force")


@admin.register(CpiIndex)
class CpiIndexAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "value", "base", "state", "source", "recorded_by")
    list_filter = ("state", "base")
    list_select_related = ("base", "recorded_by")


@admin.register(CpiImport)
class CpiImportAdmin(ReadOnlyAdmin):
    list_display = ("code", "source", "state", "loaded", "uploaded_by", "uploaded_at")
    list_filter = ("state",)
    list_select_related = ("uploaded_by",)


@admin.register(AuctionSession)
class AuctionSessionAdmin(ReadOnlyAdmin):
    list_display = ("held_on", "programme", "exchange", "state", "recorded_by")
    list_filter = ("state", "programme")
    list_select_related = ("programme", "exchange", "recorded_by")


@admin.register(ReferenceTrade)
class ReferenceTradeAdmin(ReadOnlyAdmin):
    list_display = (
        "traded_on",
        "programme",
        show_amount("price", "precio por acción en pesos"),
        show_quantity("shares", "acciones"),
        "venue",
        "state",
    )
    list_filter = ("state", "programme")
    list_select_related = ("programme",)
