"""The addresses of pledges, one module a subject."""

from pledges.urls import measures, pledges, releases, requests

urlpatterns = [
    *pledges.urlpatterns,
    *requests.urlpatterns,
    *releases.urlpatterns,
    *measures.urlpatterns,
]
