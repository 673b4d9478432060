"""Log lines: JSON, without what a person typed or is called."""

import json
import logging
import sys

from config.logs import JsonFormatter

NAME = "Rosa Inventada Peña"


def written(message, *arguments, error=None):
    info = None
    if error:
        try:
            raise error
        except type(error):
            info = sys.exc_info()
    record = logging.LogRecord("offerings", logging.ERROR, __file__, 1, message, arguments, info)
    return json.loads(JsonFormatter().format(record))


def test_line_tells_when_where_and_what():
    line = written("import failed")
    assert line["logger"] == "offerings"
    assert line["level"] == "ERROR"
    assert line["event"] == "import failed"
    assert line["time"].endswith("+00:00")


def test_arguments_of_a_message_are_left_out():
    assert NAME not in json.dumps(written("refused: %s", NAME), ensure_ascii=False)


def test_text_of_an_error_is_left_out_and_its_type_and_places_stay():
    line = written("failed", error=ValueError(f"{NAME} no cabe"))
    assert NAME not in json.dumps(line, ensure_ascii=False)
    assert line["error"] == "ValueError"
    assert any("test_logs.py" in place for place in line["at"])
