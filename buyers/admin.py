"""Brokers, exchanges and who works for a broker are kept here; buyers are only looked up."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.messages import INFO, SUCCESS
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest, HttpResponse

from buyers.enums import IdentityType
from buyers.models import Broker, BrokerUser, Buyer, Document, Exchange
from office.admin_bases import ActiveAdmin, ReadOnlyAdmin, RoleAdmin
from office.forms import CleanTextField
from office.identities import IdentityError, read_identity
from office.models import User
from office.roles import Capability, Role
from office.text import fold

WIDE = {"class": "vTextField"}


class BrokerForm(forms.ModelForm):
    name = CleanTextField(label="Razón social", max_length=200, widget=forms.TextInput(WIDE))
    # Longer than its column: people write it with dots and blanks.
    nit = CleanTextField(
        label="NIT", max_length=20, help_text="Con dígito de verificación: 800.197.268-4."
    )

    class Meta:
        model = Broker
        fields = ("name", "nit", "is_active")

    def clean_nit(self) -> str:
        """The NIT in the one form in which it is kept, its check digit right."""
        try:
            identity = read_identity(IdentityType.NIT, self.cleaned_data["nit"])
        except IdentityError as error:
            raise ValidationError(str(error)) from error
        return f"{identity.number}-{identity.check_digit}"


class ExchangeForm(forms.ModelForm):
    name = CleanTextField(label="Nombre", max_length=120, widget=forms.TextInput(WIDE))

    class Meta:
        model = Exchange
        fields = ("name", "is_active")


class BrokerUserForm(forms.ModelForm):
    class Meta:
        model = BrokerUser
        fields = ("user", "broker")

    def clean_user(self) -> User:
        """Someone who sees everything cannot also be somebody's broker."""
        user: User = self.cleaned_data["user"]
        if Role.BROKER not in user.roles or user.roles - {Role.BROKER}:
            raise ValidationError(
                "Debe tener el rol de comisionista y ningún otro: cámbielo antes en Usuarios."
            )
        return user


class SavedAdmin(admin.ModelAdmin):
    """Says «Se guardó: …»: Django's own sentence takes every name for a masculine one."""

    def response_add(self, request: HttpRequest, obj: models.Model, *more: Any) -> HttpResponse:
        request.saved = obj
        return super().response_add(request, obj, *more)

    def response_change(self, request: HttpRequest, obj: models.Model) -> HttpResponse:
        request.saved = obj
        return super().response_change(request, obj)

    def message_user(
        self, request: HttpRequest, message: Any, level: int | str = INFO, *more: Any, **named: Any
    ) -> None:
        saved = getattr(request, "saved", None)
        if saved is not None and level == SUCCESS:
            message = f"Se guardó: {saved}."
        super().message_user(request, message, level, *more, **named)


@admin.register(Exchange)
class ExchangeAdmin(SavedAdmin, ActiveAdmin):
    form = ExchangeForm
    list_display = ("name", "is_active")
    search_fields = ("name",)


@admin.register(Broker)
class BrokerAdmin(SavedAdmin, ActiveAdmin):
    form = BrokerForm
    list_display = ("name", "nit", "is_active")
    search_fields = ("name", "nit")
    search_help_text = "Razón social o NIT sin puntos"


@admin.register(BrokerUser)
class BrokerUserAdmin(SavedAdmin, RoleAdmin):
    looks = ()
    keeps = (Capability.REFERENCE,)
    form = BrokerUserForm
    list_display = ("user", "broker")
    list_select_related = ("user", "broker")
    list_filter = ("broker",)


@admin.register(Buyer)
class BuyerAdmin(ReadOnlyAdmin):
    list_display = ("name", "identity", "kind", "registered_at")
    list_filter = ("kind", "identity_type")
    search_fields = ("name_folded", "identity_number")
    search_help_text = "Nombre, o número del documento sin puntos"

    def get_search_results(self, request: Any, rows: Any, text: str) -> tuple[Any, bool]:
        return super().get_search_results(request, rows, fold(text))


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__", "buyer", "seen_by", "seen_at", "verified_by", "verified_at", "replaced_at",
    )  # fmt: skip
    list_filter = ("kind", "year", ("verified_at", admin.EmptyFieldListFilter))
    list_select_related = ("buyer", "seen_by", "verified_by")
    search_fields = ("buyer__identity_number", "exchange_reference")
