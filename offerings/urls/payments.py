"""Addresses of payments."""

from django.urls import path

from offerings.views import payments as views

urlpatterns = [
    path("pagos/", views.payment_list, name="payments"),
    path("pagos/<int:award_pk>/", views.payment_award, name="payment_award"),
    path("pagos/<int:award_pk>/nuevo/", views.payment_new, name="payment_new"),
]
