"""Certificates of every kind, and who may see them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from buyers.models import Broker, brokers_of
from offerings.models import Adjudication, Award, Programme
from office.models import Certificate, CertificateState, Series, User
from office.roles import Capability
from office.text import fold

ALLOTMENT, NOTICE, RECORD = "ADJ", "CON", "ACT"
KIND_LABELS = {
    NOTICE: "Constancias de adjudicación",
    ALLOTMENT: "Certificados de adjudicación",
    RECORD: "Actas de adjudicación",
}
# What a certificate states, on its page: the page's part, by the template that is printed. Apps
# above add their own when they start, here and in the labels.
FACTS_PAGES = {
    "certificates/allotment.html": "offerings/certificates/facts_allotment.html",
    "certificates/notice.html": "offerings/certificates/facts_notice.html",
    "certificates/documents/record.html": "offerings/certificates/facts_record.html",
}
# What else of a certificate answers to a text that is looked for; apps above add their own.
ANSWERS: list[Callable[[str], Q]] = []
PENDING, ISSUED, ANNULLED = "por-generar", "vigentes", "anulados"
VIEWS = {
    PENDING: Q(state=CertificateState.PENDING),
    ISSUED: Q(state=CertificateState.ISSUED),
    ANNULLED: Q(state=CertificateState.ANNULLED),
}
AWARD = "issued_for__award"
ACCEPTANCE = "a"  # the letter of an acceptance's number
NUMBER = re.compile(r"(?:(?P<kind>[a-z]+)-)?(?:(?P<year>[0-9]{4})-)?(?P<number>[0-9]{1,9})")
BUYER = f"{AWARD}__acceptance__participation__buyer"


@dataclass(frozen=True)
class Scope:
    """Whose papers: of a programme, of a broker, of both; None lets all through."""

    programme: Programme | None = None
    broker: Broker | None = None

    @property
    def programme_id(self) -> int | None:
        return self.programme.pk if self.programme else None

    @property
    def broker_id(self) -> int | None:
        return self.broker.pk if self.broker else None

    @property
    def label(self) -> str:
        return " · ".join(str(part) for part in (self.programme, self.broker) if part)

    def awards(self, awards: QuerySet[Award]) -> QuerySet[Award]:
        """Of `awards`, those of the scope."""
        if self.programme:
            awards = awards.filter(acceptance__stage__programme=self.programme)
        if self.broker:
            awards = awards.filter(acceptance__broker=self.broker)
        return awards


def certificates_visible(user: User) -> QuerySet[Certificate]:
    """All of them for staff; for a broker, those of what it presented, annulled ones too. The
    newest first."""
    found = Certificate.objects.select_related(
        "series",
        "file",
        "issued_by",
        "replaces__series",
        "replaced_by__series",
        f"{AWARD}__adjudication__stage__programme",
        f"{AWARD}__acceptance__stage__programme",
        BUYER,
        f"{AWARD}__acceptance__broker",
        "record__adjudication__stage__programme",
    ).order_by("-series__year", "-number", "-pk")
    if user.may(Capability.READ):
        return found
    if not user.may(Capability.OWN):
        return found.none()
    return found.filter(issued_for__award__acceptance__broker__in=brokers_of(user))


def certificates_of(award: Award, user: User) -> QuerySet[Certificate]:
    """All that was issued for an award, annulled ones too, oldest first."""
    return certificates_visible(user).filter(issued_for__award=award).order_by("pk")


def certificates_downloadable(
    certificates: QuerySet[Certificate], user: User
) -> QuerySet[Certificate]:
    """Those of `certificates` whose PDF `user` may have: an annulled one is kept by staff."""
    drawn = certificates.filter(file__isnull=False)
    if user.may(Capability.READ):
        return drawn
    return drawn.exclude(state=CertificateState.ANNULLED)


def of_programme(slug: str) -> Q:
    """What belongs to a programme: of its awards, or the acts of its adjudications."""
    runs = Adjudication.objects.filter(stage__programme__slug=slug).only("pk")
    return Q(**{f"{AWARD}__acceptance__stage__programme__slug": slug}) | _acts(runs)


def acts_of(run: Adjudication) -> QuerySet[Certificate]:
    """The acts of an adjudication, the newest first: the one in force and those annulled."""
    found = Certificate.objects.filter(_acts([run]))
    return found.select_related("series", "file", "replaced_by__series").order_by("-pk")


def _acts(runs: Iterable[Adjudication]) -> Q:
    """By the run that each states: a record points to its last act alone."""
    codes = [run.code for run in runs]
    return Q(series__kind=RECORD, facts__session__run__in=codes)


def run_of_act(certificate: Certificate) -> Adjudication | None:
    """The adjudication whose act it is, or was before another took its place."""
    last = certificate
    while not hasattr(last, "record") and hasattr(last, "replaced_by"):
        last = last.replaced_by
    return last.record.adjudication if hasattr(last, "record") else None


def certificates_answering(
    certificates: QuerySet[Certificate], text: str
) -> QuerySet[Certificate]:
    """Of `certificates`, those whose number, code or holder answers to `text`."""
    return certificates.filter(_answers_to(text)) if fold(text) else certificates


def _answers_to(text: str) -> Q:
    wanted = fold(text)
    found = Q(**{f"{BUYER}__name_folded__contains": wanted})
    found |= Q(code=text.replace(" ", "").upper())
    number = "".join(sign for sign in text if sign.isdigit())
    if number:
        found |= Q(**{f"{BUYER}__identity_number": number})
    found |= _by_number(wanted)
    for answers in ANSWERS:
        found |= answers(text)
    return found


def _by_number(wanted: str) -> Q:
    """By a number: "379" whatever its series, "CON-1995-379" that series alone, and "A-379" what
    was issued for that acceptance, not what happens to bear its figures."""
    named = NUMBER.fullmatch(wanted)
    if named is None:
        return Q(pk=None)
    kind, year, number = named["kind"], named["year"], int(named["number"])
    if kind == ACCEPTANCE:
        return Q(**{f"{AWARD}__acceptance__serial": number})
    found = Q(number=number)
    if kind:
        found &= Q(series__kind=kind.upper())
    return found & Q(series__year=int(year)) if year else found


def certificate_kinds() -> list[tuple[str, str]]:
    """The kinds that have been issued, with their names."""
    kinds = sorted({series.kind for series in _series()})
    return [(kind, KIND_LABELS.get(kind, kind)) for kind in kinds]


def certificate_years() -> list[int]:
    """The years in which certificates bear their numbers, the newest first."""
    return sorted({series.year for series in _series()}, reverse=True)


def _series() -> QuerySet[Series]:
    """The series of certificates; receipts have theirs too."""
    return Series.objects.filter(Exists(Certificate.objects.filter(series=OuterRef("pk"))))


def certificates_issued(kind: str, scope: Scope, *, since: datetime) -> int:
    """How many of a scope's were issued from a moment on, those annulled afterwards too."""
    awards = scope.awards(Award.objects.all())
    issued = Certificate.objects.filter(
        series__kind=kind, issued_for__award__in=awards, issued_at__gte=since
    )
    return issued.count()


def certificates_pending(kind: str, scope: Scope) -> list[int]:
    """The ids of a scope's certificates that wait for their PDF, oldest first."""
    awards = scope.awards(Award.objects.all())
    pending = Certificate.objects.filter(
        series__kind=kind, issued_for__award__in=awards, state=CertificateState.PENDING
    )
    return list(pending.order_by("pk").values_list("pk", flat=True))
