"""The office as a Django app."""

from django.apps import AppConfig


class OfficeConfig(AppConfig):
    name = "office"
    verbose_name = "Oficina"

    def ready(self) -> None:
        """Register the start-up check of the libraries that PDFs need."""
        from office import pdf  # noqa: F401
