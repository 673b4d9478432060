"""The order of receipt: the legal date and time, then the serial given at registration."""

from dataclasses import dataclass
from datetime import datetime

Order = tuple[datetime, int]


@dataclass(frozen=True)
class Receipt:
    """received_at: legal date and time (all aware or all naive); serial: unique in the stage."""

    received_at: datetime
    serial: int

    @property
    def order(self) -> Order:
        """What acceptances are sorted by."""
        return (self.received_at, self.serial)
