"""Addresses of the second look at documents."""

from django.urls import path

from offerings.views import documents, verification

urlpatterns = [
    path("documentos/", documents.document_list, name="documents"),
    path("documentos/exportar.<str:kind>", documents.documents_export, name="documents_export"),
    path(
        "documentos/<int:pk>/verificar/", verification.document_verify_view, name="document_verify"
    ),
]
