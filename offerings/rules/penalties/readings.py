"""The readings of the penalty that are in force, and how each reads in a sentence."""

from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Terms

SENTENCES: dict[str, dict[str, str]] = {
    "cpi_factor": {
        "decree_window": "Factor del IPC: el del mes anterior a la solicitud entre el del mes de "
        "la compra.",
        "lagged": "Factor del IPC: el del mes anterior a la solicitud entre el del mes anterior a "
        "la compra.",
    },
    "trade_index_from": {
        "purchase": "El precio de la operación se ajusta, como el de compra, desde la compra.",
        "trade": "El precio de cada operación se ajusta desde su propio mes, y el de compra desde "
        "la compra.",
    },
    "reduction_month": {
        "running": "La reducción cuenta el mes que corre, con su aniversario incluido.",
        "completed": "La reducción cuenta los meses cumplidos, desde su aniversario incluido.",
    },
    "month_fraction": {
        "thirty": "Una parte de mes se cuenta en días sobre treinta.",
        "actual": "Una parte de mes se cuenta en días sobre los que van de un aniversario al "
        "siguiente.",
    },
    "reduction_on_monthly": {
        "no": "La reducción mensual no rebaja lo que se paga por cada mes que falta.",
        "yes": "La reducción mensual rebaja también lo que se paga por cada mes que falta.",
    },
    "on_negative": {
        "none": "Una diferencia negativa no causa sanción.",
        "monthly": "Una diferencia negativa causa la sanción por cada mes que falta.",
    },
    "trade_threshold_of": {
        "outstanding": "El tamaño de la operación se mide sobre las acciones en circulación.",
        "offered": "El tamaño de la operación se mide sobre las acciones ofrecidas.",
    },
    "trades_before_auction": {
        "no": "Solo cuentan las operaciones del martillo y las posteriores a él.",
        "yes": "Cuentan también las operaciones anteriores al martillo.",
    },
}


class Readings:
    """The readings of a programme's penalty, which remember those that a working used."""

    def __init__(self, terms: Terms) -> None:
        """Start with none used."""
        self._terms = terms
        self._used: dict[str, str] = {}

    def choose(self, name: str) -> str:
        """The value of a reading, noted as used; raises NotCovered where none is adopted."""
        penalty = self._terms.penalty
        reading = getattr(penalty.readings, name) if penalty else None
        if reading is None:
            raise NotCovered(
                rule="release_penalty",
                programme=self._terms.slug,
                message=f"{self._terms.name.value}: no se ha adoptado una lectura de «{name}».",
                missing=(name,),
            )
        value: str = reading.value
        if not reading.settled:
            self._used[name] = SENTENCES[name][value]
        return value

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was used and the text left open, in the order of SENTENCES."""
        return tuple(self._used[name] for name in SENTENCES if name in self._used)
