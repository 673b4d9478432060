"""Addresses of a bank's files of payments."""

from django.urls import path

from offerings.views import bank_file_acts, bank_files

FILES = "pagos/archivos"
ONE = f"{FILES}/<int:pk>"

urlpatterns = [
    path(f"{FILES}/", bank_files.bank_file_list, name="bank_files"),
    path(f"{FILES}/exportar.<str:kind>", bank_files.bank_files_export, name="bank_files_export"),
    path(f"{FILES}/nuevo/", bank_file_acts.bank_file_new, name="bank_file_new"),
    path(f"{FILES}/modelo.csv", bank_files.bank_file_template, name="bank_file_template"),
    path(f"{ONE}/", bank_files.bank_file_detail, name="bank_file"),
    path(f"{ONE}/columnas/", bank_file_acts.bank_file_columns_view, name="bank_file_columns"),
    path(f"{ONE}/registrar/", bank_file_acts.bank_file_confirm_view, name="bank_file_confirm"),
    path(f"{ONE}/descartar/", bank_file_acts.bank_file_discard_view, name="bank_file_discard"),
    path(f"{ONE}/errores.<str:kind>", bank_files.bank_file_errors, name="bank_file_errors"),
    path(f"{ONE}/archivo/", bank_files.bank_file_original, name="bank_file_original"),
]
