"""Opening a programme, and the references that must stand before its first stage opens."""

from datetime import date, time

from django.db import transaction

from offerings.decrees.reader import decree_slugs, terms_of
from offerings.models import CreditLine, Programme, PublicNotice, Stage
from offerings.selectors.programmes import programme_terms
from office.dates import bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.refusals import Refused, check_day_not_future
from office.roles import Capability


@transaction.atomic
def programme_open(*, slug: str, user: User) -> Programme:
    """Begin to carry out one of the known decrees; opened already, give that programme."""
    _check_may_prepare(user)
    if slug not in decree_slugs():
        raise Refused("Elija uno de los decretos de la lista.", "slug")
    terms = terms_of(slug)
    programme, is_new = Programme.objects.get_or_create(
        slug=slug,
        defaults={
            "name": terms.title.value,
            "short_name": terms.name.value,
            "opened_by": user,
        },
    )
    if is_new:
        Stage.objects.create(programme=programme, number=1)
        decision_record(
            act="programme_open",
            sentence=f"Abrió el programa {programme.short_name}.",
            actor=user,
            subject=programme,
            article=terms.decree.value,
        )
    return programme


@transaction.atomic
def notice_record(
    *, programme: Programme, user: User, published_on: date, medium: str, reference: str
) -> PublicNotice:
    """Record where and when the programme was made known; the same notice twice is one."""
    _check_may_prepare(user)
    check_day_not_future(published_on, "published_on")
    asked = programme_terms(programme).stage.public_notice
    notice = PublicNotice(
        programme=_locked(programme),
        published_on=published_on,
        medium=medium,
        reference=reference,
        recorded_by=user,
    )
    same = programme.notices.filter(
        published_on=published_on, medium=medium, reference=reference
    ).first()
    if same:
        return same
    notice.full_clean()
    notice.save()
    decision_record(
        act="notice_record",
        sentence=f"Registró el aviso público del {write_date(published_on)} en {medium}.",
        actor=user,
        subject=programme,
        article=asked.cite if asked else "",
        legal_at=bogota_moment(published_on, time()),
        data={"reference": reference},
    )
    return notice


@transaction.atomic
def credit_line_record(
    *, programme: Programme, user: User, lender: str, opened_on: date, reference: str
) -> CreditLine:
    """Record a line of credit for the buyers of stage 1; the same line twice is one."""
    _check_may_prepare(user)
    check_day_not_future(opened_on, "opened_on")
    asked = programme_terms(programme).stage.credit_line
    line = CreditLine(
        programme=_locked(programme),
        lender=lender,
        opened_on=opened_on,
        reference=reference,
        recorded_by=user,
    )
    same = programme.credit_lines.filter(
        lender=lender, opened_on=opened_on, reference=reference
    ).first()
    if same:
        return same
    line.full_clean()
    line.save()
    decision_record(
        act="credit_line_record",
        sentence=f"Registró la línea de crédito de {lender}, desde el {write_date(opened_on)}.",
        actor=user,
        subject=programme,
        article=asked.cite if asked else "",
        legal_at=bogota_moment(opened_on, time()),
        data={"reference": reference},
    )
    return line


def _locked(programme: Programme) -> Programme:
    return Programme.objects.select_for_update().get(pk=programme.pk)


def _check_may_prepare(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor puede hacerlo.")
