"""The address of the merge of two buyers."""

from django.urls import path

from offerings.views import merges as views

urlpatterns = [
    path("compradores/<int:pk>/unir/", views.buyer_merge_view, name="buyer_merge"),
]
