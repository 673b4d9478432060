"""The addresses of pledges, one module a subject."""

from pledges.urls import pledges

urlpatterns = [
    *pledges.urlpatterns,
]
