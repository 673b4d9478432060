"""Addresses that belong to no app: alive, jobs, verification."""

from django.urls import path

from office import verification, views

urlpatterns = [
    path("viva/", views.alive, name="alive"),
    path("procesos/", views.job_list, name="jobs"),
    path("procesos/<int:pk>/", views.job_detail, name="job"),
    path("procesos/<int:pk>/detener/", views.job_stop_view, name="job_stop"),
    path("procesos/<int:pk>/volver-a-empezar/", views.job_restart_view, name="job_restart"),
    path("verificar/", verification.verify, name="verify_search"),
    path("verificar/<str:code>/", verification.verify, name="verify"),
]
