"""The papers of a buyer that are proved by their stored file, of those that a decree asks for."""

from buyers.enums import DocumentKind
from buyers.models import Buyer, Document
from offerings.rules.documents import answers_to
from offerings.rules.terms import Terms
from office.models import User


def documents_on_file(buyer: Buyer, terms: Terms, user: User) -> list[Document]:
    """The buyer's current papers with a file that `user` sees and the decree looks at: what an
    acceptance that no exchange keeps the papers of can rest on."""
    found = Document.objects.visible_to(user).filter(
        buyer=buyer, replaced_at=None, file__isnull=False
    )
    return [document for document in found.order_by("pk") if is_asked(document, terms)]


def is_asked(document: Document, terms: Terms) -> bool:
    """Whether the decree, or the Fund's rules, look at such a paper."""
    if document.kind == DocumentKind.SUPERINTENDENCY_AUTHORISATION:
        return terms.authorisation is not None
    return any(
        answers_to(document.kind, document.label, term) for term in terms.documents.required
    )
