"""Names that were folded before apostrophes were left out: found now, and as they were on the way
back, without a trace in their history."""

from importlib import import_module

import pytest
from django.apps import apps

from buyers.models import Buyer
from buyers.selectors import buyers_found
from office.text import fold
from tests.buyers.conftest import person

pytestmark = pytest.mark.django_db

MIGRATION = import_module("buyers.migrations.0006_names_found_without_apostrophe")


def test_names_lose_their_apostrophes_and_get_them_back(irene):
    names = ["Bernarda O’Higgins", "Ana D'Alemán S.A.", "María Ñáñez"]
    for serial, name in enumerate(names):
        person(irene, f"5200045{serial}", name)
    events = Buyer.pgh_event_model.objects.count()
    folded = Buyer.objects.order_by("identity_number").values_list("name_folded", flat=True)

    MIGRATION.apostrophes_restore(apps, None)
    assert list(folded.all()) == ["bernarda o'higgins", "ana d'aleman sa", "maria nanez"]
    assert not buyers_found(irene, text="ohiggins").exists()

    MIGRATION.apostrophes_drop(apps, None)
    assert list(folded.all()) == [fold(name) for name in names]
    assert buyers_found(irene, text="ohiggins").get().name == "Bernarda O’Higgins"
    assert Buyer.pgh_event_model.objects.count() == events
