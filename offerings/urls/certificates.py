"""Addresses of certificates, of notices of award, and of their annulment."""

from django.urls import path

from offerings.views import annulments, certificate_batches, certificate_lists
from offerings.views import certificates as views

ONE = "certificados/<int:pk>"
ANNULMENT = "certificados/anulaciones/<int:pk>"

urlpatterns = [
    path("certificados/", certificate_lists.certificate_list, name="certificates"),
    path("certificados/zip/", certificate_lists.certificates_zip, name="certificates_zip"),
    path(
        "certificados/exportar.<str:kind>",
        certificate_lists.certificates_export,
        name="certificates_export",
    ),
    path(
        "certificados/generar/", certificate_lists.certificates_redraw, name="certificates_redraw"
    ),
    path(
        "certificados/expedir/", certificate_batches.certificates_issue, name="certificates_issue"
    ),
    path(f"{ONE}/", views.certificate, name="certificate"),
    path(f"{ONE}/pdf/", views.certificate_pdf, name="certificate_pdf"),
    path(f"{ONE}/generar/", views.certificate_redraw, name="certificate_redraw"),
    path(f"{ONE}/anular/", annulments.certificate_annul_view, name="certificate_annul"),
    *(
        path(
            f"{ANNULMENT}/{word}/",
            annulments.certificate_annulment_decision,
            {"outcome": outcome},
            name=f"certificate_annulment_{name}",
        )
        for word, (name, outcome) in annulments.OUTCOMES.items()
    ),
    path("pagos/<int:award_pk>/certificado/", views.certificate_new, name="certificate_new"),
    path("pagos/<int:award_pk>/constancia/", views.notice_new, name="certificate_notice"),
]
