"""Every form that is sent empty says what is missing: once on top, and nothing is saved."""

import re

import pytest
from django.urls import reverse

from office.models import Decision
from tests.pages import Page as Address
from tests.test_access import KNOWN, PAGES, answer, world  # noqa: F401

REFUSED = [name for name in KNOWN if PAGES[name].post == 422]


def first_who_may(page: Address) -> str:
    return next(
        person
        for person in ("supervisor", "analista", "broker")
        if page.expected(person, "post") == page.post
    )


@pytest.mark.parametrize("name", REFUSED)
def test_form_sent_empty_tells_its_faults_once_on_top_and_in_its_title(world, name):  # noqa: F811
    page = PAGES[name]
    address = reverse(name, kwargs=page.about(world))
    known = Decision.objects.count()
    response = answer(world, first_who_may(page), "post", address)
    text = response.content.decode()
    assert response.status_code == 422
    assert re.search(r"<title>\s*Error: ", text)
    assert text.count('class="error-summary"') == 1
    assert Decision.objects.count() == known
