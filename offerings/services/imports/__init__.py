"""Files of acceptances, all or nothing: columns, cells, rows, what is known, saving, acts."""

from offerings.services.imports.acts import (
    STEPS,
    TASK,
    AlreadyUploaded,
    import_open,
    import_run,
)
from offerings.services.imports.columns import COLUMNS, ERRORS_COLUMN, template_csv
from offerings.services.imports.reading import MAX_BYTES, MAX_MEGABYTES, SHOWN
from offerings.services.imports.report import errors_csv

__all__ = [
    "COLUMNS",
    "ERRORS_COLUMN",
    "MAX_BYTES",
    "MAX_MEGABYTES",
    "SHOWN",
    "STEPS",
    "TASK",
    "AlreadyUploaded",
    "errors_csv",
    "import_open",
    "import_run",
    "template_csv",
]
