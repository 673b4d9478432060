"""What of the pledges waits in the work queue: releases and their annulment, and what is free."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from django.db.models import Model
from django.urls import reverse
from django.utils.text import Truncator

from office.dates import write_date
from office.numbers import write_count, write_shares
from pledges.models import Release, ReleaseAnnulment
from pledges.selectors.releases import programmes_due

CAUSE_SHOWN = 80


def _describe_release(release: Release) -> dict[str, Any]:
    counted = write_count(release.lines_planned, "prenda", "prendas")
    why = release.request.code if release.request else "cumplimiento del término"
    return {
        "label": f"Levantamiento {release.code}",
        "url": reverse("release", args=[release.pk]),
        "detail": f"{counted}, {write_shares(int(release.shares_planned))}; {why}",
        "about": str(release.programme),
    }


def _describe_annulment(act: ReleaseAnnulment) -> dict[str, Any]:
    pending = act.review_state == "pending"
    address = (
        reverse("release_annulment_approve", args=[act.pk])
        if pending
        else reverse("release", args=[act.line.release_id])
    )
    return {
        "label": f"Anulación del levantamiento de {act.line.pledge.code}",
        "url": address,
        "detail": Truncator(act.cause).chars(CAUSE_SHOWN),
        "about": str(act.line.release.programme),
    }


RELEASES_DESCRIBED: dict[type[Model], Callable[[Any], dict[str, Any]]] = {
    Release: _describe_release,
    ReleaseAnnulment: _describe_annulment,
}


def pledges_due(today: date) -> Iterator[tuple[date, str, str, str]]:
    """By programme: pledges that can be released, and those whose term is over under a measure."""
    for due in programmes_due(today):
        if due.count:
            yield (
                due.first + timedelta(days=1),
                f"Prendas cumplidas por levantar: {write_count(due.count, 'prenda', 'prendas')}",
                f"{reverse('release_batch_new')}?programme={due.programme.pk}",
                f"{due.programme}; {write_shares(due.shares)}",
            )
        if due.attached:
            yield (
                due.first_attached + timedelta(days=1),
                f"Cumplidas con embargo: {write_count(due.attached, 'prenda', 'prendas')}",
                (
                    f"{reverse('pledges')}?condicion=embargadas&vista=cumplidas"
                    f"&programa={due.programme.slug}"
                ),
                f"{due.programme}; desde el {write_date(due.first_attached)}",
            )
