from django.apps import AppConfig


class PledgesConfig(AppConfig):
    name = "pledges"
    verbose_name = "Prendas"
