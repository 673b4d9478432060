from django.urls import path

from offerings.views import (
    acceptance_lists,
    acceptances,
    class_findings,
    drafts,
    participations,
    receipts,
    withdrawals,
)

STAGE = "programas/<slug:slug>/etapas/<int:number>/aceptaciones/"

urlpatterns = [
    path("aceptaciones/", acceptance_lists.acceptance_list, name="acceptances"),
    path(
        "aceptaciones/exportar.<str:kind>",
        acceptance_lists.acceptance_export,
        name="acceptances_export",
    ),
    path("aceptaciones/borradores/", drafts.draft_list, name="acceptance_drafts"),
    path("aceptaciones/borradores/<int:pk>/", drafts.draft_continue, name="acceptance_draft"),
    path(
        "aceptaciones/borradores/<int:pk>/descartar/",
        drafts.draft_discard_view,
        name="acceptance_draft_discard",
    ),
    path("aceptaciones/<int:pk>/", acceptances.acceptance_detail, name="acceptance"),
    path("aceptaciones/<int:pk>/recibo/", receipts.acceptance_receipt, name="acceptance_receipt"),
    path(
        "aceptaciones/<int:pk>/retirar/",
        withdrawals.acceptance_withdraw_view,
        name="acceptance_withdraw",
    ),
    path("participaciones/<int:pk>/", participations.participation_detail, name="participation"),
    path(
        "participaciones/<int:pk>/documentos/",
        participations.participation_documents,
        name="participation_documents",
    ),
    path(
        "participaciones/<int:pk>/corregir/",
        participations.participation_change_view,
        name="participation_change",
    ),
    path(
        "participaciones/<int:pk>/clase-falsa/",
        class_findings.class_finding_new,
        name="participation_false_class",
    ),
    path(
        "clases-falsas/<int:pk>/levantar/",
        class_findings.class_finding_lift_view,
        name="participation_false_class_lift",
    ),
    path(f"{STAGE}nueva/", acceptances.acceptance_new, name="acceptance_new"),
    path(f"{STAGE}nueva/borrador/", drafts.draft_save_view, name="acceptance_draft_save"),
    path(f"{STAGE}nueva/limite/", acceptances.acceptance_limit, name="acceptance_limit"),
    path(f"{STAGE}nueva/papeles/", acceptances.acceptance_papers, name="acceptance_papers"),
]
