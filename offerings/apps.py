from django.apps import AppConfig


class OfferingsConfig(AppConfig):
    name = "offerings"
    verbose_name = "Programas de enajenación"

    def ready(self) -> None:
        from buyers.services.documents import FOLLOWERS
        from offerings.services.participation_acts import document_follow

        if document_follow not in FOLLOWERS:
            FOLLOWERS.append(document_follow)
