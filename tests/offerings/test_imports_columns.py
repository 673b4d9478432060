"""A file whose headings are not the model's: its columns are matched on a page."""

import pytest
from django.urls import reverse

from offerings.enums import ImportState
from offerings.services.imports import (
    import_columns,
    import_review,
)
from tests.offerings.import_files import (
    HEADER,
    confirmed,
    csv_of,
    faults,
    many,
    outcomes,
    reviewed,
    row,
    silent,
)
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.programme_fes import fes_stage_of

pytestmark = pytest.mark.usefixtures("broker", "exchange")


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were sent to a worker."""
    calls = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task",
        lambda task, args, **options: calls.append((task, args)),
    )
    return calls


def page_of(client, source):
    return client.get(reverse("import", args=[source.pk]))


OWN_TITLES = tuple(
    {"cantidad": "Acciones", "recibida": "Fecha de recibo"}.get(n, n) for n in HEADER
)


def own_titles(*rows):
    """A file whose headings are not all the model's, with one of no use."""
    lines = [
        one | {"Acciones": one["cantidad"], "Fecha de recibo": one["recibida"], "Nota": "sin uso"}
        for one in rows
    ]
    return csv_of(*lines, header=(*OWN_TITLES, "Nota"))


def told_columns(**changed):
    """What the page of the columns sends: by the place of each heading."""
    names = [*HEADER, ""]
    return {f"columna_{place}": name for place, name in enumerate(names)} | changed


def test_columns_with_other_titles_are_matched_on_a_page_and_reviewed_again(
    client, stage, irene, sent
):
    source = reviewed(stage, irene, own_titles(*many(2)))
    assert source.state == ImportState.COLUMNS
    assert not source.lines.exists()
    client.force_login(irene)
    address = reverse("import_columns", args=[source.pk])
    assert address in page_of(client, source).content.decode()
    form = client.get(address)
    assert form.context["form"][f"columna_{HEADER.index('cantidad')}"].initial == "cantidad"
    assert form.context["form"][f"columna_{len(HEADER) - 1}"].initial == "recibida"
    response = client.post(address, told_columns())
    source.refresh_from_db()
    assert response.url == reverse("job", args=[source.job_id])
    assert import_review(import_id=source.pk, report=silent)
    source.refresh_from_db()
    assert outcomes(source) == {"ready": 2}
    assert confirmed(source, irene).loaded == 2


def test_columns_that_are_missing_or_told_twice_are_refused_on_the_page(client, stage, irene):
    source = reviewed(stage, irene, own_titles(row()))
    client.force_login(irene)
    address = reverse("import_columns", args=[source.pk])
    for changed, said in [
        ({f"columna_{HEADER.index('cantidad')}": ""}, "Falta decir qué título lleva «cantidad»"),
        ({f"columna_{len(HEADER)}": "cantidad"}, "Dos títulos llevan «cantidad»"),
        ({f"columna_{len(HEADER)}": "otra"}, "Elija una de las columnas"),
    ]:
        response = client.post(address, told_columns(**changed))
        assert response.status_code == 422
        assert said in response.content.decode()


def test_what_was_said_of_the_columns_is_proposed_for_the_next_file(client, stage, irene):
    first = reviewed(stage, irene, own_titles(row()))
    mapping = dict(zip([one["key"] for one in first.headings], [*HEADER, ""], strict=True))
    mapping |= {"nota": "beneficiario_real", "beneficiario_real": ""}
    import_columns(import_id=first.pk, mapping=mapping, user=irene)
    second = reviewed(stage, irene, own_titles(row(cantidad="7")))
    client.force_login(irene)
    form = client.get(reverse("import_columns", args=[second.pk])).context["form"]
    assert form[f"columna_{len(HEADER)}"].initial == "beneficiario_real"


TAX = ("declara_renta", "anio_gravable", "patrimonio_bruto", "ingresos_anuales")


def test_columns_of_returns_may_be_missing_where_the_decree_does_not_look_at_them(irene, ana):
    stage = fes_stage_of(irene, ana)
    header = [name for name in HEADER if name not in TAX]
    said = {
        "recibida": "15/11/2004 10:42",
        "certificado_el": "15/11/2004",
        "otras_declaraciones": "no_transfer",
        "referencia_documento": "",
    }
    source = reviewed(stage, irene, csv_of(row(**said), header=header))
    assert (source.state, faults(source)) == (ImportState.REVIEWED, {})


def test_columns_of_returns_may_not_be_missing_where_the_decree_looks_at_them(stage, irene):
    header = [name for name in HEADER if name not in TAX]
    source = reviewed(stage, irene, csv_of(row(), header=header))
    named = ", ".join(f"«{name}»" for name in TAX)
    assert faults(source)[0, ""].startswith(f"Faltan las columnas {named}.")
