"""Addresses of payments, refunds and of what is done about unpaid awards."""

from django.urls import path

from offerings.views import (
    defaults,
    payment_lists,
    payment_receipts,
    payments,
    refunds,
    statements,
)

ONE = "pagos/<int:award_pk>"
STATEMENT = "compradores/<int:pk>/estado-de-cuenta"

urlpatterns = [
    path("pagos/", payment_lists.payment_list, name="payments"),
    path("pagos/exportar.<str:kind>", payment_lists.payments_export, name="payments_export"),
    path("pagos/por-devolver/", payment_lists.refund_list, name="refunds"),
    path(
        "pagos/por-devolver/exportar.<str:kind>",
        payment_lists.refunds_export,
        name="refunds_export",
    ),
    path(f"{ONE}/", payments.payment_award, name="payment_award"),
    path(f"{ONE}/nuevo/", payments.payment_new, name="payment_new"),
    path(f"{ONE}/devolver/", refunds.refund_new, name="refund_new"),
    path(f"{ONE}/falta-de-pago/", defaults.default_new, name="default_new"),
    path("pagos/recibos/<int:pk>/", payment_receipts.payment_receipt_page, name="payment_receipt"),
    path(
        "pagos/recibos/<int:pk>/pdf/",
        payment_receipts.payment_receipt_pdf,
        name="payment_receipt_pdf",
    ),
    path("pagos/falta-de-pago/<int:pk>/", defaults.default_detail, name="default"),
    path("pagos/falta-de-pago/<int:pk>/revisar/", defaults.default_review, name="default_review"),
    path(f"{STATEMENT}/", statements.buyer_statement, name="buyer_statement"),
    path(f"{STATEMENT}/pdf/", statements.buyer_statement_pdf, name="buyer_statement_pdf"),
    path(f"{STATEMENT}/xlsx/", statements.buyer_statement_xlsx, name="buyer_statement_xlsx"),
]
