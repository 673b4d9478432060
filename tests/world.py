"""Two brokers, their people and one of each thing: what the walk of the addresses comes to.

What `broker` presented bears «Propia» in its name, what `other` presented «Ajena».
"""

from datetime import date
from functools import cached_property
from uuid import uuid4

from buyers.models import Broker, BrokerUser, Document, Presentation
from offerings.certificates import (
    annex_workbook_write,
    certificate_allotment_issue,
    record_issue,
)
from offerings.decrees.fund_values import FundValue
from offerings.enums import DefaultMeasure
from offerings.models import Acceptance, Adjudication, AdjudicationRecord, Award, Stage
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.annulments import adjudication_annulment_prepare
from offerings.services.class_findings import class_finding_record
from offerings.services.defaults import award_default_prepare
from offerings.services.drafts import draft_save
from offerings.services.programmes import programme_open
from office.annulments import certificate_annulment_prepare
from office.certificates import certificate_draw
from office.files import file_store
from office.jobs import job_open
from office.models import Certificate, CertificateState, JobState, SavedView, User
from office.review import ReviewState
from office.roles import Role
from office.text import fold
from tests.conftest import make_user
from tests.offerings.bank_rows import bank_csv, bank_reviewed, bank_row
from tests.offerings.import_files import csv_of, reviewed, row
from tests.offerings.paid import SESSION, pay, pay_in_full
from tests.offerings.programme_1995 import draft_of, pending_of, ready_stage_of
from tests.offerings.rows import SLUG, make_acceptance, make_stage, places

ROLES = {
    "analista": Role.ANALYST,
    "supervisor": Role.SUPERVISOR,
    "broker": Role.BROKER,
    "other": Role.BROKER,
    "auditor": Role.AUDITOR,
    "administrador": Role.ADMINISTRATOR,
}
NAMES = {"broker": "Propia", "other": "Ajena"}
PLEDGED = {
    "outstanding": FundValue(5_609_906_000, "Acto de prueba 1 de 1995"),
    "pledge_rank": FundValue("first", "Acto de prueba 1 de 1995"),
}


class World:
    """Makes the people at once and each thing when it is asked for. The methods give the
    arguments of an address."""

    def __init__(self):
        self.people: dict[str, User] = {
            name: make_user(
                name, role, "Persona", f"de Prueba {name}", is_staff=role == Role.ADMINISTRATOR
            )
            for name, role in ROLES.items()
        }
        self.people["root"] = make_user(
            "root", None, "Raíz", "de Prueba", is_staff=True, is_superuser=True
        )
        nits = {"broker": "860007738-9", "other": "899999068-1"}
        self.brokers = {
            name: Broker.objects.create(name=f"Corredores {NAMES[name]} S. A.", nit=nit)
            for name, nit in nits.items()
        }
        for name, broker in self.brokers.items():
            BrokerUser.objects.create(user=self.people[name], broker=broker)

    # --- the things; `broker` is the one whose they are ---

    @cached_property
    def open_stage(self) -> Stage:
        return make_stage(self.people["analista"], self.people["supervisor"])

    @cached_property
    def closed_stage(self) -> Stage:
        people = self.people["analista"], self.people["supervisor"]
        return make_stage(*people, closed=True, fund=PLEDGED)

    def acceptances(self, stage: Stage) -> dict[str, Acceptance]:
        """One of each broker, of a buyer that it brought."""
        return {
            name: self._presented(
                make_acceptance(stage, serial, 100, broker=self.brokers[name]), name
            )
            for serial, name in enumerate(NAMES, start=1)
        }

    def _presented(self, acceptance: Acceptance, name: str) -> Acceptance:
        buyer, broker = acceptance.participation.buyer, self.brokers[name]
        buyer.name = f"Persona Ficticia {NAMES[name]}"
        buyer.name_folded = fold(buyer.name)
        buyer.save()
        Presentation.objects.create(buyer=buyer, broker=broker)
        return acceptance

    @cached_property
    def presented(self) -> dict[str, Acceptance]:
        return self.acceptances(self.open_stage)

    def share(self) -> None:
        """Let the other broker present the buyers of `broker` too, with acceptances of its own."""
        theirs = Acceptance.objects.filter(broker=self.brokers["broker"])
        for acceptance in list(theirs.select_related("stage", "participation__buyer")):
            buyer, other = acceptance.participation.buyer, self.brokers["other"]
            Presentation.objects.create(buyer=buyer, broker=other)
            make_acceptance(
                acceptance.stage, 90 + acceptance.serial, 10, buyer=buyer, broker=other
            )

    @cached_property
    def pending_adjudication(self) -> Adjudication:
        """With a line of each broker; the analyst prepared it."""
        self.acceptances(self.closed_stage)
        return self._run()

    def _run(self) -> Adjudication:
        adjudication = adjudication_open(
            stage_id=self.closed_stage.pk,
            user=self.people["analista"],
            exchange=places()["exchange"],
            session_on=SESSION,
        )
        adjudication_run(adjudication_id=adjudication.pk, report=lambda *told: None)
        return adjudication

    @cached_property
    def awards(self) -> dict[str, Award]:
        """Of an approved adjudication, one of each broker."""
        adjudication = adjudication_decide(
            adjudication_id=self.pending_adjudication.pk,
            user=self.people["supervisor"],
            outcome=ReviewState.APPROVED,
        )
        by_broker = {
            award.acceptance.broker: award
            for award in adjudication.awards.select_related("acceptance__broker")
        }
        return {name: by_broker[broker] for name, broker in self.brokers.items()}

    @cached_property
    def certificates(self) -> dict[str, Certificate]:
        """Of what was paid in full, with its PDF."""
        return {name: self._certified(award) for name, award in self.awards.items()}

    def _certified(self, award: Award) -> Certificate:
        analyst = self.people["analista"]
        pay_in_full(award, analyst)
        certificate = certificate_allotment_issue(
            award_id=award.pk, user=analyst, legal_date=date(1995, 10, 3)
        )
        certificate.file = file_store(
            data=b"%PDF-1.7 de prueba", name="prueba.pdf", content_type="application/pdf"
        )
        certificate.state = CertificateState.ISSUED
        certificate.save()
        return certificate

    # --- arguments of addresses ---

    def of_job(self):
        """A job that the broker's person started and that failed."""
        job = job_open(
            kind="acceptance_import",
            title="Cargar Propia.csv",
            task="office.tasks.jobs_watch_task",
            user=self.people["broker"],
            steps=["Revisar", "Guardar"],
        )
        job.state = JobState.FAILED
        job.save()
        return {"pk": job.pk}

    def of_saved_view(self):
        """A view that the broker's person keeps of the acceptances."""
        view = SavedView.objects.create(
            owner=self.people["broker"], page="acceptances", label="Mía", query="q=propia"
        )
        return {"pk": view.pk}

    def of_open_stage(self):
        return {"slug": self.open_stage.programme.slug, "number": self.open_stage.number}

    def of_closed_stage(self):
        return {"slug": self.closed_stage.programme.slug, "number": self.closed_stage.number}

    def of_programme(self):
        return {"slug": self.open_stage.programme.slug}

    def of_planned_stage(self):
        stage = ready_stage_of(self.people["analista"], self.people["supervisor"])
        return {"slug": stage.programme.slug, "number": stage.number}

    def of_rules(self):
        return {"slug": self.open_stage.programme.slug, "version": 1}

    def of_draft_rules(self):
        rules = draft_of(self._programme(), self.people["analista"])
        return {"slug": rules.programme.slug, "version": rules.version}

    def of_pending_rules(self):
        rules = pending_of(self._programme(), self.people["analista"])
        return {"slug": rules.programme.slug, "version": rules.version}

    def _programme(self):
        return programme_open(slug=SLUG, user=self.people["analista"])

    def of_document(self, acceptance: Acceptance | None = None):
        """A paper of the broker's buyer, with its file."""
        acceptance = acceptance or self.presented["broker"]
        document = Document.objects.create(
            buyer=acceptance.participation.buyer,
            kind="existence",
            file=file_store(
                data=b"%PDF-1.7 de prueba", name="prueba.pdf", content_type="application/pdf"
            ),
            presented_by=self.brokers["broker"],
            seen_by=self.people["broker"],
        )
        return {"pk": document.pk}

    def of_buyer(self):
        return {"pk": self.presented["broker"].participation.buyer_id}

    def of_award_buyer(self):
        """Of a buyer with a certificate."""
        certificate = self.certificates["broker"]
        return {"pk": certificate.award.acceptance.participation.buyer_id}

    def of_acceptance(self):
        return {"pk": self.presented["broker"].pk}

    def of_draft(self):
        """Half typed by the analyst."""
        draft = draft_save(
            stage=self.open_stage,
            content={"buyer": ["Persona Ficticia"]},
            submission_key=uuid4(),
            seen="",
            user=self.people["analista"],
        )
        return {"pk": draft.pk}

    def of_class_finding(self):
        """That the class of the broker's buyer is false."""
        made = class_finding_record(
            participation_id=self.presented["broker"].participation_id,
            found_at=self.presented["broker"].received_at,
            evidence="Certificación de prueba",
            reason="Prueba",
            user=self.people["supervisor"],
        )
        return {"pk": made.finding.pk}

    def of_participation(self):
        return {"pk": self.presented["broker"].participation_id}

    def of_reviewed_import(self):
        """A file with a fault in its only row."""
        data = csv_of(row(cantidad="1,5"))
        source = reviewed(self.open_stage, self.people["analista"], data)
        return {"pk": source.pk}

    def of_errors_file(self):
        return self.of_reviewed_import() | {"kind": "csv"}

    def of_award(self):
        return {"pk": self.awards["broker"].pk}

    def of_award_due(self):
        return {"award_pk": self.awards["broker"].pk}

    def of_payment(self):
        payment = pay(self.awards["broker"], self.people["analista"], "60.60")
        return {"pk": payment.pk}

    def of_buyer_awarded(self):
        """A buyer with an award of which a part is paid."""
        self.of_payment()
        return {"pk": self.awards["broker"].acceptance.participation.buyer_id}

    def of_bank_file(self):
        """A reviewed file whose only row names no award."""
        data = bank_csv(bank_row("0000000000"))
        source = bank_reviewed(self.open_stage.programme, self.people["analista"], data)
        return {"pk": source.pk}

    def of_bank_errors(self):
        return self.of_bank_file() | {"kind": "csv"}

    def of_default(self):
        """Waits for review; the analyst prepared it."""
        proposed = award_default_prepare(
            award_id=self.awards["broker"].pk,
            measure=DefaultMeasure.UNDO,
            decided_on=date(1995, 11, 1),
            cause="No pagó.",
            user=self.people["analista"],
        )
        return {"pk": proposed.pk}

    def of_adjudication(self):
        return {"pk": self.awards["broker"].adjudication_id}

    def of_pending_adjudication(self):
        return {"pk": self.pending_adjudication.pk}

    def of_second_adjudication(self):
        """The version after one that was sent back."""
        adjudication_decide(
            adjudication_id=self.pending_adjudication.pk,
            user=self.people["supervisor"],
            outcome=ReviewState.RETURNED,
            reason="Prueba",
        )
        return {"pk": self._run().pk}

    def _record(self) -> AdjudicationRecord:
        """The act of the approved adjudication, with its PDF and its annex as a workbook."""
        record = record_issue(
            adjudication_id=self.awards["broker"].adjudication_id,
            user=self.people["analista"],
            legal_date=date(1995, 9, 18),
        )
        certificate_draw(record.certificate_id)
        annex_workbook_write(record, lambda *told: None)
        return record

    def of_annex(self):
        record = self._record()
        return {"pk": record.adjudication_id, "part_pk": record.annexes.get().pk}

    def of_reported_stage(self):
        """A stage with its result approved."""
        assert self.awards
        return self.of_closed_stage()

    def of_exchange_report(self):
        return self.of_reported_stage() | {"pk": places()["exchange"].pk}

    def of_broker_report(self):
        return self.of_reported_stage() | {"pk": self.brokers["broker"].pk}

    def of_certificate(self):
        return {"pk": self.certificates["broker"].pk}

    def of_certificate_annulment(self):
        """That waits: the analyst asked for it."""
        asked = certificate_annulment_prepare(
            certificate_id=self.certificates["broker"].pk,
            annulled_on=self.certificates["broker"].legal_date,
            cause="El nombre está mal escrito.",
            user=self.people["analista"],
        )
        return {"pk": asked.pk}

    def of_run_annulment(self):
        """That waits too, of the whole adjudication."""
        asked = adjudication_annulment_prepare(
            adjudication_id=self.awards["broker"].adjudication_id,
            ordered_by="Bolsa de Prueba",
            act="Acta 9",
            act_on=SESSION,
            cause="La sesión no tuvo quórum.",
            user=self.people["analista"],
        )
        return {"pk": asked.pk}

    def of_code(self):
        return {"code": self.certificates["broker"].code}
