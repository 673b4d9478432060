"""The addresses of offerings, one module a subject."""

from offerings.urls import (
    acceptances,
    adjudications,
    certificates,
    documents,
    imports,
    merges,
    payments,
    programmes,
)

urlpatterns = [
    *programmes.urlpatterns,
    *acceptances.urlpatterns,
    *imports.urlpatterns,
    *adjudications.urlpatterns,
    *payments.urlpatterns,
    *certificates.urlpatterns,
    *merges.urlpatterns,
    *documents.urlpatterns,
]
