"""What the programmes hold on a person: parts, acceptances, awards, payments, certificates."""

from django.db.models import Q, QuerySet

from buyers.selectors.dossier import Kind, Person
from offerings.models import (
    Acceptance,
    AcceptanceDraft,
    Award,
    AwardDefault,
    ClassFinding,
    Participation,
    ParticipationDocument,
    Payment,
    Refund,
)
from offerings.selectors.drafts_held import drafts_naming_owner, drafts_of
from office.models import Certificate


def _parts(person: Person) -> QuerySet[Participation]:
    found = Participation.objects.filter(buyer__in=person.buyers)
    return found.select_related("programme")


def _awards(person: Person) -> QuerySet[Award]:
    found = Award.objects.filter(acceptance__participation__buyer__in=person.buyers)
    return found.select_related("acceptance", "adjudication")


def _certificates(person: Person) -> QuerySet[Certificate]:
    of_award = Q(award__in=_awards(person)) | Q(noticed_award__in=_awards(person))
    return Certificate.objects.filter(of_award).select_related("series", "file")


KINDS = [
    Kind(
        "Programas",
        Participation,
        _parts,
        lead={"programa": lambda part: str(part.programme)},
    ),
    Kind(
        "Documentos en programas",
        ParticipationDocument,
        lambda person: ParticipationDocument.objects.filter(
            participation__buyer__in=person.buyers
        ),
    ),
    Kind(
        "Clases falsas",
        ClassFinding,
        lambda person: ClassFinding.objects.filter(participation__buyer__in=person.buyers),
    ),
    Kind(
        "Aceptaciones",
        Acceptance,
        lambda person: Acceptance.objects.filter(
            participation__buyer__in=person.buyers
        ).select_related("stage__programme"),
        lead={
            "aceptación": lambda acceptance: acceptance.code,
            "programa": lambda acceptance: str(acceptance.stage),
        },
    ),
    Kind(
        "Adjudicaciones",
        Award,
        _awards,
        lead={
            "acta": lambda award: award.adjudication.code,
            "aceptación": lambda award: award.acceptance.code,
        },
    ),
    Kind("Pagos", Payment, lambda person: Payment.objects.filter(award__in=_awards(person))),
    Kind("Devoluciones", Refund, lambda person: Refund.objects.filter(award__in=_awards(person))),
    Kind(
        "Incumplimientos",
        AwardDefault,
        lambda person: AwardDefault.objects.filter(award__in=_awards(person)),
    ),
    Kind(
        "Certificados",
        Certificate,
        _certificates,
        lead={"certificado": lambda certificate: certificate.label},
        file=lambda certificate: certificate.file,
    ),
    Kind(
        "Beneficiario real de",
        Acceptance,
        lambda person: Acceptance.objects.filter(
            person.identified("beneficial_owner_")
        ).select_related("stage__programme"),
        lead={
            "aceptación": lambda acceptance: acceptance.code,
            "programa": lambda acceptance: str(acceptance.stage),
        },
        only=("beneficial_owner", "received_at"),
        own=False,
    ),
    Kind(
        "Borradores",
        AcceptanceDraft,
        drafts_of,
        lead={"programa": lambda draft: str(draft.stage)},
        own=False,
    ),
    Kind(
        "Beneficiario en borrador",
        AcceptanceDraft,
        drafts_naming_owner,
        lead={
            "programa": lambda draft: str(draft.stage),
            "beneficiario real": lambda draft: ", ".join(
                draft.content.get("beneficial_owner", ())
            ),
        },
        only=("saved_at",),
        own=False,
    ),
]
