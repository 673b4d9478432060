"""The papers of a buyer that are proved by their stored file, of those that a decree asks for."""

from django.db.models import QuerySet

from buyers.enums import DocumentKind
from buyers.models import Buyer, Document
from offerings.rules.documents import answers_to
from offerings.rules.terms import Terms
from office.models import User


def documents_on_file(buyer: Buyer, terms: Terms, user: User) -> list[Document]:
    """The buyer's current papers with a file that the decree looks at: what any acceptance that
    `user` registers rests on, whoever brought it. A broker's person counts on its own broker's and
    on the Fund's, which it need not see."""
    counting = Document.objects.visible_to(user) | Document.objects.filter(presented_by=None)
    return _asked(counting, buyer, terms)


def documents_on_file_seen(buyer: Buyer, terms: Terms, user: User) -> list[Document]:
    """Those of them that `user` may see."""
    return _asked(Document.objects.visible_to(user), buyer, terms)


def fund_has_on_file(buyer: Buyer) -> bool:
    """Whether the Fund itself holds papers of the buyer with their file."""
    held = Document.objects.filter(buyer=buyer, replaced_at=None, presented_by=None)
    return held.filter(file__isnull=False).exists()


def _asked(documents: QuerySet[Document], buyer: Buyer, terms: Terms) -> list[Document]:
    found = documents.filter(buyer=buyer, replaced_at=None, file__isnull=False)
    return [document for document in found.order_by("pk") if is_asked(document, terms)]


def is_asked(document: Document, terms: Terms) -> bool:
    """Whether the decree, or the Fund's rules, look at such a paper."""
    if document.kind == DocumentKind.SUPERINTENDENCY_AUTHORISATION:
        return terms.authorisation is not None
    return any(
        answers_to(document.kind, document.label, term) for term in terms.documents.required
    )
