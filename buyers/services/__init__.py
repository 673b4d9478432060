"""What is done with buyers: who they are, and the papers that prove what they have."""

from buyers.services.documents import (
    DocumentExists,
    document_add,
    document_draft,
    document_replace,
)
from buyers.services.merges import Merge, buyer_merge
from buyers.services.presenting import differs_from_register, presenting_broker
from buyers.services.register import (
    AlreadyRegistered,
    Stale,
    buyer_change,
    buyer_draft,
    buyer_held,
    buyer_present,
    buyer_register,
    buyer_token,
)

__all__ = [
    "AlreadyRegistered",
    "DocumentExists",
    "Merge",
    "Stale",
    "buyer_change",
    "buyer_draft",
    "buyer_held",
    "buyer_merge",
    "buyer_present",
    "buyer_register",
    "buyer_token",
    "differs_from_register",
    "document_add",
    "document_draft",
    "document_replace",
    "presenting_broker",
]
