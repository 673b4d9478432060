"""A programme walked through the screens alone, as its people would: each step posts a form, looks
at its review and confirms it. People, acts and figures are made up."""

import re
from typing import Any
from uuid import uuid4

from django.urls import reverse

from buyers.services import buyer_register
from offerings.decrees.fund_values import FUND_KEYS, READINGS
from offerings.forms.papers import paper_terms
from offerings.models import Acceptance, Adjudication, Award, FundRules, Stage
from offerings.selectors.programmes import stage_terms
from offerings.services.adjudications import adjudication_run

REFUSED = 422
COMMON = {
    "stage_months": "2",
    "adjudication_rule": "pro_rata",
    "payment_term_days": "30",
    "payment_guarantee": "si",
    "signatory_name": "Clara Supuesta Muestra",
    "signatory_title": "Directora (E)",
    "readmit_left_out": "no",
}


def silent(*told) -> None:
    """A report that nobody reads."""


def text_of(response) -> str:
    """The words of a page, blanks in one."""
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(plain.replace("\u00a0", " ").replace("\u2011", "-").split())


class Walk:
    """A programme on its way, `analyst` preparing and `supervisor`, another, approving."""

    def __init__(self, client, slug, analyst, supervisor, typed, sources=None) -> None:
        """`typed`: the Fund's values as they are typed; `sources`: their acts, where not the
        common one."""
        self.client, self.slug = client, slug
        self.analyst, self.supervisor = analyst, supervisor
        self.typed, self.sources = typed, sources or {}

    def get(self, user, name: str, *args) -> str:
        self.client.force_login(user)
        return text_of(self.client.get(reverse(name, args=[self.slug, *args])))

    def post(self, user, name: str, *args, **typed):
        self.client.force_login(user)
        return self.client.post(reverse(name, args=[self.slug, *args]), typed)

    def open_programme(self) -> str:
        """Open it from its decree; gives its page."""
        self.client.force_login(self.analyst)
        self.client.post(reverse("programme_open"), {"slug": self.slug})
        return self.get(self.analyst, "programme")

    def enter_rules(self, version: int = 1, **changes) -> Any:
        """Type the Fund's rules into a new version and go on to their review."""
        self.post(self.analyst, "fund_rules")
        typed = {"common_source": "Resolución ficticia 7 del Fondo", **self.typed}
        typed |= {f"{key}_source": source for key, source in self.sources.items()}
        return self.post(self.analyst, "fund_rules_edit", version, **typed | changes)

    def confirm_rules(self, version: int = 1) -> dict[str, Any]:
        """Send them to review and have the other person approve; gives the terms they lead to."""
        assert self.post(self.analyst, "fund_rules_submit", version).status_code == 302
        own = self.post(self.analyst, "fund_rules_review", version, decision="aprobar")
        assert own.status_code == 403
        approved = self.post(self.supervisor, "fund_rules_review", version, decision="aprobar")
        assert approved.status_code == 302
        return FundRules.objects.get(programme__slug=self.slug, version=version).terms

    def notice(self, day: str) -> None:
        self._confirmed(
            self.post(
                self.analyst,
                "notice_new",
                published_on=day,
                medium="El Diario Ficticio",
                reference="página 4B",
                paso="confirmar",
            )
        )

    def credit_line(self, day: str) -> None:
        self._confirmed(
            self.post(
                self.analyst,
                "credit_line_new",
                lender="Banco Inventado",
                opened_on=day,
                reference="carta 18",
                paso="confirmar",
            )
        )

    def open_stage(self, day: str) -> Any:
        return self.post(
            self.supervisor,
            "stage_open",
            1,
            opened_on=day,
            opened_time="9:00",
            paso="confirmar",
        )

    def close_stage(self, day: str) -> None:
        self._confirmed(
            self.post(
                self.supervisor,
                "stage_close",
                1,
                closed_on=day,
                closed_time="17:00",
                paso="confirmar",
            )
        )

    def _confirmed(self, response) -> None:
        assert response.status_code == 302, text_of(response)

    def buyer(self, identity: str, name: str, kind: str = "natural"):
        """A buyer in the register: no part of this walk's forms."""
        representative = {
            "representative_name": "Óscar Prueba Ñungo",
            "representative_identity_type": "CC",
            "representative_identity_number": "79.000.118",
        }
        return buyer_register(
            user=self.analyst,
            kind=kind,
            identity_type="NIT" if kind == "organisation" else "CC",
            identity_number=identity,
            name=name,
            **(representative if kind == "organisation" else {}),
        )

    def present(self, buyer, buyer_class: str, requested: str, day: str, **typed) -> Acceptance:
        """Register an acceptance through its form; see `answer` for what is typed."""
        response = self.answer(buyer, buyer_class, requested, day, paso="registrar", **typed)
        self._confirmed(response)
        return Acceptance.objects.get(pk=int(response.url.rstrip("/").rsplit("/", 1)[-1]))

    def answer(self, buyer, buyer_class: str, requested: str, day: str, **typed):
        """Post the acceptance form. `papers`: figures by document kind, in the decree's order,
        each paper with its reference; `declares`: the express declarations to tick (all, unless
        told)."""
        papers = typed.pop("papers", {})
        form = {
            "buyer": f"{buyer.name} · {buyer.identity}",
            "buyer_class": buyer_class,
            "requested": requested,
            "received_on": day,
            "received_time": "10:42",
            "submission_key": str(uuid4()),
            **self._papers_typed(papers),
            **self._declared(typed.pop("declares", None)),
            **typed,
        }
        return self.post(self.analyst, "acceptance_new", 1, **form)

    def _papers_typed(self, papers: dict[str, dict[str, str]]) -> dict[str, str]:
        typed: dict[str, str] = {}
        for index, term in enumerate(paper_terms(self.terms)):
            kind = next((kind for kind in term.kinds if kind in papers), None)
            name = term.label if term.label in papers else kind
            if name is None:
                continue
            typed[f"paper{index}_reference"] = f"R-{index}"
            if len(term.kinds) > 1:
                typed[f"paper{index}_kind"] = str(kind)
            typed |= {f"paper{index}_{field}": said for field, said in papers[name].items()}
        return typed

    def _declared(self, only: list[str] | None) -> dict[str, str]:
        express = [one.kind for one in self.terms.documents.declarations if one.express]
        return {f"declares_{kind}": "on" for kind in express if only is None or kind in only}

    @property
    def stage(self) -> Stage:
        return Stage.objects.select_related("programme", "rules").get(
            programme__slug=self.slug, number=1
        )

    @property
    def terms(self):
        return stage_terms(self.stage)

    def adjudicate(self, exchange, day: str) -> dict[int, int]:
        """Run it, have the other person approve it; gives the shares by number of acceptance."""
        started = self.post(
            self.analyst,
            "adjudication_new",
            1,
            exchange=exchange.pk,
            session_on=day,
            step="confirm",
        )
        self._confirmed(started)
        run = Adjudication.objects.get(stage=self.stage)
        adjudication_run(adjudication_id=run.pk, report=silent)  # the worker's part
        self.client.force_login(self.supervisor)
        self._confirmed(self.client.post(reverse("adjudication_approve", args=[run.pk])))
        run.refresh_from_db()
        assert run.review_state == "approved"
        awards = Award.objects.filter(adjudication=run)
        return dict(awards.values_list("acceptance__serial", "awarded"))

    def page_of(self, acceptance: Acceptance) -> str:
        self.client.force_login(self.analyst)
        return text_of(self.client.get(reverse("acceptance", args=[acceptance.pk])))

    def refused_without(self, *keys: str) -> None:
        """Each of these left blank keeps the rules from their review, and is told by its name."""
        for key in keys:
            page = self.enter_rules(**{key: "", f"{key}_source": ""})
            assert page.status_code == REFUSED, key
            assert "Falta para enviarlo a revisión" in text_of(page), key
            if key in FUND_KEYS:
                assert FUND_KEYS[key].label in text_of(page)
            else:
                assert key in READINGS
