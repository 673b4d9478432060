"""The demonstration: the 1995 programme with made-up people, by the services of the screens.

Each part does what is missing and nothing twice, so that a start goes on where another ended.
"""

from datetime import date
from uuid import UUID

SLUG = "banco-popular-1995"
SOURCE = "Dato ficticio de la demostración"
SESSION_ON = date(1995, 9, 15)
# Under which the demonstration's own submissions are known again.
SUBMISSIONS = UUID("5b0f5a4e-1995-4118-8c2d-0d3a4b1c6e77")
