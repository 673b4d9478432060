"""Addresses of files of acceptances."""

from django.urls import path

from offerings.views import import_acts, import_lists, imports

STAGE = "programas/<slug:slug>/etapas/<int:number>"
ONE = "importaciones/<int:pk>"

urlpatterns = [
    path(f"{STAGE}/importar/", import_acts.import_new, name="import_new"),
    path(f"{STAGE}/importaciones/", import_lists.import_list, name="imports"),
    path(
        f"{STAGE}/importaciones/exportar.<str:kind>",
        import_lists.imports_export,
        name="imports_export",
    ),
    path("importaciones/modelo.csv", imports.import_template, name="import_template"),
    path(f"{ONE}/", imports.import_detail, name="import"),
    path(f"{ONE}/filas.<str:kind>", import_lists.import_export, name="import_export"),
    path(f"{ONE}/columnas/", import_acts.import_columns_view, name="import_columns"),
    path(f"{ONE}/diferencias/", import_acts.import_decide_view, name="import_decide"),
    path(f"{ONE}/cargar/", import_acts.import_confirm_view, name="import_confirm"),
    path(f"{ONE}/descartar/", import_acts.import_discard_view, name="import_discard"),
    path(f"{ONE}/errores.<str:kind>", imports.import_errors, name="import_errors"),
    path(f"{ONE}/archivo/", imports.import_file, name="import_file"),
]
