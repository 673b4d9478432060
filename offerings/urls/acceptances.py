from django.urls import path

from offerings.views import acceptance_lists, acceptances, withdrawals

STAGE = "programas/<slug:slug>/etapas/<int:number>/aceptaciones/"

urlpatterns = [
    path("aceptaciones/", acceptance_lists.acceptance_list, name="acceptances"),
    path("aceptaciones/exportar/", acceptance_lists.acceptance_export, name="acceptances_export"),
    path("aceptaciones/<int:pk>/", acceptances.acceptance_detail, name="acceptance"),
    path(
        "aceptaciones/<int:pk>/retirar/",
        withdrawals.acceptance_withdraw_view,
        name="acceptance_withdraw",
    ),
    path(f"{STAGE}nueva/", acceptances.acceptance_new, name="acceptance_new"),
    path(f"{STAGE}nueva/limite/", acceptances.acceptance_limit, name="acceptance_limit"),
    path(f"{STAGE}nueva/papeles/", acceptances.acceptance_papers, name="acceptance_papers"),
]
