"""Dates in one form, in Bogotá's time."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from office.dates import (
    BOGOTA,
    DateError,
    bogota_day,
    bogota_moment,
    date_from_cell,
    datetime_from_cell,
    end_of_day,
    read_date,
    read_datetime,
    read_time,
    write_clock,
    write_date,
    write_date_long,
    write_datetime,
    write_time,
)

DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 12, 31))
HOW = "Escriba la fecha como dd/mm/aaaa, por ejemplo 15/09/1995"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("15/09/1995", date(1995, 9, 15)),
        ("03/04/2005", date(2005, 4, 3)),
        (" 3/4/2005 ", date(2005, 4, 3)),
        ("29/02/2004", date(2004, 2, 29)),
        ("01/01/1900", date(1900, 1, 1)),
        ("31/12/2100", date(2100, 12, 31)),
    ],
)
def test_date_is_read_day_first_when_it_exists(text, day):
    assert read_date(text) == day


@pytest.mark.parametrize(
    "text",
    [
        "31/02/1995",
        "29/02/1995",
        "29/02/1900",
        "00/01/1995",
        "32/01/1995",
        "15/13/1995",
        "09/15/1995",
        "15/00/1995",
        "15/09/95",
        "15/09/195",
        "15/09/19694",
        "31/12/1899",
        "01/01/2101",
        "1995-09-15",
        "1995/09/15",
        "15-09-1995",
        "15.09.1995",
        "15 de septiembre de 1995",
        "15/sep/1995",
        "15 / 09 / 1995",
        "１５/09/1995",
        "15/09/1995\x00",
        "\u202e15/09/1995",
        "15091995",
        "",
    ],
)
def test_date_is_refused_with_the_way_to_write_it_when_it_is_not_one(text):
    with pytest.raises(DateError, match=HOW):
        read_date(text)


def test_date_error_says_what_is_impossible_when_the_day_does_not_exist():
    with pytest.raises(DateError, match="febrero de 1995 tiene 28 días"):
        read_date("31/02/1995")


@given(DAYS)
def test_date_reads_back_the_same_when_written(day):
    assert read_date(write_date(day)) == day


def test_date_is_written_short_in_tables_and_long_in_prose():
    assert write_date(date(1995, 9, 5)) == "05/09/1995"
    assert write_date_long(date(1995, 9, 5)) == "5 de septiembre de 1995"


@pytest.mark.parametrize(
    ("text", "clock"),
    [("10:42", time(10, 42)), ("9:05", time(9, 5)), ("00:00", time()), ("23:59", time(23, 59))],
)
def test_time_is_read_on_the_24_hour_clock_when_it_exists(text, clock):
    assert read_time(text) == clock


@pytest.mark.parametrize(
    "text", ["24:00", "10:60", "10.42", "1042", "10:4", "10:42 a. m.", "", "１0:42"]
)
def test_time_is_refused_when_it_is_not_one(text):
    with pytest.raises(DateError, match="Escriba la hora"):
        read_time(text)


@given(st.times())
def test_time_reads_back_to_the_minute_when_written(clock):
    assert read_time(write_time(clock)) == clock.replace(second=0, microsecond=0)


@pytest.mark.parametrize(
    ("clock", "shown"),
    [
        (time(0, 5), "12:05\u00a0a.\u00a0m."),
        (time(10, 42), "10:42\u00a0a.\u00a0m."),
        (time(12, 0), "12:00\u00a0p.\u00a0m."),
        (time(23, 59), "11:59\u00a0p.\u00a0m."),
    ],
)
def test_clock_is_shown_in_halves_of_the_day(clock, shown):
    assert write_clock(clock) == shown


def test_moment_is_read_in_bogota_when_a_file_gives_day_and_hour():
    moment = read_datetime("21/08/1995 09:14")
    assert moment == datetime(1995, 8, 21, 14, 14, tzinfo=UTC)
    assert write_datetime(moment) == "21/08/1995, 9:14\u00a0a.\u00a0m."


@pytest.mark.parametrize(
    "text", ["21/08/1995", "09:14", "21/08/1995 09:14:30", "21/08/1995T09:14"]
)
def test_moment_is_refused_when_day_or_hour_is_missing_or_odd(text):
    with pytest.raises(DateError):
        read_datetime(text)


def test_day_is_bogotas_when_utc_is_already_at_the_next():
    moment = datetime(2005, 3, 11, 1, 30, tzinfo=UTC)
    assert bogota_day(moment) == date(2005, 3, 10)
    assert write_datetime(moment) == "10/03/2005, 8:30\u00a0p.\u00a0m."


def test_day_is_refused_when_the_moment_has_no_zone():
    with pytest.raises(ValueError, match="zone"):
        bogota_day(datetime(2005, 3, 11, 1, 30))  # noqa: DTZ001


def test_daylight_time_counts_when_the_year_is_1992():
    assert bogota_moment(date(1992, 6, 1), time(12)).utcoffset() == timedelta(hours=-4)
    assert bogota_moment(date(1995, 6, 1), time(12)).utcoffset() == timedelta(hours=-5)


@given(DAYS)
def test_day_ends_at_the_last_instant_that_is_still_that_day(day):
    end = end_of_day(day)
    after = end.astimezone(UTC) + timedelta(microseconds=1)
    assert bogota_day(end) == day
    assert bogota_day(after) == day + timedelta(days=1)


@pytest.mark.parametrize("value", ["42725", 42725, 42725.0, "21/12/2016", date(2016, 12, 21)])
def test_cell_gives_its_day_when_it_is_a_serial_or_a_date(value):
    assert date_from_cell(value) == date(2016, 12, 21)


def test_cell_is_day_first_when_it_is_text():
    assert date_from_cell("03/04/2005") == date(2005, 4, 3)


@pytest.mark.parametrize(
    "value",
    [60, 0, -5, 10**9, 42725.5, float("nan"), float("inf"), True, None, "12/21/2016", "4272500"],
)
def test_cell_is_refused_when_it_is_no_day(value):
    with pytest.raises(DateError):
        date_from_cell(value)


def test_cell_gives_its_moment_when_the_serial_has_a_fraction():
    noon = datetime(2016, 12, 21, 12, 0, tzinfo=BOGOTA)
    assert datetime_from_cell(42725.5) == noon
    assert datetime_from_cell(datetime(2016, 12, 21, 12, 0)) == noon  # noqa: DTZ001
    assert datetime_from_cell("21/12/2016 12:00") == noon
    assert datetime_from_cell("42725,5") == datetime_from_cell(" 42725.5 ") == noon


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.5, True, None, "21/12/2016"])
def test_cell_is_refused_when_it_is_no_moment(value):
    with pytest.raises(DateError):
        datetime_from_cell(value)


def test_the_seconds_that_a_spreadsheet_adds_do_not_matter():
    assert read_datetime("21/08/1995 09:14:00") == read_datetime("21/08/1995 09:14")
