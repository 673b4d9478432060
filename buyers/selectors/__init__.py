"""What screens and files show of buyers: who is found, and their papers."""

import re

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value

from buyers.enums import IdentityType
from buyers.models import BrokerUser, Buyer, Document, Presentation, brokers_of
from office.decisions import subject_kind
from office.models import Decision, User
from office.roles import Capability
from office.text import fold

LONGEST_SEARCH = 200
# What stands before a number says its type: "C.C. 51.000", "pasaporte AB12".
_TYPE_WORDS = re.compile(r"^(cc|ce|nit|pa|pasaporte)(?= ?[0-9])|^(pasaporte) ")
_TYPES = {"pasaporte": IdentityType.PA}
_NIT = re.compile(r"([0-9]{6,10})-[0-9]")
REGISTER_ACT, CHANGE_ACT = "buyer_register", "buyer_change"
# What a person may correct, and the history shows of it, in the order of the form.
CHANGEABLE = (
    "kind",
    "identity_type",
    "identity_number",
    "check_digit",
    "name",
    "representative_name",
    "representative_identity_type",
    "representative_identity_number",
    "attorney_name",
    "attorney_identity_type",
    "attorney_identity_number",
)


def buyers_found(user: User, *, text: str = "") -> QuerySet[Buyer]:
    """The buyers that `user` may see, by words of the name or by the identity's first figures;
    the one under the identity of a merged twin, too."""
    return buyers_matching(buyers_listed(user), text, user)


def buyers_listed(user: User) -> QuerySet[Buyer]:
    """The buyers that `user` may see, without the merged twins."""
    return buyers_shown(user).filter(merged_into=None)


def buyers_matching(found: QuerySet[Buyer], text: str, user: User) -> QuerySet[Buyer]:
    """Of `found`, those with the words of `text` in their name, or whose identity begins so."""
    folded = fold(text[:LONGEST_SEARCH].replace("\x00", " "))
    return found.filter(_matches(folded, user)) if folded else found


def buyers_shown(user: User) -> QuerySet[Buyer]:
    """The buyers that `user` may see, each with what of it may be shown: `since`, the day"""
    visible = Buyer.objects.visible_to(user)
    if user.may(Capability.READ):
        return visible.annotate(since=F("registered_at"), shows_acting=Value(True))
    own = brokers_of(user)
    brought = Presentation.objects.filter(buyer=OuterRef("pk"), broker__in=own)
    typed = BrokerUser.objects.filter(user=OuterRef("registered_by"), broker__in=own)
    corrected = Decision.objects.filter(
        act=CHANGE_ACT, subject_kind=subject_kind(Buyer), subject_id=OuterRef("pk")
    )
    return visible.annotate(
        since=Subquery(brought.values("presented_at")[:1]),
        shows_acting=Exists(typed) & ~Exists(corrected),
    )


def buyer_documents(buyer: Buyer, user: User) -> QuerySet[Document]:
    """A buyer's papers that `user` may see, the current ones first, with what the page shows."""
    return (
        Document.objects.visible_to(user)
        .filter(buyer=buyer)
        .select_related("file", "exchange", "seen_by", "presented_by", "verified_by")
        .order_by("-replaced_at", "kind", "-year", "-pk")
    )


def _matches(folded: str, user: User) -> Q:
    by_name = Q()
    for word in folded.split(" "):
        by_name &= Q(name_folded__contains=word)
    typed = _TYPE_WORDS.match(folded)
    bare = re.sub(r"[^a-z0-9-]", "", _TYPE_WORDS.sub("", folded))
    nit = _NIT.fullmatch(bare)
    number = (nit[1] if nit else bare.replace("-", "")).upper()
    if not any(figure.isdigit() for figure in number):
        return by_name
    identity = Q(identity_number__startswith=number)
    if typed:
        word = typed[1] or typed[2]
        identity &= Q(identity_type=_TYPES.get(word, word.upper()))
    merged = Buyer.objects.visible_to(user).filter(identity, merged_into__isnull=False)
    return by_name | identity | Q(pk__in=merged.values("merged_into"))
