"""Whether an acceptance must come through a broker and an exchange, or may come straight to the
Fund.
"""

from offerings.rules.ruling import Ruling, Step
from offerings.rules.terms import Terms


def intermediaries_required(terms: Terms) -> Ruling[bool]:
    """Whether broker and exchange must be named; only where the decree leaves them out may they
    be left blank, and then the Fund keeps the papers.

    "Las sociedades comisionistas de bolsa y las bolsas de valores responderán ante el Fondo de
    Garantías de Instituciones Financieras por la seriedad y cumplimiento de las aceptaciones de
    compra […]. Las bolsas de valores deberán conservar la documentación" (Decreto 1118 de 1995,
    art. 14). Where our text says nothing of them, they are asked for: nobody is let off who may
    have to answer.
    """
    said = terms.through_broker
    if said is None:
        detail = "El texto que tenemos no dice que se pueda prescindir de ellos: se piden."
        return Ruling(True, (Step("Comisionista y bolsa", detail, "Obligatorios"),))
    if said.value:
        detail = "La aceptación llega por comisionista y bolsa, que responden ante el Fondo."
        return _answer(True, detail, "Obligatorios", said.cite)
    detail = "El decreto no los pide: sin ellos, los papeles los conserva el Fondo."
    return _answer(False, detail, "Opcionales", said.cite)


def _answer(value: bool, detail: str, shown: str, cite: str) -> Ruling[bool]:
    step = Step("Comisionista y bolsa", detail, shown, "", cite)
    return Ruling(value, (step,), conclusion=detail)
