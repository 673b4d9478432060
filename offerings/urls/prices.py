"""Addresses of the index, of the auction and of the reference trades."""

from django.urls import path

from offerings.views import cpi, cpi_files, price_lists, trades

CPI = "indices"
INDEX = f"{CPI}/<int:pk>"
FILES = f"{CPI}/archivos"
ONE = f"{FILES}/<int:pk>"
TRADES = "programas/<slug:slug>/operaciones"
TRADE = f"{TRADES}/<int:pk>"
AUCTIONS = "programas/<slug:slug>/martillos"

urlpatterns = [
    path(f"{CPI}/", cpi.cpi_table, name="cpi"),
    path(f"{CPI}/nuevo/", cpi.cpi_new, name="cpi_new"),
    path(f"{CPI}/meses/", price_lists.cpi_months, name="cpi_months"),
    path(
        f"{CPI}/meses/exportar.<str:kind>", price_lists.cpi_months_export, name="cpi_months_export"
    ),
    path(f"{INDEX}/", cpi.cpi_index, name="cpi_index"),
    path(f"{INDEX}/corregir/", cpi.cpi_correct_view, name="cpi_correct"),
    path(f"{INDEX}/retirar/", cpi.cpi_withdraw_view, name="cpi_withdraw"),
    path(f"{FILES}/", price_lists.cpi_imports, name="cpi_imports"),
    path(
        f"{FILES}/exportar.<str:kind>", price_lists.cpi_imports_export, name="cpi_imports_export"
    ),
    path(f"{FILES}/nuevo/", cpi_files.cpi_import_new, name="cpi_import_new"),
    path(f"{ONE}/", cpi_files.cpi_import, name="cpi_import"),
    path(f"{ONE}/cargar/", cpi_files.cpi_import_confirm_view, name="cpi_import_confirm"),
    path(f"{ONE}/descartar/", cpi_files.cpi_import_discard_view, name="cpi_import_discard"),
    path(f"{ONE}/archivo/", cpi_files.cpi_import_original, name="cpi_import_original"),
    path("operaciones/", price_lists.trade_list, name="trades"),
    path("operaciones/exportar.<str:kind>", price_lists.trades_export, name="trades_export"),
    path(f"{TRADES}/", trades.trades_programme, name="trades_programme"),
    path(f"{TRADES}/nueva/", trades.trade_new, name="trade_new"),
    path(f"{TRADE}/corregir/", trades.trade_correct_view, name="trade_correct"),
    path(f"{TRADE}/retirar/", trades.trade_withdraw_view, name="trade_withdraw"),
    path(f"{AUCTIONS}/nuevo/", trades.auction_session_new, name="auction_session_new"),
    path(
        f"{AUCTIONS}/<int:pk>/retirar/",
        trades.auction_session_withdraw_view,
        name="auction_session_withdraw",
    ),
]
