"""What the work costs is measured; how long it takes is no test's business."""

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from buyers.models import Buyer
from config.bench.measures import adjudications, certificates, pages
from config.bench.pledges import maturing
from config.demo.people import people_ready
from config.demo.programme import stage_ready
from office.roles import Role


@pytest.fixture
def stage(db, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    for role in Role:  # gone where a transactional test emptied the tables before
        Group.objects.get_or_create(name=role.value)
    people_ready()
    return stage_ready()


def test_a_database_with_data_is_left_alone(irene):
    with pytest.raises(CommandError, match="ya tiene datos"):
        call_command("bench")


@pytest.mark.parametrize("measure", [adjudications, pages])
def test_each_measure_tells_two_sizes_and_leaves_nothing_behind(stage, measure):
    told = list(measure(stage, 20))
    assert [line.split()[0] for line in told[:2]] == (
        ["2", "20"] if measure is adjudications else ["10", "20"]
    )
    assert len(told) == 3
    assert not Buyer.objects.exists()


def test_drawing_is_told_for_one(stage):
    [line] = certificates(stage, 1)
    assert line.startswith("1 PDF: ")
    assert not Buyer.objects.exists()


def test_pledges_are_told_for_a_hundredth_and_for_all(stage):
    told = list(maturing(stage, 200))
    assert [line.split(":")[0] for line in told if line.startswith("200 prendas")] == [
        "200 prendas, hallarlas",
        "200 prendas, mostrarlas",
        "200 prendas, contarlas",
        "200 prendas, prepararlas",
        "200 prendas, memoria de más",
    ]
    assert sum("cien veces más prendas" in line for line in told) == 4
    assert not Buyer.objects.exists()
