"""Files of acceptances in two jobs: reviewed and shown, and loaded once somebody has confirmed."""

from offerings.services.imports.columns import (
    BY_NAME,
    COLUMNS,
    ERRORS_COLUMN,
    columns_of,
    template_csv,
)
from offerings.services.imports.deciding import LOAD_TASK, import_confirm, import_decide
from offerings.services.imports.load import import_load
from offerings.services.imports.opening import (
    REVIEW_TASK,
    AlreadyUploaded,
    import_columns,
    import_discard,
    import_open,
)
from offerings.services.imports.reading import (
    ERROR,
    MAX_BYTES,
    MAX_MEGABYTES,
    SHOWN,
    TYPED,
    WARNING,
)
from offerings.services.imports.report import errors_file
from offerings.services.imports.review import import_review

__all__ = [
    "BY_NAME",
    "COLUMNS",
    "ERROR",
    "ERRORS_COLUMN",
    "LOAD_TASK",
    "MAX_BYTES",
    "MAX_MEGABYTES",
    "REVIEW_TASK",
    "SHOWN",
    "TYPED",
    "WARNING",
    "AlreadyUploaded",
    "columns_of",
    "errors_file",
    "import_columns",
    "import_confirm",
    "import_decide",
    "import_discard",
    "import_load",
    "import_open",
    "import_review",
    "template_csv",
]
