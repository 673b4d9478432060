"""What the demonstration came to: the order of its lines."""

from config.demo import summary
from offerings.selectors.adjudications import Share


def labels(lines):
    return [line.strip().rstrip("0123456789. ").rstrip(".") for line in lines]


def test_equal_counts_are_told_by_their_label():
    lines = summary._rows([("Rechazada", 2), ("Ángulo", 2), ("Completa", 7), ("Incompleta", 2)])
    assert labels(lines) == ["Completa", "Ángulo", "Incompleta", "Rechazada"]


def test_the_classes_go_by_the_awarded_shares_that_are_printed(monkeypatch):
    shares = [
        Share("", "Cooperativa", 1, admitted=900, awarded=0, supply=500),
        Share("", "Pensionado", 2, admitted=400, awarded=100, supply=500),
        Share("", "Trabajador", 3, admitted=300, awarded=300, supply=500),
    ]
    monkeypatch.setattr(summary, "shares_by_class", lambda run: shares)
    _, title, *lines = summary._classes(None)
    assert "adjudicadas" in title
    assert labels(lines) == ["Trabajador (3)", "Pensionado (2)", "Cooperativa (1)"]
