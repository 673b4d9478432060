"""The addresses of offerings, one module a subject."""

from offerings.urls import (
    acceptances,
    adjudications,
    bank_files,
    buyers,
    certificates,
    documents,
    imports,
    merges,
    payments,
    prices,
    programmes,
    reports,
)

urlpatterns = [
    *programmes.urlpatterns,
    *reports.urlpatterns,
    *acceptances.urlpatterns,
    *imports.urlpatterns,
    *adjudications.urlpatterns,
    *payments.urlpatterns,
    *bank_files.urlpatterns,
    *prices.urlpatterns,
    *certificates.urlpatterns,
    *buyers.urlpatterns,
    *merges.urlpatterns,
    *documents.urlpatterns,
]
