"""Documents as the programmes use them: those that count in a stage, and who has verified them."""

from django.db.models import Exists, OuterRef, QuerySet

from buyers.models import Document
from buyers.selectors.documents import UNVERIFIED
from offerings.enums import AcceptanceState
from offerings.models import ParticipationDocument, Stage
from office.dates import bogota_day, write_date


def documents_invoked(documents: QuerySet[Document], stage: Stage) -> QuerySet[Document]:
    """Those of `documents` that an acceptance presented in the stage rests on."""
    uses = ParticipationDocument.objects.filter(
        document=OuterRef("pk"),
        participation__acceptances__stage=stage,
        participation__acceptances__state=AcceptanceState.PRESENTED,
    )
    return documents.filter(Exists(uses))


def unverified_count(stage: Stage) -> int:
    """How many documents invoked in the stage nobody has given a second look."""
    return documents_invoked(Document.objects.filter(UNVERIFIED), stage).count()


def verified_words(document: Document, *, by_name: bool) -> str:
    """Who verified it and when; of whom works for the Fund a broker is not told the name."""
    if document.verified_at is None:
        return "Sin verificar"
    who = document.verified_by if by_name else "el Fondo"
    return f"Verificado por {who} el {write_date(bogota_day(document.verified_at))}"
