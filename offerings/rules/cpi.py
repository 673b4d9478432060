"""The consumer price index by month: which months a rule needs, and the factor of two of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from offerings.rules.ruling import FactError
from offerings.rules.wording import MONTHS, write_exactly, write_list


@dataclass(frozen=True, order=True)
class Month:
    """A calendar month; months compare by time. Raises ValueError for one that is none."""

    year: int
    month: int

    def __post_init__(self) -> None:
        """Refuse month 13."""
        date(self.year, self.month, 1)

    @classmethod
    def of(cls, day: date) -> "Month":
        """The month in which a day falls."""
        return cls(day.year, day.month)

    @property
    def before(self) -> "Month":
        """The month before it."""
        return Month.of(date(self.year, self.month, 1) - timedelta(days=1))

    @property
    def words(self) -> str:
        """The month as a sentence has it: septiembre de 1995."""
        return f"{MONTHS[self.month - 1]} de {self.year}"

    def __str__(self) -> str:
        """The month as mm/aaaa: 09/1995."""
        return f"{self.month:02d}/{self.year}"


Cpi = Mapping[Month, Decimal]


class CpiMissing(FactError):
    """A month of the CPI that the rule needs is not in the table; `months` are all of them."""

    def __init__(self, months: Iterable[Month]) -> None:
        """Name every month that is missing, in order."""
        self.months = tuple(sorted(set(months)))
        named = write_list(tuple(map(str, self.months)))
        super().__init__(
            "cpi",
            f"IPC de {named} no cargado. Cárguelo en la tabla del IPC, con su fuente, y vuelva a "
            "liquidar.",
        )


@dataclass(frozen=True)
class CpiFactor:
    """Index of `later` ÷ index of `earlier`; 1, without any index, where no month lies between."""

    later: Month
    earlier: Month
    later_index: Decimal = Decimal(1)
    earlier_index: Decimal = Decimal(1)

    @property
    def used(self) -> tuple[tuple[Month, Decimal], ...]:
        """The months used, the earlier first, each with its index; none where it is 1."""
        if not needs_index(self.later, self.earlier):
            return ()
        return ((self.earlier, self.earlier_index), (self.later, self.later_index))

    @property
    def value(self) -> Fraction:
        """The factor, exact."""
        return Fraction(self.later_index) / Fraction(self.earlier_index)

    @property
    def working(self) -> str:
        """How it comes about: "diciembre de 1996: 26,52 ÷ septiembre de 1995: 21,24"."""
        if not self.used:
            return "ningún mes queda entre las dos fechas: no se ajusta"
        later, earlier = write_index(self.later_index), write_index(self.earlier_index)
        return f"{self.later.words}: {later} ÷ {self.earlier.words}: {earlier}"


def write_index(index: Decimal) -> str:
    """An index as the table prints it, two decimals or as many more as it has: 21,60."""
    text = write_exactly(index)
    whole, _, decimals = text.partition(",")
    return f"{whole},{decimals.ljust(2, '0')}"


def needs_index(later: Month, earlier: Month) -> bool:
    """Whether any month lies between, so that the price moves and the table is needed."""
    return later > earlier


def cpi_factors(pairs: Iterable[tuple[Month, Month]], cpi: Cpi) -> list[CpiFactor]:
    """The factor of each pair (later, earlier).

    Raises CpiMissing with all the months that they need and the table lacks, FactError for an
    index that is not above zero. What they do not need is not looked at.
    """
    asked = list(pairs)
    needed = {month for pair in asked if needs_index(*pair) for month in pair}
    missing = [month for month in needed if month not in cpi]
    if missing:
        raise CpiMissing(missing)
    for month in sorted(needed):
        if cpi[month] <= 0:
            raise FactError("cpi", f"El IPC de {month} debe ser mayor que cero: corríjalo.")
    return [
        CpiFactor(later, earlier, cpi[later], cpi[earlier])
        if needs_index(later, earlier)
        else CpiFactor(later, earlier)
        for later, earlier in asked
    ]
