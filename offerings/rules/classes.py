"""Whether a class of buyer is among those whom the special conditions are for."""

from buyers.enums import BuyerClass
from offerings.rules.ruling import NotCovered, Ruling, Step
from offerings.rules.terms import Terms


def class_admitted(buyer_class: BuyerClass, terms: Terms) -> Ruling[bool]:
    """Whether the decree, or the Fund with its source, lists this class for stage 1.

    "Primero se ofrecerá, a precio fijo, la totalidad de las acciones objeto del presente
    programa, a los trabajadores activos y pensionados […]" (Decreto 1118 de 1995, art. 3-1).
    Raises NotCovered for a class that a fragment's incomplete list does not name.
    """
    for group in terms.classes.groups:
        if buyer_class in group.codes:
            step = Step("Clase", buyer_class.label, "Destinataria", "", group.cite)
            return Ruling(True, (step,))
    if not terms.classes.complete:
        raise NotCovered(
            rule="class_admitted",
            programme=terms.slug,
            missing=("extra_classes",),
            message=(
                f"Clase «{buyer_class.label}» en {terms.name.value}: el texto que tenemos no trae "
                "la lista completa de destinatarios. Si esta clase lo es, el Fondo debe "
                "ingresarla con su fuente."
            ),
        )
    step = Step("Clase", buyer_class.label, "No es destinataria", "", terms.classes.cite)
    return Ruling(False, (step,))
