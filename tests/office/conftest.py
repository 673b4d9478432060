"""A job, and what went to the queue."""

import pytest

from office.jobs import job_open


@pytest.fixture
def job(irene):
    return job_open(
        kind="test",
        title="Prueba de proceso",
        context="Banco Popular 1995, etapa 1",
        task="tests.nothing",
        user=irene,
        steps=["Leer", "Guardar"],
    )


@pytest.fixture
def sent(monkeypatch):
    """What went to the queue."""
    messages = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task", lambda name, args, **_: messages.append((name, args))
    )
    return messages
