"""Names are searched without their apostrophes: "ohiggins" finds O’Higgins."""

import unicodedata

import pgtrigger
from django.db import migrations
from django.db.models import F, Q, Value
from django.db.models.functions import Replace

# What is only searched by is no change of what the register says, so the history keeps quiet.
HISTORY = "buyers.Buyer:update_update"
APOSTROPHES = "'’‘ʼ´`′"
LENGTH = 200


def apostrophes_drop(apps, schema_editor):
    found = apps.get_model("buyers", "Buyer").objects.filter(name_folded__contains="'")
    with pgtrigger.ignore(HISTORY):
        found.update(name_folded=Replace(F("name_folded"), Value("'"), Value("")))


def apostrophes_restore(apps, schema_editor):
    buyers = apps.get_model("buyers", "Buyer").objects
    written = Q()
    for mark in APOSTROPHES:
        written |= Q(name__contains=mark)
    with pgtrigger.ignore(HISTORY):
        for pk, name in buyers.filter(written).values_list("pk", "name"):
            buyers.filter(pk=pk).update(name_folded=_folded_before(name)[:LENGTH])


def _folded_before(name):
    alike = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))
    plain = unicodedata.normalize("NFKD", name.translate(alike)).casefold()
    letters = "".join(mark for mark in plain if not unicodedata.combining(mark))
    return " ".join(letters.translate(alike).replace(".", "").split())


class Migration(migrations.Migration):
    dependencies = [("buyers", "0005_identity_number_index")]

    operations = [migrations.RunPython(apostrophes_drop, apostrophes_restore)]
