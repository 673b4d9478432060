"""Addresses of the reports on a stage."""

from django.urls import path

from offerings.views import reports

REPORTS = "programas/<slug:slug>/etapas/<int:number>/informes"

urlpatterns = [
    path(f"{REPORTS}/", reports.programme_reports, name="programme_reports"),
    path(f"{REPORTS}/bolsa/<int:pk>/", reports.report_exchange, name="report_exchange"),
    path(f"{REPORTS}/comisionista/<int:pk>/", reports.report_broker, name="report_broker"),
    path(f"{REPORTS}/accionistas/", reports.report_register, name="report_register"),
    path(f"{REPORTS}/junta/", reports.report_board, name="report_board"),
]
