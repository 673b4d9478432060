from django.apps import AppConfig


class PledgesConfig(AppConfig):
    name = "pledges"
    verbose_name = "Prendas"

    def ready(self) -> None:
        """Tell those below, who know nothing of pledges, what pledges add to theirs."""
        self._certificates()
        self._awards()
        self._annulments()
        self._buyers()
        self._programmes()

    def _certificates(self) -> None:
        from offerings.selectors.certificates import ANSWERS, FACTS_PAGES, KIND_LABELS
        from office.annulments import ELSEWHERE
        from pledges.selectors.release_certificates import (
            FACTS_PAGE,
            KIND_LABEL,
            RELEASE_KIND,
            TEMPLATE,
            annulled_with_release,
            release_answers,
        )

        KIND_LABELS[RELEASE_KIND] = KIND_LABEL
        FACTS_PAGES[TEMPLATE] = FACTS_PAGE
        for heard, act in ((ELSEWHERE, annulled_with_release), (ANSWERS, release_answers)):
            if act not in heard:
                heard.append(act)

    def _awards(self) -> None:
        from offerings.selectors.award_links import LINKERS
        from pledges.selectors.opening import award_pledge_links

        if award_pledge_links not in LINKERS:
            LINKERS.append(award_pledge_links)

    def _annulments(self) -> None:
        from offerings.services.annulments import DEPENDANTS
        from pledges.services.run_annulments import RUN_PLEDGES

        if RUN_PLEDGES not in DEPENDANTS:
            DEPENDANTS.append(RUN_PLEDGES)

    def _buyers(self) -> None:
        from buyers.selectors.dossier import KINDS
        from buyers.selectors.notices import TELLERS
        from buyers.services.merges import HOLDERS, MERGERS
        from pledges.selectors import dossier
        from pledges.selectors.notices import attached_notices
        from pledges.services.merges import awards_hold, pledges_merge

        for heard, act in (
            (HOLDERS, awards_hold),
            (MERGERS, pledges_merge),
            (TELLERS, attached_notices),
        ):
            if act not in heard:
                heard.append(act)
        KINDS.extend(kind for kind in dossier.KINDS if kind not in KINDS)

    def _programmes(self) -> None:
        from offerings.selectors.programme_parts import PARTS
        from pledges.selectors.maturities import programme_maturities

        if programme_maturities not in PARTS:
            PARTS.append(programme_maturities)
