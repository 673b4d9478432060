"""The addresses of buyers and of their papers."""

from django.urls import path

from buyers import views
from buyers.views import dossiers, lists

urlpatterns = [
    path("compradores/", lists.buyer_list, name="buyers"),
    path("compradores/exportar.<str:kind>", lists.buyers_export, name="buyers_export"),
    path("compradores/nuevo/", views.buyer_new, name="buyer_new"),
    path("compradores/<int:pk>/", views.buyer_detail, name="buyer"),
    path("compradores/<int:pk>/historia/", views.buyer_history_view, name="buyer_history"),
    path("compradores/<int:pk>/exportar/", dossiers.buyer_dossier, name="buyer_dossier"),
    path("compradores/<int:pk>/corregir/", views.buyer_change_view, name="buyer_change"),
    path("compradores/<int:pk>/documentos/nuevo/", views.document_new, name="document_new"),
    path("documentos/<int:pk>/archivo/", views.document_file, name="document_file"),
    path("documentos/<int:pk>/reemplazar/", views.document_replace_view, name="document_replace"),
]
