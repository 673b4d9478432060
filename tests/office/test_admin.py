"""The admin: who keeps what, what nobody writes, and the trail that nobody can touch."""

import pghistory.core
import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import ProgrammingError, connection, transaction
from django.urls import reverse

from buyers.models import Broker, BrokerUser, Buyer, Exchange
from buyers.services import buyer_register, document_add
from office.admin_bases import ReadOnlyAdmin
from office.admin_events import EventAdmin
from office.decisions import decision_record
from office.models import Decision, User
from office.roles import Role

pytestmark = pytest.mark.django_db

READ_ONLY = [
    model for model, its in admin.site._registry.items() if isinstance(its, ReadOnlyAdmin)
]


def address(model, page, *keys):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=keys)


def of(model):
    return model._meta.label


@pytest.fixture
def at_admin(client, adela):
    client.force_login(adela)
    return client


@pytest.fixture
def as_root(client, root):
    client.force_login(root)
    return client


@pytest.fixture
def maria(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51000123",
        name="María Fernanda Ejemplo Ñáñez",
    )


def person_form(user, **changes):
    return {
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": "",
        "is_active": "on",
        "is_staff": "on",
        "groups": [group.pk for group in user.groups.all()],
    } | changes


# --- reference data ---


def test_an_administrator_adds_a_broker_by_the_nit_that_people_write(at_admin):
    answer = at_admin.post(
        address(Broker, "add"), {"name": "Valores  de Prueba", "nit": "860.530.751-7"}
    )

    assert answer.status_code == 302
    broker = Broker.objects.get()
    assert (broker.name, broker.nit) == ("Valores de Prueba", "860530751-7")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"nit": "860530751-1"}, "debe ser 7"),
        ({"nit": "860530751"}, "Falta el dígito"),
        ({"nit": "800.197.268-4"}, "Ya existe"),
        ({"name": "Valores \u202eabeurP"}, "U+202E"),
        ({"name": "Valores\x00"}, "U+0000"),
        ({"name": "W" * 201}, "200"),
    ],
)
def test_a_broker_with_a_fault_is_refused_with_its_reason(at_admin, broker, said, words):
    answer = at_admin.post(
        address(Broker, "add"), {"name": "Otra Prueba", "nit": "860530751-7"} | said
    )

    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert Broker.objects.count() == 1


def test_only_people_with_the_brokers_role_work_for_a_broker(at_admin, broker, bruno, mateo):
    BrokerUser.objects.all().delete()
    refused = at_admin.post(address(BrokerUser, "add"), {"user": mateo.pk, "broker": broker.pk})
    assert "rol de comisionista y ningún otro" in refused.content.decode()

    at_admin.post(address(BrokerUser, "add"), {"user": bruno.pk, "broker": broker.pk})
    assert BrokerUser.objects.get().user == bruno


def test_many_rows_changed_at_once_leave_who_before_and_after(at_admin, adela, exchange):
    other = Exchange.objects.create(name="Bolsa de Muestra")
    at_admin.post(
        address(Exchange, "changelist"),
        {"action": "make_inactive", "_selected_action": [exchange.pk, other.pk]},
    )

    assert not Exchange.objects.filter(is_active=True).exists()
    for row in (exchange, other):
        before, after = row.events.order_by("pk")
        assert (before.is_active, after.is_active) == (True, False)
        assert after.pgh_context.metadata["user"] == adela.pk
        trail = at_admin.get(address(Exchange, "history", row.pk), follow=True).content.decode()
        assert "<h1>Historia de bolsas de valores</h1>" in trail
        assert '<td class="field-who">adela</td>' in trail
        shown = at_admin.get(address(type(after), "change", after.pk)).content.decode()
        assert "activa: Sí → No" in shown


# --- who comes in ---


@pytest.mark.parametrize(
    ("person", "model", "status"),
    [
        ("adela", Broker, 200),
        ("adela", User, 200),
        ("adela", Buyer, 403),
        ("adela", Decision, 403),
        ("root", Buyer, 200),
        ("root", User, 200),
        ("irene", Buyer, 302),
        ("bruno", Buyer, 302),
    ],
)
def test_the_admin_opens_by_role(client, request, person, model, status):
    client.force_login(request.getfixturevalue(person))
    assert client.get(address(model, "changelist")).status_code == status


def test_staff_who_read_may_look_and_not_keep(client, aura, broker):
    User.objects.filter(pk=aura.pk).update(is_staff=True)
    client.force_login(aura)

    assert client.get(address(Buyer, "changelist")).status_code == 200
    assert client.get(address(Broker, "change", broker.pk)).status_code == 200
    assert client.post(address(Broker, "change", broker.pk), {"name": "X"}).status_code == 403
    assert client.get(address(Broker, "add")).status_code == 403
    assert client.get(address(User, "changelist")).status_code == 403


@pytest.mark.parametrize("model", READ_ONLY, ids=of)
def test_nobody_writes_what_is_read_only(rf, root, adela, ana, model):
    registered = admin.site._registry[model]
    for user in (root, adela, ana):
        request = rf.get("/")
        request.user = user
        assert not registered.has_add_permission(request)
        assert not registered.has_change_permission(request)
        assert not registered.has_delete_permission(request)


@pytest.mark.parametrize("model", READ_ONLY, ids=of)
def test_a_superuser_sees_the_list_and_no_way_to_write(as_root, model):
    assert as_root.get(address(model, "changelist")).status_code == 200
    assert as_root.get(address(model, "add")).status_code == 403
    assert as_root.post(address(model, "add"), {}).status_code == 403


def test_a_superuser_reads_a_buyer_and_cannot_save_or_delete_it(as_root, maria):
    page = address(Buyer, "change", maria.pk)
    shown = as_root.get(page)

    assert "María Fernanda Ejemplo Ñáñez" in shown.content.decode()
    assert 'name="_save"' not in shown.content.decode()
    assert as_root.post(page, {"name": "Otra"}).status_code == 403
    assert as_root.post(address(Buyer, "delete", maria.pk), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("asked", ["nanez", "ÑÁÑEZ", "51000123"])
def test_a_buyer_is_looked_up_without_its_accents(as_root, maria, asked):
    assert (
        "María Fernanda"
        in as_root.get(address(Buyer, "changelist"), {"q": asked}).content.decode()
    )


def test_figures_are_shown_as_colombia_writes_them(as_root, maria, irene, exchange):
    document = document_add(
        user=irene, buyer=maria, kind="tax_return", year=1993,
        figures={"gross_equity": 1234567}, exchange=exchange, exchange_reference="BB-1",
    )  # fmt: skip

    page = as_root.get(address(type(document), "change", document.pk)).content.decode()
    assert "1.234.567,00" in page


# --- people and roles ---


def test_an_administrator_gives_a_role_to_another_and_it_leaves_its_trace(at_admin, mateo):
    supervisor, _ = Group.objects.get_or_create(name=Role.SUPERVISOR)
    answer = at_admin.post(
        address(User, "change", mateo.pk), person_form(mateo, groups=[supervisor.pk])
    )

    assert answer.status_code == 302
    assert User.objects.get(pk=mateo.pk).roles == {Role.SUPERVISOR}
    page = at_admin.get(address(User, "change", mateo.pk)).content.decode()
    assert "perdió el rol analista" in page
    assert "recibió el rol supervisor" in page


@pytest.mark.parametrize("person", ["adela", "root"])
def test_nobody_changes_its_own_roles(client, request, person):
    user = request.getfixturevalue(person)
    client.force_login(user)
    supervisor, _ = Group.objects.get_or_create(name=Role.SUPERVISOR)
    roles = [group.pk for group in user.groups.all()]

    answer = client.post(
        address(User, "change", user.pk), person_form(user, groups=[*roles, supervisor.pk])
    )

    assert "Nadie cambia sus propios roles" in answer.content.decode()
    assert Role.SUPERVISOR not in User.objects.get(pk=user.pk).roles


def test_nobody_locks_itself_out_and_its_name_can_be_mended(at_admin, adela):
    form = person_form(adela, first_name="Adelaida")
    refused = at_admin.post(
        address(User, "change", adela.pk),
        {name: value for name, value in form.items() if name != "is_active"},
    )
    assert "Usted no puede desactivarse" in refused.content.decode()

    assert at_admin.post(address(User, "change", adela.pk), form).status_code == 302
    assert User.objects.get(pk=adela.pk).first_name == "Adelaida"


def test_an_administrator_makes_no_superuser_and_changes_none(at_admin, root, mateo):
    at_admin.post(address(User, "change", mateo.pk), person_form(mateo, is_superuser="on"))
    assert not User.objects.get(pk=mateo.pk).is_superuser

    assert at_admin.post(address(User, "change", root.pk), person_form(root)).status_code == 403
    password = reverse("admin:auth_user_password_change", args=[root.pk])
    assert at_admin.get(password).status_code == 403


def test_an_administrator_makes_a_person_and_no_one_deletes_it(at_admin, mateo):
    answer = at_admin.post(
        address(User, "add"),
        {
            "username": "nueva",
            "usable_password": "true",
            "password1": "una-clave-bien-larga",
            "password2": "una-clave-bien-larga",
        },
    )
    assert answer.status_code == 302
    assert User.objects.get(username="nueva").roles == frozenset()
    assert at_admin.post(address(User, "delete", mateo.pk), {"post": "yes"}).status_code == 403


def test_the_roles_are_shown_with_who_has_them(at_admin, ana):
    role = Group.objects.get(name=Role.SUPERVISOR)
    page = at_admin.get(address(Group, "change", role.pk)).content.decode()

    assert "Ana Ficticia Rey" in page
    assert at_admin.post(address(Group, "change", role.pk), {"name": "x"}).status_code == 403


# --- the trail ---


def test_every_trail_has_its_read_only_page():
    for model in pghistory.core.event_models():
        assert isinstance(admin.site._registry[model], EventAdmin)


def test_the_history_of_a_buyer_is_what_the_triggers_wrote(as_root, maria):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE buyers_buyer SET name = 'Otra Prueba' WHERE id = %s", [maria.pk])
    page = as_root.get(address(Buyer, "history", maria.pk), follow=True).content.decode()

    assert "Se creó" in page
    assert "Cambió" in page
    assert "sin usuario" in page


@pytest.mark.parametrize("statement", ["UPDATE {} SET pgh_label = 'x'", "DELETE FROM {}"])
def test_raw_sql_cannot_change_or_delete_the_trail(maria, exchange, broker, bruno, statement):
    tables = [
        model._meta.db_table for model in pghistory.core.event_models() if model.objects.exists()
    ]
    assert {"buyers_buyerevent", "office_userevent", "office_userroleevent"} <= set(tables)
    for table in tables:
        with (
            pytest.raises(ProgrammingError, match=r"Cannot (update|delete)"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement.format(table))


@pytest.mark.parametrize("model", pghistory.core.event_models(), ids=of)
def test_every_trail_is_append_only_in_the_database(model):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = %s::regclass",
            [model._meta.db_table],
        )
        triggers = [row[0] for row in cursor.fetchall()]

    assert any("BEFORE DELETE OR UPDATE" in each for each in triggers), triggers


@pytest.mark.parametrize("statement", ["UPDATE {} SET reason = 'x'", "DELETE FROM {}"])
def test_raw_sql_cannot_change_or_delete_a_decision(maria, irene, statement):
    decision_record(act="prueba", sentence="Probó.", actor=irene, subject=maria)
    with (
        pytest.raises(ProgrammingError, match=r"Cannot (update|delete)"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format("office_decision"))


@pytest.mark.parametrize(
    ("role", "enters"),
    [
        ("administrador", True),
        ("supervisor", True),
        ("analista", True),
        ("auditor", True),
        ("comisionista", False),
    ],
)
def test_a_role_alone_opens_the_reference_data_or_keeps_them_shut(
    client, at_admin, irene, role, enters
):
    group, _ = Group.objects.get_or_create(name=role)
    irene.groups.clear()

    at_admin.post(address(User, "change", irene.pk), person_form(irene, groups=[group.pk]))

    irene.refresh_from_db()
    assert irene.is_staff is enters
    client.force_login(irene)
    assert (client.get("/admin/").status_code == 200) is enters
