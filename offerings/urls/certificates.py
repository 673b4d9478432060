"""Addresses of allotment certificates."""

from django.urls import path

from offerings.views import certificates as views

urlpatterns = [
    path("certificados/", views.certificate_list, name="certificates"),
    path("certificados/<int:pk>/", views.certificate, name="certificate"),
    path("certificados/<int:pk>/pdf/", views.certificate_pdf, name="certificate_pdf"),
    path("certificados/<int:pk>/generar/", views.certificate_redraw, name="certificate_redraw"),
    path("pagos/<int:award_pk>/certificado/", views.certificate_new, name="certificate_new"),
    path(
        "programas/<slug:slug>/certificados/",
        views.certificates_issue,
        name="certificates_issue",
    ),
]
