from django.apps import AppConfig


class OfferingsConfig(AppConfig):
    name = "offerings"
    verbose_name = "Programas de enajenación"

    def ready(self) -> None:
        from buyers.selectors.dossier import KINDS
        from buyers.selectors.notices import TELLERS
        from buyers.services.documents import FOLLOWERS
        from buyers.services.merges import HOLDERS, MERGERS
        from offerings.selectors import dossier
        from offerings.selectors.class_findings import false_class_notices
        from offerings.services.merges import parts_merge, stages_hold
        from offerings.services.participation_acts import document_follow

        for heard, act in (
            (FOLLOWERS, document_follow),
            (HOLDERS, stages_hold),
            (MERGERS, parts_merge),
            (TELLERS, false_class_notices),
        ):
            if act not in heard:
                heard.append(act)
        KINDS.extend(kind for kind in dossier.KINDS if kind not in KINDS)
