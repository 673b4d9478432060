"""Addresses of measures, of the Fund's rights, of the lender's notice and of transfers."""

from django.urls import path

from pledges.views import measures, rights, transfers

ONE = "prendas/<int:pk>"

urlpatterns = [
    path(f"{ONE}/medidas/nueva/", measures.attachment_new, name="pledge_attachment_new"),
    path(
        "prendas/medidas/<int:pk>/levantar/",
        measures.attachment_lift_view,
        name="pledge_attachment_lift",
    ),
    path(f"{ONE}/derechos/ejercer/", rights.rights_new, name="pledge_rights_new"),
    path("prendas/derechos/<int:pk>/terminar/", rights.rights_end_view, name="pledge_rights_end"),
    path(
        "solicitudes/<int:pk>/aviso-al-acreedor/",
        rights.lender_notice_new,
        name="pledge_lender_notice_new",
    ),
    path(f"{ONE}/transferencias/nueva/", transfers.transfer_new, name="pledge_transfer_new"),
    path(f"{ONE}/sucesion/", transfers.inheritance_new, name="pledge_inheritance_new"),
]
