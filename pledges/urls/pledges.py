"""Addresses of the pledges: the list, one pledge, how pledges are opened and entered."""

from django.urls import path

from pledges.views import entries, holders, maturities, openings, pledge_lists, pledges

HOLDER = "compradores/<int:pk>/prendas"

urlpatterns = [
    path("prendas/", pledge_lists.pledge_list, name="pledges"),
    path("prendas/exportar.<str:kind>", pledge_lists.pledges_export, name="pledges_export"),
    path("prendas/por-mes/", maturities.pledges_by_month, name="pledges_by_month"),
    path("prendas/constituir/<int:award_pk>/", openings.pledge_new, name="pledge_new"),
    path(
        "prendas/constituir/programas/<slug:slug>/",
        openings.pledges_open_view,
        name="pledges_open",
    ),
    path(
        "prendas/anotar/programas/<slug:slug>/",
        entries.pledges_enter_view,
        name="pledges_enter",
    ),
    path("prendas/<int:pk>/", pledges.pledge_detail, name="pledge"),
    path("prendas/<int:pk>/anotacion/", entries.pledge_enter_view, name="pledge_enter"),
    path(f"{HOLDER}/", holders.holder_position_view, name="holder_position"),
    path(f"{HOLDER}/pdf/", holders.holder_statement_pdf, name="holder_statement_pdf"),
]
