"""The addresses of offerings, one module a subject."""

from offerings.urls import (
    acceptances,
    adjudications,
    buyers,
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
    *buyers.urlpatterns,
    *merges.urlpatterns,
    *documents.urlpatterns,
]
