"""What was typed in a form, out of it and back into it, as it was typed."""

from collections.abc import Mapping, Sequence

from django.forms import Form
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

OWN_FIELDS = ("submission_key", "draft_seen")  # the form's, not typed by anybody


def content_of(form: Form, data: QueryDict) -> dict[str, list[str]]:
    """The form's fields as they came, by name."""
    return {
        name: data.getlist(name) for name in form.fields if name in data and name not in OWN_FIELDS
    }


def content_restore(form: Form, content: Mapping[str, Sequence[str]]) -> None:
    """Have an unbound form show what was typed, as it was typed."""
    data = MultiValueDict({name: list(values) for name, values in content.items()})
    for name, field in form.fields.items():
        if name not in OWN_FIELDS:
            form.initial[name] = field.widget.value_from_datadict(data, MultiValueDict(), name)
