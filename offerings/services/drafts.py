"""Acceptances half typed, kept for whoever types them. Nothing of them is checked but their size
and unseen characters, and nothing of them counts until they are registered."""

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from buyers.services import presenting_broker
from offerings.models import Acceptance, AcceptanceDraft, Stage
from offerings.services.stages import stage_check
from office.dates import bogota_day, write_date
from office.models import User
from office.numbers import write_quantity
from office.refusals import Refused
from office.text import TextError, clean_text

LONGEST_BYTES = 60_000
TITLE_LENGTH = AcceptanceDraft._meta.get_field("title").max_length
Content = Mapping[str, Sequence[str]]


@transaction.atomic
def draft_save(
    *, stage: Stage, content: Content, submission_key: uuid.UUID, seen: str, user: User
) -> AcceptanceDraft:
    """Keep what was typed so far in the form of that `submission_key`, for `user` alone.

    `content`: the fields as they were typed, each a list. `seen`: when the draft that the form
    came from had been saved, as `draft_stamp` gives it; "" for a form that was never saved. The
    same sent twice is saved once. Raises Refused, also where another window saved it meanwhile.
    """
    presenting_broker(user)
    stage_check(stage)
    # The person's own row: two windows of one person take turns, nobody else waits.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    typed = _checked(content)
    draft = _draft_there(submission_key, user)
    if draft is None:
        _check_still_there(submission_key, seen)
        draft = AcceptanceDraft(stage=stage, owner=user, submission_key=submission_key)
    elif draft.content == typed:
        return draft
    else:
        draft_check_newest(draft, seen)
    draft.content, draft.title = typed, _title(typed)
    draft.full_clean()
    draft.save()
    return draft


@transaction.atomic
def draft_discard(*, draft_id: int, user: User) -> None:
    """Throw a draft of one's own away; gone already, there is nothing to do."""
    AcceptanceDraft.objects.visible_to(user).filter(pk=draft_id).delete()


def draft_take(*, submission_key: uuid.UUID, seen: str | None, user: User) -> None:
    """Remove the draft that an acceptance is registered from, in the caller's transaction.

    `seen` as in `draft_save`, None where whoever registers knows of no draft. Raises Refused
    where another window saved it meanwhile.
    """
    drafts = AcceptanceDraft.objects.select_for_update()
    draft = drafts.filter(submission_key=submission_key, owner=user).first()
    if draft is None:
        return
    if seen is not None:
        draft_check_newest(draft, seen)
    draft.delete()


def draft_stamp(draft: AcceptanceDraft) -> str:
    """When it was saved, as a form carries it."""
    return draft.saved_at.isoformat()


def draft_check_newest(draft: AcceptanceDraft, seen: str) -> None:
    """Refuse to go over a draft that is newer than what the form came from."""
    if seen == draft_stamp(draft):
        return
    here = _moment_of(seen)
    mine = f"lo que tiene aquí viene del {_told(here)}" if here else "aquí no se había guardado"
    raise Refused(
        f"Este borrador se guardó en otra ventana el {_told(draft.saved_at)}; {mine}. No se "
        "escribió encima: ábralo en Borradores, o descártelo allí y guarde esto de nuevo."
    )


def _draft_there(submission_key: uuid.UUID, user: User) -> AcceptanceDraft | None:
    found = AcceptanceDraft.objects.filter(submission_key=submission_key).first()
    if found is not None and found.owner_id != user.pk:
        raise Refused("Este formulario no es suyo: abra uno nuevo.")
    return found


def _check_still_there(submission_key: uuid.UUID, seen: str) -> None:
    done = Acceptance.objects.filter(submission_key=submission_key).first()
    if done is not None:
        raise Refused(f"Esto ya se registró como {done.code}: no queda nada por guardar.")
    if seen and _moment_of(seen) is not None:
        raise Refused(
            "Este borrador se descartó o se registró en otra ventana. Si hace falta, copie lo "
            "escrito en una aceptación nueva."
        )


def _checked(content: Content) -> dict[str, list[str]]:
    typed = {name: list(values) for name, values in content.items() if any(values)}
    size = len(json.dumps(typed).encode())
    if size > LONGEST_BYTES:
        raise Refused(
            f"Lo escrito ocupa {write_quantity(size)} bytes y un borrador guarda hasta "
            f"{write_quantity(LONGEST_BYTES)}: acorte los textos."
        )
    for name, values in typed.items():
        for value in values:
            _check_seen(value, name)
    return typed


def _check_seen(value: str, name: str) -> None:
    try:
        clean_text(value, multiline=True)
    except TextError as error:
        raise Refused(str(error), name) from error


def _title(typed: Mapping[str, Sequence[str]]) -> str:
    """Whose it is, without the identity: of what is typed, the title alone stands in the trail."""
    name = next(iter(typed.get("buyer", ())), "").partition(" · ")[0]
    shown = clean_text(name)[:TITLE_LENGTH]
    return "" if any(sign.isdigit() for sign in shown) else shown


def _moment_of(seen: str) -> datetime | None:
    try:
        return datetime.fromisoformat(seen)
    except ValueError:
        return None


def _told(moment: datetime) -> str:
    """With its seconds, since two windows are often of one minute."""
    return f"{write_date(bogota_day(moment))}, {timezone.localtime(moment):%H:%M:%S}"
