"""Who comes in where in the admin: every table, each kind of person, looking and writing.

KEPT and LOOKED_UP are the table: a model of the admin that neither knows fails, and so does an
address of the admin that is none of a model's.
"""

from itertools import product

import pghistory.models
import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from buyers.models import Buyer
from offerings.models import AcceptanceImport, ClassFinding, FundRules
from office.files import file_store
from office.roles import Role
from tests.conftest import make_user
from tests.offerings.price_pages import make_every_price
from tests.offerings.programme_1995 import credit_line_of, notice_of
from tests.pledges.every_table import make_rows
from tests.test_access import addresses
from tests.world import World

# What the administrator keeps; nobody deletes, and what goes out of use is made inactive.
# People are its own matter; the auditor looks at the rest.
PEOPLES = {"buyers.brokeruser", "office.user"}
REFERENCE = {"buyers.broker", "buyers.exchange"}
KEPT = PEOPLES | REFERENCE
# What the administrator alone looks at, and changes in no way.
FIXED = {"auth.group"}
# What everybody who sees everything looks up; it is written in the workspace alone.
LOOKED_UP = {
    "buyers.buyer",
    "buyers.document",
    "offerings.acceptance",
    "offerings.acceptanceimport",
    "offerings.adjudication",
    "offerings.auctionsession",
    "offerings.award",
    "offerings.classfinding",
    "offerings.cpibase",
    "offerings.cpiimport",
    "offerings.cpiindex",
    "offerings.creditline",
    "offerings.fundrules",
    "offerings.fundvalue",
    "offerings.participation",
    "offerings.payment",
    "offerings.programme",
    "offerings.publicnotice",
    "offerings.referencetrade",
    "offerings.stage",
    "office.certificate",
    "office.decision",
    "office.job",
    "pledges.attachment",
    "pledges.dailyrun",
    "pledges.funddecision",
    "pledges.lendernotice",
    "pledges.penaltypayment",
    "pledges.penaltyreadings",
    "pledges.penaltyrefund",
    "pledges.pledge",
    "pledges.quote",
    "pledges.release",
    "pledges.releaseannulment",
    "pledges.releaseline",
    "pledges.releaserequest",
    "pledges.requestclosing",
    "pledges.shareholderrights",
    "pledges.transfer",
}
# Addresses that belong to no table: what each answers to whoever may enter the admin.
PAGES = {
    "admin:index": 200,
    "admin:app_list": 200,
    "admin:jsi18n": 200,
    "admin:password_change": 200,
    "admin:password_change_done": 200,
    "admin:autocomplete": 403,
    "admin:view_on_site": 404,
    "admin:logout": 405,
}
OPEN = {"admin:login"}
MODEL_PAGES = {"changelist", "add", "change", "delete", "history"}

# An auditor who was let into the admin looks everything up; a superuser has no role at all.
PEOPLE = ("analista", "broker", "staff_auditor", "administrador", "root")
OUTSIDE = {"analista", "broker"}
LOOKS = {
    "people": {"administrador", "root"},
    "reference": {"administrador", "staff_auditor", "root"},
    "fixed": {"administrador", "root"},
    "looked_up": {"staff_auditor", "root"},
}
KEEPS = {"administrador", "root"}

EVENTS = {
    model: model._meta.label_lower
    for model in admin.site._registry
    if issubclass(model, pghistory.models.Event)
}
TABLES = {model._meta.label_lower: model for model in admin.site._registry if model not in EVENTS}
ROUTES = {name: route for name, route, _ in addresses() if route.startswith("admin/")}


def page_name(model, page: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"


def test_table_knows_every_model_of_the_admin():
    assert set(TABLES) == KEPT | FIXED | LOOKED_UP


def test_table_knows_every_address_of_the_admin():
    of_models = {page_name(model, page) for model in admin.site._registry for page in MODEL_PAGES}
    of_models |= {"admin:auth_user_password_change"}
    unnamed = sorted(name for name, route in ROUTES.items() if name == route)
    assert {name for name in ROUTES if ROUTES[name] != name} == of_models | set(PAGES) | OPEN
    # A row's bare address, which leads to its page, and whatever the admin does not know.
    assert all(route.endswith(("<path:object_id>/", "(?P<url>.*)$")) for route in unnamed)


@pytest.fixture
def world(db):
    """A row in every table of the admin."""
    world = World()
    analyst = world.people["analista"]
    world.people["staff_auditor"] = make_user(
        "audita", Role.AUDITOR, "Persona", "de Prueba que audita", is_staff=True
    )
    programme = world.certificates["broker"].award.acceptance.stage.programme
    notice_of(programme, analyst)
    credit_line_of(programme, analyst)
    rules = FundRules.objects.create(programme=programme, version=2, prepared_by=analyst)
    rules.values.create(key="outstanding", value=1, source="Prueba", entered_by=analyst)
    stored = file_store(data=b"x", name="prueba.csv", content_type="text/csv")
    AcceptanceImport.objects.create(
        stage=world.closed_stage, file=stored, sha256=stored.sha256, uploaded_by=analyst
    )
    world.of_document(world.awards["broker"].acceptance)
    ClassFinding.objects.create(
        participation=world.awards["broker"].acceptance.participation,
        found_at=timezone.now(),
        evidence="Acta de prueba",
        recorded_by=analyst,
    )
    make_rows(world)
    make_every_price(world)
    return world


def got(world: World, person: str, method: str, address: str) -> int | str:
    client = Client()
    client.force_login(world.people[person])
    with transaction.atomic():
        response = getattr(client, method)(address)
        transaction.set_rollback(True)
    to_door = response.status_code == 302 and response["Location"].startswith("/admin/login/")
    return "the log-in" if to_door else response.status_code


def expected(kind: str, person: str, page: str, method: str) -> set[int | str]:
    """The statuses that a person may get at a page of a table of that kind."""
    if person in OUTSIDE:
        return {"the log-in"}
    if page == "delete" or person not in LOOKS[kind]:
        return {403}
    writes = page == "add" or (page == "change" and method == "post")
    if writes:
        return {200, 302} if kind in {"people", "reference"} and person in KEEPS else {403}
    return {200, 302} if page == "history" else {200}


def kind_of(label: str) -> str:
    kinds = {"people": PEOPLES, "reference": REFERENCE, "fixed": FIXED, "looked_up": LOOKED_UP}
    return next(kind for kind, labels in kinds.items() if label in labels)


def tried(page: str, person: str) -> tuple[str, ...]:
    """The methods worth trying: who may not enter at all is stopped at one door."""
    if page == "changelist":
        return ("get",)
    if person in OUTSIDE:
        return ("post",) if page == "change" else ()
    return ("get", "post")


def test_each_person_gets_at_each_table_what_the_table_says(world):
    wrong = []
    for label, model in TABLES.items():
        kind = kind_of(label)
        row = model.objects.order_by("pk").first()
        assert row, f"no {label} to look at"
        for page, person in product(sorted(MODEL_PAGES), PEOPLE):
            arguments = [] if page in {"changelist", "add"} else [row.pk]
            address = reverse(page_name(model, page), args=arguments)
            for method in tried(page, person):
                status = got(world, person, method, address)
                right = expected(kind, person, page, method)
                if status not in right:
                    wrong.append(f"{method.upper()} {address} as {person}: {status}, not {right}")
    assert not wrong, "\n".join(wrong)


def test_trail_is_seen_by_those_who_see_its_table_and_written_by_nobody(world):
    wrong = []
    for model in EVENTS:
        kind = kind_of_trail(model)
        event = model.objects.order_by("pk").first()
        rows = [("change", [event.pk]), ("delete", [event.pk])] if event else []
        for page, arguments in [("changelist", []), ("add", []), *rows]:
            address = reverse(page_name(model, page), args=arguments)
            method = "get" if page == "changelist" else "post"
            for person in ("analista", "staff_auditor", "administrador", "root"):
                status = got(world, person, method, address)
                if status not in trail_expected(kind, person, page):
                    wrong.append(f"{method.upper()} {address} as {person}: {status}")
    assert not wrong, "\n".join(wrong)


def kind_of_trail(model) -> str:
    """A trail is for those who see its table, or, without one in the admin, who see all."""
    label = model.pgh_tracked_model._meta.label_lower
    return kind_of(label) if label in TABLES else "looked_up"


def trail_expected(kind: str, person: str, page: str) -> set[int | str]:
    if person in OUTSIDE:
        return {"the log-in"}
    return {200} if page == "changelist" and person in LOOKS[kind] else {403}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_pages_of_no_table_open_to_those_who_may_enter(db, name):
    world = World()
    arguments = {
        "admin:app_list": ["buyers"],
        "admin:view_on_site": [ContentType.objects.get_for_model(Buyer).pk, 1],
    }.get(name, [])
    address = reverse(name, args=arguments)
    assert got(world, "root", "get", address) == PAGES[name]
    for person in ("analista", "broker"):
        assert got(world, person, "get", address) in {"the log-in", 302}


def test_administrator_makes_nobody_a_superuser_and_gives_itself_no_role(client, adela, irene):
    client.force_login(adela)
    address = reverse("admin:office_user_change", args=[irene.pk])
    typed = {"username": "irene", "is_active": "on", "is_superuser": "on", "is_staff": "on"}
    assert client.post(address, typed).status_code == 302
    irene.refresh_from_db()
    assert not irene.is_superuser
    own = reverse("admin:office_user_change", args=[adela.pk])
    supervisor, _ = Group.objects.get_or_create(name=Role.SUPERVISOR)
    page = client.post(own, {"username": "adela", "is_active": "on", "groups": [supervisor.pk]})
    assert "Nadie cambia sus propios roles" in page.content.decode()
    assert not adela.groups.filter(pk=supervisor.pk).exists()


def test_anonymous_gets_nothing_of_the_admin_but_its_door(client, db):
    for model in admin.site._registry:
        address = reverse(page_name(model, "changelist"))
        assert client.get(address).status_code == 302
    assert client.get(reverse("admin:login")).status_code == 200
    assert client.get("/admin/no-existe/").status_code == 302
