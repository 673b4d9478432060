"""Every address of the house."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from config import home, search

urlpatterns = [
    path("", home.home, name="home"),
    path("buscar/", search.search, name="search"),
    path("entrar/", auth_views.LoginView.as_view(), name="login"),
    path("salir/", auth_views.LogoutView.as_view(), name="logout"),
    path("clave/", auth_views.PasswordChangeView.as_view(), name="password_change"),
    path("clave/hecho/", auth_views.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path("", include("office.urls")),
    path("", include("buyers.urls")),
    path("", include("offerings.urls")),
    path("", include("pledges.urls")),
    path("admin/", admin.site.urls),
]
