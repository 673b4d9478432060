"""The tabs of a buyer's page that are about the programmes."""

from django.urls import path

from offerings.views import buyers as views

urlpatterns = [
    path("compradores/<int:pk>/programas/", views.buyer_parts, name="buyer_parts"),
    path("compradores/<int:pk>/pagos/", views.buyer_payments, name="buyer_payments"),
]
