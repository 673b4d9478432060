"""Addresses of files of acceptances."""

from django.urls import path

from offerings.views import imports

STAGE = "programas/<slug:slug>/etapas/<int:number>"
ONE = "importaciones/<int:pk>"

urlpatterns = [
    path(f"{STAGE}/importar/", imports.import_new, name="import_new"),
    path(f"{STAGE}/importaciones/", imports.import_list, name="imports"),
    path("importaciones/modelo.csv", imports.import_template, name="import_template"),
    path(f"{ONE}/", imports.import_detail, name="import"),
    path(f"{ONE}/errores.csv", imports.import_errors, name="import_errors"),
    path(f"{ONE}/archivo/", imports.import_file, name="import_file"),
]
