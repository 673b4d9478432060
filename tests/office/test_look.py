"""The tags of the partials: the vocabulary, the summary of errors, the fields, the panel."""

import re
from pathlib import Path

import pytest
from django import forms
from django.conf import settings
from django.template import Context, Template

from office.forms import AmountField, QuantityField
from office.templatetags.look import TAG_COLOURS, UnknownTagError, tag
from office.words import quantity_words


class AcceptanceForm(forms.Form):
    quantity = QuantityField(label="Cantidad solicitada", help_text="Acciones enteras.")
    minimum = QuantityField(label="Mínimo admisible (opcional)", required=False)
    assets = AmountField(label="Patrimonio bruto", required=False)
    files = forms.ChoiceField(
        label="Obligada a declarar",
        choices=[("si", "Sí"), ("no", "No")],
        widget=forms.RadioSelect,
        required=False,
    )

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.fields["quantity"].unit_after = "acciones"
        self.fields["quantity"].words = lambda value: f"{quantity_words(value)} acciones"


def shown(markup, **context):
    return Template("{% load look crispy_forms_filters %}" + markup).render(Context(context))


def test_tag_writes_its_word_in_its_colour():
    assert tag("Aprobada") == '<span class="tag tag-green">Aprobada</span>'
    assert tag("No puede empezar todavía").startswith('<span class="tag-plain">')


def test_word_outside_the_vocabulary_is_an_error():
    with pytest.raises(UnknownTagError, match="Casi lista"):
        tag("Casi lista")


def test_every_colour_of_the_vocabulary_is_in_the_sheet():
    sheet = (Path(settings.BASE_DIR) / "static/css/tokens.css").read_text()
    assert all(f".tag-{colour} " in sheet for colour in TAG_COLOURS.values())


def test_field_shows_label_then_hint_then_control_with_its_unit_outside():
    html = shown("{{ form|crispy }}", form=AcceptanceForm())
    order = [html.index(part) for part in ("Cantidad solicitada<", "Acciones enteras.", "<input")]
    assert order == sorted(order)
    assert '<span class="field-unit">acciones</span>' in html
    assert "w-number" in html
    assert "w-amount" in html


def test_quantity_is_said_in_words_under_its_field_when_it_can_be_read():
    assert "seiscientas mil acciones" in shown(
        "{{ form|crispy }}", form=AcceptanceForm({"quantity": "600.000"})
    )
    unreadable = shown("{{ form|crispy }}", form=AcceptanceForm({"quantity": "600,000"}))
    assert '<div class="field-words" id="id_quantity_words"></div>' in unreadable


def test_error_stands_between_label_and_control_and_keeps_what_was_typed():
    html = shown(
        "{{ form.quantity|as_crispy_field }}", form=AcceptanceForm({"quantity": "600,000"})
    )
    label, message, control = (
        html.index(part) for part in ("<label", 'class="field-message"', "<input")
    )
    assert label < message < control
    assert 'value="600,000"' in html
    assert 'aria-invalid="true"' in html
    assert "field-error" in html


def test_summary_links_each_error_to_its_field():
    form = AcceptanceForm({"quantity": "", "minimum": "x", "files": "otra"})
    form.add_error(None, "La etapa está cerrada.")
    html = shown("{% error_summary form %}", form=form)
    assert "Error: corrija 4 datos para continuar" in html
    assert 'href="#id_quantity"' in html
    assert ">Mínimo admisible: " in html
    assert 'href="#id_files_0"' in html
    assert "La etapa está cerrada" in html
    assert "cerrada." not in html


def test_summary_is_absent_without_errors():
    assert not shown("{% error_summary form %}", form=AcceptanceForm()).strip()


def test_panel_ends_with_the_total_and_keeps_articles_together():
    steps = [
        {"label": "Patrimonio bruto", "detail": "folio 3", "shown": "$10.000.000,00", "cite": ""},
        {"label": "Tras el límite", "detail": "", "shown": "495.049", "cite": "art. 6-1"},
    ]
    html = shown(
        '{% why source title="Por qué 495.049 acciones" tag="Recortada al límite" %}',
        source={"steps": steps, "conclusion": "Se baja al límite."},
    )
    assert html.count("<li") == 2
    assert html.index("why-total") > html.index("folio 3")
    assert "art.\u00a06\u20111" in html
    assert "Se baja al límite." in html
    assert "tag-ochre" in html


def test_text_of_a_step_is_escaped():
    steps = [{"label": "<b>x</b>", "detail": "<img src=x>", "shown": "1", "cite": ""}]
    html = shown("{% why source %}", source={"steps": steps, "title": "<i>"})
    assert "<b>" not in html
    assert "<img" not in html
    assert "<i>" not in html


BASE = settings.BASE_DIR
# Admin's sheet dresses Django's own pages, whose templates are not ours.
SHEETS = sorted(set((BASE / "static/css").glob("*.css")) - {BASE / "static/css/admin.css"})
# Written with what a row says: message-{{ level }}, stage-{{ state }}, tag-{colour}.
MADE_UP = re.compile(r"(message|stage|tag)-[a-z]+")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_class_of_a_sheet_is_used_by_a_page(sheet):
    rules = re.sub(r"/\*.*?\*/|url\([^)]*\)", "", sheet.read_text(), flags=re.DOTALL)
    sources = [*(BASE / "templates").rglob("*.html"), *(BASE / "static/js").glob("*.js")]
    for app in ("office", "buyers", "offerings"):
        sources += (BASE / app).rglob("*.py")
    words = set(re.findall(r"[\w-]+", "\n".join(path.read_text() for path in sources)))
    classes = set(re.findall(r"\.(-?[a-zA-Z_][\w-]*)", rules))
    assert not {name for name in classes - words if not MADE_UP.fullmatch(name)}
