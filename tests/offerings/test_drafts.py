"""Acceptances half typed: kept as they were typed, gone on with, thrown away, registered."""

import uuid
from contextlib import suppress

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from offerings.models import Acceptance, AcceptanceDraft
from offerings.services import drafts as service
from offerings.services.drafts import draft_discard, draft_save, draft_stamp
from offerings.services.stages import stage_close
from office.refusals import Refused
from tests.conftest import CLOSED
from tests.offerings.programme_1995 import SLUG, open_stage_of
from tests.offerings.test_acceptance_pages import NEW, maria, text, typed

__all__ = ["maria", "typed"]
SAVE = reverse("acceptance_draft_save", args=[SLUG, 1])
LIST = reverse("acceptance_drafts")


@pytest.fixture
def stage(irene, ana):
    return open_stage_of(irene, ana)


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


@pytest.fixture
def keep(stage, irene):
    key = uuid.uuid4()

    def run(*, seen="", user=irene, submission_key=key, **content):
        return draft_save(
            stage=stage,
            content={name: [value] for name, value in content.items()},
            submission_key=submission_key,
            seen=seen,
            user=user,
        )

    return run


def shown_values(response):
    """What the form's fields show, by name."""
    form = response.context["form"]
    return {name: form[name].value() for name in form.fields}


# --- what is kept ---


def test_what_was_typed_comes_back_as_it_was_typed_readable_or_not(desk, typed):
    unreadable = typed | {
        "buyer": "Nadie  registrado todavía",
        "requested": "16.829718",
        "received_on": "31/09/95",
        "paper1_gross_equity": "1,234.50",
    }

    saved = desk.post(SAVE, unreadable)
    draft = AcceptanceDraft.objects.get()
    assert saved.url == reverse("acceptance_draft", args=[draft.pk])

    page = desk.get(saved.url)
    values = shown_values(page)
    assert {name: values[name] for name in unreadable if name != "submission_key"} == {
        name: True if value == "on" else value
        for name, value in unreadable.items()
        if name != "submission_key"
    }
    assert "Continúa su borrador" in text(page)
    assert not Acceptance.objects.exists()


def test_a_box_that_was_not_ticked_stays_unticked(desk, typed):
    typed.pop("declares_not_disqualified")

    page = desk.get(desk.post(SAVE, typed).url)

    assert shown_values(page)["declares_not_disqualified"] is False


def test_the_title_and_the_trail_hold_no_identity(keep, maria):
    assert keep(buyer="María Fernanda Ejemplo Ñáñez · C.C. 51.000.123").title == (
        "María Fernanda Ejemplo Ñáñez"
    )
    numbered = keep(buyer="51.000.123", submission_key=uuid.uuid4())
    assert numbered.title == ""
    assert "content" not in {field.name for field in AcceptanceDraft.pgh_event_model._meta.fields}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"buyer": "María\x00"}, r"U\+0000"),
        ({"requested": "600\u202e"}, r"U\+202E"),
        ({"beneficial_owner": "x" * 60_001}, "acorte los textos"),
    ],
)
def test_what_is_too_long_or_holds_unseen_characters_is_refused(keep, content, says):
    with pytest.raises(Refused, match=says):
        keep(**content)
    assert not AcceptanceDraft.objects.exists()


def test_a_refused_draft_loses_nothing_that_was_typed(desk, typed):
    response = desk.post(SAVE, typed | {"beneficial_owner": "Rosa \u202eInventada"})

    assert response.status_code == 422
    assert "no se guardó el borrador" in text(response)
    assert shown_values(response)["requested"] == "600.000"


# --- twice, two windows, two people ---


def test_a_form_sent_twice_leaves_one_draft(desk, typed):
    first, second = desk.post(SAVE, typed), desk.post(SAVE, typed)

    assert first.url == second.url
    assert AcceptanceDraft.objects.count() == 1


def test_two_drafts_never_share_the_key_of_their_form(keep, stage, irene):
    draft = keep(buyer="Rosa")

    with pytest.raises(IntegrityError), transaction.atomic():
        AcceptanceDraft.objects.create(
            stage=stage, owner=irene, submission_key=draft.submission_key
        )


def test_of_two_windows_the_older_does_not_write_over_the_newer(keep):
    opened = draft_stamp(keep(requested="100"))
    newer = keep(requested="200", seen=opened)

    with pytest.raises(Refused, match=r"se guardó en otra ventana el .*viene del") as refusal:
        keep(requested="300", seen=opened)

    newer.refresh_from_db()
    assert newer.content == {"requested": ["200"]}
    seconds = [f"{stamp:%S}" for stamp in (newer.saved_at,)]
    assert seconds[0] in refusal.value.message


def test_a_window_that_was_never_saved_does_not_write_over_it_either(keep):
    keep(requested="100")

    with pytest.raises(Refused, match="aquí no se había guardado"):
        keep(requested="300")


def test_an_older_window_does_not_register_over_the_newer_draft(desk, typed):
    desk.post(SAVE, typed)
    opened = draft_stamp(AcceptanceDraft.objects.get())
    desk.post(SAVE, typed | {"requested": "700", "draft_seen": opened})

    response = desk.post(NEW, typed | {"draft_seen": opened, "paso": "registrar"})

    assert response.status_code == 422
    assert "se guardó en otra ventana" in text(response)
    assert not Acceptance.objects.exists()


def test_a_draft_that_is_gone_is_not_made_again(keep, irene):
    draft = keep(requested="100")
    seen = draft_stamp(draft)
    draft_discard(draft_id=draft.pk, user=irene)
    draft_discard(draft_id=draft.pk, user=irene)

    with pytest.raises(Refused, match="se descartó o se registró"):
        keep(requested="200", seen=seen)


def test_nobody_else_sees_goes_on_with_or_discards_a_draft(client, keep, ana, aura, irene):
    draft = keep(buyer="Rosa")
    for person in (ana, aura):
        client.force_login(person)
        status = 403 if person is aura else 404
        assert client.get(reverse("acceptance_draft", args=[draft.pk])).status_code == status
    client.force_login(ana)
    assert "Rosa" not in client.get(LIST).content.decode()

    draft_discard(draft_id=draft.pk, user=ana)
    with pytest.raises(Refused, match="no es suyo"):
        keep(buyer="Rosa", user=ana)
    assert AcceptanceDraft.objects.get().owner == irene


def test_the_auditor_keeps_no_draft(keep, aura):
    with pytest.raises(Refused, match="un analista o un supervisor"):
        keep(buyer="Rosa", user=aura)


# --- to its end ---


def test_registering_from_a_draft_removes_it(desk, typed):
    saved = desk.post(SAVE, typed)
    page = desk.get(saved.url)
    seen = shown_values(page)["draft_seen"]

    review = desk.post(NEW, typed | {"draft_seen": seen, "paso": "revisar"})
    assert review.status_code == 200
    assert AcceptanceDraft.objects.exists()

    desk.post(NEW, typed | {"draft_seen": seen, "paso": "registrar"})
    assert Acceptance.objects.count() == 1
    assert not AcceptanceDraft.objects.exists()

    late = desk.post(SAVE, typed)
    assert "ya se registró como A-000001" in text(late)


def test_where_the_registration_fails_the_draft_is_still_there(desk, typed, monkeypatch):
    desk.post(SAVE, typed)
    seen = draft_stamp(AcceptanceDraft.objects.get())

    def broken(*args, **kwargs):
        raise RuntimeError("prueba")

    monkeypatch.setattr("offerings.services.acceptances.participation_evaluate", broken)
    with suppress(RuntimeError):
        desk.post(NEW, typed | {"draft_seen": seen, "paso": "registrar"})

    assert AcceptanceDraft.objects.exists()
    assert not Acceptance.objects.exists()


def test_a_draft_of_a_closed_stage_says_so_and_can_only_be_discarded(desk, typed, stage, ana):
    saved = desk.post(SAVE, typed)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)

    page = text(desk.get(saved.url))
    assert "ya no recibe aceptaciones" in page
    assert "Este borrador ya no puede continuar" in page
    assert "Cantidad solicitada" not in page
    assert "ya no puede continuar" in text(desk.get(LIST))
    assert desk.post(SAVE, typed | {"requested": "7"}).status_code == 409

    draft = AcceptanceDraft.objects.get()
    assert draft.content["requested"] == ["600.000"]
    desk.post(reverse("acceptance_draft_discard", args=[draft.pk]))
    assert not AcceptanceDraft.objects.exists()


def test_a_broker_keeps_drafts_of_its_own(client, typed, bruno, broker):
    client.force_login(bruno)
    saved = client.post(SAVE, typed)

    assert AcceptanceDraft.objects.get().owner == bruno
    assert client.get(saved.url).context["form"].fixed_broker == broker
    assert "Borradores suyos" in text(client.get(reverse("home")))


# --- where they are found ---


def test_drafts_are_counted_at_home_in_the_list_and_on_the_programme(desk, typed):
    assert "Borradores suyos" not in text(desk.get(reverse("home")))
    assert "No tiene ninguno" in text(desk.get(LIST))
    desk.post(SAVE, typed)

    assert "1 Borradores suyos" in text(desk.get(reverse("home")))
    assert "Borradores (1)" in text(desk.get(reverse("acceptances")))
    assert "Sus borradores (1)" in text(desk.get(reverse("programme", args=[SLUG])))
    assert "María Fernanda Ejemplo Ñáñez" in text(desk.get(LIST))


def test_the_size_that_a_draft_may_have_is_above_what_the_form_can_hold():
    assert service.LONGEST_BYTES > 20 * 1024
