"""Logs as one JSON object a line, without identity data: places and kinds, never values."""

import json
import logging
import traceback
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """Names the logger, the event's template and, for an error, its type and places.

    The arguments of a message and an exception's text may hold a name or an identity number
    (a refused row, a broken constraint with its values), so neither is written.
    """

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": str(record.msg),
        }
        if record.exc_info and record.exc_info[0]:
            entry["error"] = record.exc_info[0].__name__
            entry["at"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(record.exc_info[2])[-8:]
            ]
        return json.dumps(entry, ensure_ascii=False)
