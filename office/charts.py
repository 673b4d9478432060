"""Pictures of figures as SVG, for pages and PDFs alike.

Attributes only and never ``style=``, which the content security policy refuses. Whole numbers
go in and positions are whole tenths of a unit, so the same figures always draw the same picture.
The table with the exact figures stands under each picture; title and description say it in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from office.numbers import write_decimal, write_quantity

GREEN, RED, INK, GREY, HAIRLINE, RULE, SHEET = (
    "#14503e",
    "#8f1d1a",
    "#221f1a",
    "#575147",
    "#d9d1c0",
    "#8a8070",
    "#fffdf8",
)

WIDTH = 868
# The area chart's plot, inside a picture of 868 by 274; labels stand at the line's end.
LEFT, RIGHT, TOP, BOTTOM, AREA_HEIGHT = 64, 739, 22, 232, 274
MOST_DATES = 12
LABEL_GAP, LABEL_LOWEST = 38, BOTTOM - 13
COLUMN_GAP = 20  # tenths of a unit
# The bar chart: names left, bars from 293 to 783 at most, one row every 27.
BAR_LEFT, BAR_LENGTH, ROW, BAR_TOP = 293, 490, 27, 4
LONGEST_LABEL = 38  # signs left of a bar; the description and the table have the whole name

SCALES = (
    (10**9, "miles de millones de"),
    (10**6, "millones de"),
    (10**3, "miles de"),
)


@dataclass(frozen=True)
class Bar:
    """One row of a bar chart: the outline against the fill, and the fill in figures."""

    label: str
    outline: int
    fill: int


def chart_unit(highest: int, noun: str = "acciones") -> str:
    """Say in which unit the axis of a chart up to ``highest`` is written."""
    for size, words in SCALES:
        if highest >= size:
            return f"{words} {noun}"
    return noun


def bar_unit(rows: Sequence[Bar], noun: str = "acciones") -> str:
    """Say in which unit the figures of a bar chart are written."""
    return chart_unit(_bar_scale(rows), noun)


def area_chart(
    points: Sequence[tuple[str, int]],
    supply: int,
    *,
    name: str = "demanda",
    noun: str = "acciones",
    crossing: str = "pasa la oferta en la semana del {}",
) -> SafeString:
    """Draw demand as it grew against the supply, a dashed line.

    ``points`` are the label of each date and the demand accumulated up to it; ``crossing`` is
    what is written where the one passes the other, with the label of its date.
    """
    highest = max([supply, *(value for _, value in points)], default=0) or 1
    step = _tick_step(highest)
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" '
        'role="img" aria-labelledby="{}-title {}-desc" font-size="14" fill="{}">'
        '<title id="{}-title">Demanda frente a oferta</title><desc id="{}-desc">{}</desc>'
        "{}{}{}{}{}</svg>",
        *(WIDTH, AREA_HEIGHT, WIDTH, AREA_HEIGHT, name, name, INK, name, name),
        _area_description(points, supply, noun),
        _grid(highest, step),
        _dates([label for label, _ in points]),
        _area(points, highest),
        _supply_line(supply, highest),
        _ends(points, supply, highest) + _crossing(points, supply, highest, crossing),
    )


def bar_chart(
    rows: Sequence[Bar],
    *,
    name: str = "reparto",
    title: str = "Reparto por clase",
    noun: str = "acciones",
) -> SafeString:
    """Draw one bar for each row: the outline as the frame, the fill inside it."""
    highest = _longest(rows)
    size = _size(_bar_scale(rows))
    height = ROW * len(rows) + 2 * BAR_TOP - 6
    said = "; ".join(
        f"{row.label}: {write_quantity(row.fill)} de {write_quantity(row.outline)}" for row in rows
    )
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" '
        'role="img" aria-labelledby="{}-title {}-desc" font-size="14" fill="{}">'
        '<title id="{}-title">{}</title><desc id="{}-desc">{} ({}).</desc>'
        '{}<path d="M{}.5 0V{}" stroke="{}"/></svg>',
        *(WIDTH, height, WIDTH, height, name, name, INK, name, title, name, said, noun),
        format_html_join("", "{}", ((_bar(row, i, highest, size),) for i, row in enumerate(rows))),
        *(BAR_LEFT, height, RULE),
    )


def column_chart(
    points: Sequence[tuple[str, int]],
    *,
    name: str = "dias",
    title: str = "Demanda por día de recibo",
    noun: str = "acciones",
) -> SafeString:
    """Draw one column for each date, from the left to the right."""
    highest = max((value for _, value in points), default=0) or 1
    width = _tenths(1, max(len(points), MOST_DATES), RIGHT - LEFT)
    said = "; ".join(f"{label}: {write_quantity(value)}" for label, value in points)
    columns = format_html_join(
        "",
        '<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>',
        (
            (
                *(_decimal(LEFT * 10 + width * i), _decimal(_height(value, highest))),
                _decimal(max(width - COLUMN_GAP, COLUMN_GAP)),
                *(_decimal(BOTTOM * 10 - _height(value, highest)), GREEN),
            )
            for i, (_, value) in enumerate(points)
        ),
    )
    return format_html(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" '
        'role="img" aria-labelledby="{}-title {}-desc" font-size="14" fill="{}">'
        '<title id="{}-title">{}</title><desc id="{}-desc">{} ({}).</desc>{}{}{}</svg>',
        *(WIDTH, AREA_HEIGHT, WIDTH, AREA_HEIGHT, name, name, INK, name, title, name, said, noun),
        _grid(highest, _tick_step(highest)),
        columns,
        _column_dates([label for label, _ in points], width),
    )


def _column_dates(labels: Sequence[str], width: int) -> SafeString:
    every = -(-len(labels) // MOST_DATES) or 1
    return format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="middle" fill="{}">{}</text>',
        (
            (_decimal(LEFT * 10 + width * i + width // 2), BOTTOM + 22, GREY, labels[i])
            for i in range(0, len(labels), every)
        ),
    )


def _longest(rows: Sequence[Bar]) -> int:
    return max((max(row.outline, row.fill) for row in rows), default=0) or 1


def _bar_scale(rows: Sequence[Bar]) -> int:
    # A hundredth of the longest bar must still show in the figures, which have one decimal.
    return _longest(rows) // 100


def _bar(row: Bar, index: int, highest: int, size: int) -> SafeString:
    top = BAR_TOP + ROW * index
    outline = _tenths(row.outline, highest, BAR_LENGTH)
    fill = _tenths(row.fill, highest, BAR_LENGTH)
    return format_html(
        '<text x="0" y="{}">{}</text>'
        '<rect x="{}.5" y="{}.5" width="{}" height="18" fill="none" stroke="{}"/>'
        '<rect x="{}.5" y="{}.5" width="{}" height="11" fill="{}"/>'
        '<text x="{}" y="{}" fill="{}">{}</text>',
        *(top + 14, _shortened(row.label)),
        *(BAR_LEFT, top, _decimal(outline), GREEN),
        *(BAR_LEFT, top + 3, _decimal(fill), GREEN),
        *(_decimal(BAR_LEFT * 10 + max(outline, fill) + 85), top + 14, GREY),
        _in_unit(row.fill, size),
    )


def _shortened(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1].rstrip()}…"


def _grid(highest: int, step: int) -> SafeString:
    size = _size(highest)
    ticks = range(0, highest + 1, step)
    places = 0 if step % size == 0 else 1
    return format_html_join(
        "",
        '<path d="M{} {}H{}" stroke="{}"/>'
        '<text x="{}" y="{}" text-anchor="end" fill="{}">{}</text>',
        (
            (
                *(LEFT, _decimal(_height(tick, highest)), RIGHT, RULE if tick == 0 else HAIRLINE),
                *(LEFT - 10, _decimal(_height(tick, highest) + 50), GREY),
                write_decimal(Fraction(tick, size), places),
            )
            for tick in ticks
        ),
    )


def _dates(labels: Sequence[str]) -> SafeString:
    # With more dates than fit, every second or third one is written, counted from the last.
    every = -(-len(labels) // MOST_DATES) or 1
    shown = [i for i in range(len(labels)) if (len(labels) - 1 - i) % every == 0]
    return format_html_join(
        "",
        '<text x="{}" y="{}" text-anchor="middle" fill="{}">{}</text>',
        ((_decimal(_across(i, len(labels))), BOTTOM + 22, GREY, labels[i]) for i in shown),
    )


def _area(points: Sequence[tuple[str, int]], highest: int) -> SafeString:
    if not points:
        return SafeString("")
    line = _line(points, highest)
    first = _decimal(_across(0, len(points)))
    last = _decimal(_across(len(points) - 1, len(points)))
    return format_html(
        '<path d="M{}L{} {}H{}Z" fill="{}" fill-opacity=".1"/>'
        '<path d="M{}" fill="none" stroke="{}" stroke-width="2" stroke-linejoin="round"/>',
        *(line, last, BOTTOM, first, GREEN, line, GREEN),
    )


def _line(points: Sequence[tuple[str, int]], highest: int) -> str:
    return "L".join(
        f"{_decimal(_across(i, len(points)))} {_decimal(_height(value, highest))}"
        for i, (_, value) in enumerate(points)
    )


def _supply_line(supply: int, highest: int) -> SafeString:
    return format_html(
        '<path d="M{} {}H{}" stroke="{}" stroke-width="1.5" stroke-dasharray="6 4"/>',
        *(LEFT, _decimal(_height(supply, highest)), RIGHT, RED),
    )


def _ends(points: Sequence[tuple[str, int]], supply: int, highest: int) -> SafeString:
    demand = points[-1][1] if points else 0
    at_demand, at_supply = _apart(_height(demand, highest), _height(supply, highest))
    return (
        _dot(RIGHT * 10, _height(demand, highest))
        + _end("Demanda", demand, at_demand, INK)
        + _end("Oferta", supply, at_supply, RED)
    )


def _apart(demand: int, supply: int) -> tuple[int, int]:
    # Two labels of two lines each: the lower one steps down where they would touch, but not into
    # the dates under the axis; there the upper one steps up.
    gap = LABEL_GAP * 10
    upper, lower = min(demand, supply), max(demand, supply)
    lower = min(max(lower, upper + gap), LABEL_LOWEST * 10)
    upper = min(upper, lower - gap)
    return (upper, lower) if demand <= supply else (lower, upper)


def _end(word: str, value: int, height: int, colour: str) -> SafeString:
    return format_html(
        '<text x="{}" y="{}" font-weight="600" fill="{}">{}</text>'
        '<text x="{}" y="{}" fill="{}">{}</text>',
        *(RIGHT + 10, _decimal(height + 10), colour, word),
        *(RIGHT + 10, _decimal(height + 180), GREY, write_quantity(value)),
    )


def _crossing(
    points: Sequence[tuple[str, int]], supply: int, highest: int, words: str
) -> SafeString:
    for i in range(1, len(points)):
        before, (label, after) = points[i - 1][1], points[i]
        if before <= supply < after:
            start, end = _across(i - 1, len(points)), _across(i, len(points))
            across = start + _tenths(supply - before, after - before, end - start) // 10
            height = _height(supply, highest)
            return _dot(across, height) + _crossing_words(across, height, words.format(label))
    return SafeString("")


def _crossing_words(across: int, height: int, words: str) -> SafeString:
    # Left of the point and above the line; early in the picture there is room only at its right.
    early = across < (LEFT + RIGHT) * 5
    place = (across + 100, height + 200, "start") if early else (across - 100, height - 100, "end")
    return format_html(
        '<text x="{}" y="{}" text-anchor="{}" font-weight="600">{}</text>',
        *(_decimal(place[0]), _decimal(place[1]), place[2], words),
    )


def _dot(across: int, height: int) -> SafeString:
    return format_html(
        '<circle cx="{}" cy="{}" r="4.5" fill="{}" stroke="{}" stroke-width="2"/>',
        *(_decimal(across), _decimal(height), SHEET, GREEN),
    )


def _area_description(points: Sequence[tuple[str, int]], supply: int, noun: str) -> str:
    offered = f"La oferta es de {write_quantity(supply)} {noun}."
    if not points:
        return f"Todavía no hay demanda. {offered}"
    (first, _), (last, demand) = points[0], points[-1]
    return f"Del {first} al {last} la demanda llega a {write_quantity(demand)} {noun}. {offered}"


def _tick_step(highest: int) -> int:
    step = 1
    while True:
        for factor in (1, 2, 5):
            if highest <= 4 * factor * step:
                return factor * step
        step *= 10


def _size(highest: int) -> int:
    return next((size for size, _ in SCALES if highest >= size), 1)


def _in_unit(value: int, size: int) -> str:
    return write_decimal(Fraction(value, size), 1 if size > 1 else 0)


def _across(index: int, count: int) -> int:
    return LEFT * 10 + (_tenths(index, count - 1, RIGHT - LEFT) if count > 1 else 0)


def _height(value: int, highest: int) -> int:
    return BOTTOM * 10 - _tenths(value, highest, BOTTOM - TOP)


def _tenths(value: int, whole: int, length: int) -> int:
    """Return how many tenths of a unit ``value`` is on a ``length`` that ``whole`` fills."""
    return (2 * value * length * 10 + whole) // (2 * whole)


def _decimal(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"
