"""What a paper states: which of its figures are noted, and how each is written."""

from typing import Any

from buyers.models import Document
from office.dates import write_date
from office.numbers import write_amount, write_quantity

FIGURES = (
    "gross_equity",
    "net_equity",
    "annual_income",
    "annual_remuneration",
    "statutory_limit",
)
# All that is read off a paper and that two of the same must say alike.
STATED = (*FIGURES, "members", "norm")
NOTHING = "sin dato"


def figures_stated(document: Document) -> tuple[str, ...]:
    """What was typed from the paper and can be typed again from it, in the order of its form."""
    named = ("year", "issued_on", *FIGURES, "members")
    return tuple(name for name in named if getattr(document, name) is not None)


def stated_label(name: str) -> str:
    """What staff call it."""
    return str(Document._meta.get_field(name).verbose_name)


def stated_words(name: str, value: Any) -> str:
    """What a paper states under `name`, as it is shown; "sin dato" for nothing."""
    if value in (None, ""):
        return NOTHING
    if name == "norm":
        return f"«{value}»"
    writers = {"year": str, "issued_on": write_date, "members": write_quantity}
    return writers.get(name, write_amount)(value)
