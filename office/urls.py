"""Addresses that belong to no app: alive, jobs, kept views, verification."""

from django.urls import path

from office import list_views, verification, views

urlpatterns = [
    path("viva/", views.alive, name="alive"),
    path("procesos/", list_views.job_list, name="jobs"),
    path("procesos/exportar.<str:kind>", list_views.jobs_export, name="jobs_export"),
    path("procesos/<int:pk>/", views.job_detail, name="job"),
    path("procesos/<int:pk>/detener/", views.job_stop_view, name="job_stop"),
    path("procesos/<int:pk>/volver-a-empezar/", views.job_restart_view, name="job_restart"),
    path("vistas/nueva/", list_views.saved_view_new, name="saved_view_new"),
    path("vistas/<int:pk>/", list_views.saved_view, name="saved_view"),
    path("vistas/<int:pk>/borrar/", list_views.saved_view_forget, name="saved_view_delete"),
    path("verificar/", verification.verify, name="verify_search"),
    path("verificar/<str:code>/", verification.verify, name="verify"),
]
