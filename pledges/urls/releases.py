"""Addresses of releases, of their annulment and of their certificates."""

from django.urls import path

from offerings.views.annulments import OUTCOMES
from pledges.views import (
    release_acts,
    release_annulments,
    release_certificates,
    release_lists,
    releases,
)

ONE = "levantamientos/<int:pk>"
LINE = "levantamientos/lineas/<int:pk>"

urlpatterns = [
    path("levantamientos/", release_lists.release_list, name="releases"),
    path(
        "levantamientos/exportar.<str:kind>", release_lists.releases_export, name="releases_export"
    ),
    path("levantamientos/nuevo/", release_acts.release_batch_new, name="release_batch_new"),
    path(
        "levantamientos/certificados/",
        release_certificates.release_certificates,
        name="release_certificates",
    ),
    path(f"{ONE}/", releases.release_detail, name="release"),
    path(f"{ONE}/lineas.<str:kind>", release_lists.release_lines_export, name="release_export"),
    *(
        path(
            f"{ONE}/{word}/",
            releases.release_decision,
            {"outcome": outcome},
            name=f"release_{name}",
        )
        for word, (name, outcome) in OUTCOMES.items()
    ),
    path(
        "solicitudes-despignoracion/<int:pk>/levantar/",
        release_acts.release_new,
        name="release_new",
    ),
    path(
        f"{LINE}/certificado/",
        release_certificates.release_certificate_new,
        name="release_certificate_new",
    ),
    path(f"{LINE}/anular/", release_annulments.release_annul, name="release_annul"),
    path(
        "levantamientos/anulaciones/<int:pk>/",
        release_annulments.release_annulment,
        name="release_annulment",
    ),
    *(
        path(
            f"levantamientos/anulaciones/<int:pk>/{word}/",
            release_annulments.release_annulment_decision,
            {"outcome": outcome},
            name=f"release_annulment_{name}",
        )
        for word, (name, outcome) in OUTCOMES.items()
    ),
]
