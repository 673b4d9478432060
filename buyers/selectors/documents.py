"""Documents that nobody else has looked at yet, and the differences that a second look found."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from buyers.models import Document, brokers_of
from office.decisions import subject_kind
from office.models import Decision, User
from office.roles import Capability
from office.text import fold

DIFFERENCE_ACT = "document_difference_send"
UNVERIFIED = Q(verified_at=None, replaced_at=None)


def documents_listed(user: User) -> QuerySet[Document]:
    """The documents that `user` may see, with what a list shows of each, the oldest first."""
    sent = Decision.objects.filter(
        act=DIFFERENCE_ACT, subject_kind=subject_kind(Document), subject_id=OuterRef("pk")
    )
    return (
        Document.objects.visible_to(user)
        .select_related("buyer", "file", "exchange", "presented_by", "seen_by", "verified_by")
        .annotate(differs=Exists(sent))
        .order_by("pk")
    )


def documents_matching(found: QuerySet[Document], asked: str) -> QuerySet[Document]:
    """Those whose buyer's name or identity, or whose reference at the exchange, is asked for."""
    folded = fold(asked)
    match = Q(exchange_reference__iexact=asked)
    if folded:
        match |= Q(buyer__name_folded__contains=folded)
    bare = "".join(filter(str.isalnum, folded)).upper()
    if any(map(str.isdigit, bare)):
        match |= Q(buyer__identity_number=bare)
    return found.filter(match)


def documents_to_verify(user: User) -> QuerySet[Document]:
    """Those that wait for somebody's second look and that `user` may give it."""
    if not user.may(Capability.PREPARE):
        return Document.objects.none()
    return Document.objects.filter(UNVERIFIED).exclude(seen_by=user)


def documents_differing(user: User) -> QuerySet[Document]:
    """Those in which another found a difference and that `user`, or its broker, registered."""
    found = documents_listed(user).filter(UNVERIFIED, differs=True)
    if user.may(Capability.PREPARE):
        return found.filter(seen_by=user)
    return found.filter(presented_by__in=brokers_of(user))


def difference_sent(document: Document) -> Decision | None:
    """The last difference that was sent about a document which still waits."""
    if document.verified_at is not None or document.replaced_at is not None:
        return None
    return (
        Decision.objects.filter(
            act=DIFFERENCE_ACT, subject_kind=subject_kind(Document), subject_id=document.pk
        )
        .select_related("actor")
        .order_by("pk")
        .last()
    )
