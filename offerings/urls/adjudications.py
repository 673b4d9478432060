"""Addresses of adjudications and of their lines."""

from django.urls import path

from offerings.views import adjudication_lists, adjudications, annulments, awards, records
from office.review import ReviewState

STAGE = "programas/<slug:slug>/etapas/<int:number>"
ONE = "adjudicaciones/<int:pk>"

urlpatterns = [
    path(f"{STAGE}/adjudicar/", adjudications.adjudication_new, name="adjudication_new"),
    path("adjudicaciones/", adjudication_lists.adjudication_list, name="adjudications"),
    path(
        "adjudicaciones/exportar.<str:kind>",
        adjudication_lists.adjudications_export,
        name="adjudications_export",
    ),
    path(f"{ONE}/", adjudications.adjudication_detail, name="adjudication"),
    path(
        f"{ONE}/diferencias/",
        adjudications.adjudication_differences,
        name="adjudication_differences",
    ),
    path(f"{ONE}/lineas.<str:kind>", awards.award_export, name="adjudication_export"),
    path(
        f"{ONE}/aprobar/",
        adjudications.adjudication_decision,
        {"outcome": ReviewState.APPROVED},
        name="adjudication_approve",
    ),
    path(
        f"{ONE}/devolver/",
        adjudications.adjudication_decision,
        {"outcome": ReviewState.RETURNED},
        name="adjudication_return",
    ),
    path(
        f"{ONE}/rechazar/",
        adjudications.adjudication_decision,
        {"outcome": ReviewState.REJECTED},
        name="adjudication_reject",
    ),
    path(f"{ONE}/anular/", annulments.adjudication_annul_view, name="adjudication_annul"),
    *(
        path(
            f"adjudicaciones/anulaciones/<int:pk>/{word}/",
            annulments.adjudication_annulment_decision,
            {"outcome": outcome},
            name=f"adjudication_annulment_{name}",
        )
        for word, (name, outcome) in annulments.OUTCOMES.items()
    ),
    path(f"{ONE}/acta/borrador/", records.record_draft, name="adjudication_record_draft"),
    path(f"{ONE}/acta/expedir/", records.record_new, name="adjudication_record_new"),
    path(f"{ONE}/anexo/<int:part_pk>/", records.annex_file, name="adjudication_annex"),
    path("adjudicaciones/lineas/<int:pk>/", awards.award_detail, name="award"),
]
