"""Addresses of the pledges: the list, its export, one pledge."""

from django.urls import path

from pledges.views import pledge_lists, pledges

urlpatterns = [
    path("prendas/", pledge_lists.pledge_list, name="pledges"),
    path("prendas/exportar.<str:kind>", pledge_lists.pledges_export, name="pledges_export"),
    path("prendas/<int:pk>/", pledges.pledge_detail, name="pledge"),
]
