"""Addresses of early exits: requests, quotes, their money, decisions, the readings."""

from django.urls import path

from pledges.views import (
    penalty_payments,
    penalty_readings,
    quote_papers,
    quotes,
    request_acts,
    request_closings,
    request_ends,
    request_lists,
    requests,
)

PLEDGE, ONE, QUOTE = "prendas/<int:pk>", "solicitudes/<int:pk>", "liquidaciones/<int:pk>"
READINGS = "programas/<slug:slug>/lecturas-de-la-sancion"

urlpatterns = [
    path("solicitudes/", request_lists.request_list, name="release_requests"),
    path(
        "solicitudes/exportar.<str:kind>",
        request_lists.requests_export,
        name="release_requests_export",
    ),
    path(f"{PLEDGE}/solicitudes/nueva/", request_acts.request_new, name="release_request_new"),
    path(f"{PLEDGE}/incumplimiento/", request_acts.request_breach, name="release_request_breach"),
    path(f"{PLEDGE}/cuanto-costaria/", quotes.penalty_what_if, name="penalty_what_if"),
    path(f"{ONE}/", requests.request_detail, name="release_request"),
    path(f"{ONE}/enajenacion/", request_acts.request_sale, name="release_request_sale"),
    path(
        f"{ONE}/enajenacion/archivo/",
        requests.request_sale_file,
        name="release_request_sale_file",
    ),
    path(f"{ONE}/desistir/", request_ends.request_withdraw, name="release_request_withdraw"),
    path(f"{ONE}/reabrir/", request_ends.request_reopen, name="release_request_reopen"),
    path(f"{ONE}/cerrar/", request_closings.closing_new, name="release_request_close"),
    path(
        "solicitudes/cierres/<int:pk>/revisar/",
        request_closings.closing_review,
        name="release_request_closing_review",
    ),
    path(f"{ONE}/decision/", request_closings.decision_new, name="fund_decision_new"),
    path(
        "solicitudes/decisiones/<int:pk>/revisar/",
        request_closings.decision_review,
        name="fund_decision_review",
    ),
    path(f"{ONE}/liquidar/", quotes.quote_new, name="quote_new"),
    path(f"{ONE}/pagos/nuevo/", penalty_payments.payment_new, name="penalty_payment_new"),
    path(f"{ONE}/devolver/", penalty_payments.refund_new, name="penalty_refund_new"),
    path(f"{QUOTE}/", quotes.quote_detail, name="quote"),
    path(f"{QUOTE}/pdf/", quote_papers.quote_pdf, name="quote_pdf"),
    path(f"{QUOTE}/fijar/", quotes.quote_settle, name="quote_accept"),
    path(f"{QUOTE}/otras-lecturas/", quotes.quote_other_readings, name="quote_other_readings"),
    path(f"{READINGS}/", penalty_readings.readings_page, name="penalty_readings"),
    path(f"{READINGS}/nueva/", penalty_readings.readings_new, name="penalty_readings_new"),
    path(
        "lecturas-de-la-sancion/<int:pk>/revisar/",
        penalty_readings.readings_review,
        name="penalty_readings_review",
    ),
]
