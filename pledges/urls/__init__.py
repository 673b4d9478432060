"""The addresses of pledges, one module a subject."""

from pledges.urls import pledges, releases, requests

urlpatterns = [
    *pledges.urlpatterns,
    *requests.urlpatterns,
    *releases.urlpatterns,
]
