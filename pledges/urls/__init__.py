"""The addresses of pledges, one module a subject."""

from pledges.urls import pledges, releases

urlpatterns = [
    *pledges.urlpatterns,
    *releases.urlpatterns,
]
