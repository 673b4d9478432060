"""Programmes, their stages and rules, and the terms that are in force for them."""

from datetime import date

from django.db.models import Prefetch, QuerySet

from offerings.decrees.reader import repealing_slugs, terms_from_data, terms_of
from offerings.models import FundRules, Programme, Stage
from offerings.rules.terms import Terms
from office.review import ReviewState

UNDER_WAY = (ReviewState.DRAFT, ReviewState.PENDING)


def programmes_listed() -> QuerySet[Programme]:
    """Every programme that was opened, with its stages and the rules in force."""
    approved = FundRules.objects.filter(review_state=ReviewState.APPROVED).order_by("-version")
    return Programme.objects.prefetch_related(
        Prefetch("stages", Stage.objects.order_by("number")),
        Prefetch("fund_rules", approved, to_attr="confirmed"),
    )


def listed_terms(programme: Programme) -> Terms:
    """The same as `programme_terms`, of one of `programmes_listed`: nothing is read again."""
    confirmed = programme.confirmed
    return terms_from_data(confirmed[0].terms) if confirmed else terms_of(programme.slug)


def fund_rules_in_force(programme: Programme) -> FundRules | None:
    """The last version of the reglamento that a second person confirmed."""
    approved = programme.fund_rules.filter(review_state=ReviewState.APPROVED)
    return approved.select_related("reviewed_by", "prepared_by").order_by("-version").first()


def fund_rules_under_way(programme: Programme) -> FundRules | None:
    """The version that is being prepared or waits for its review."""
    return programme.fund_rules.filter(review_state__in=UNDER_WAY).first()


def programme_terms(programme: Programme) -> Terms:
    """The confirmed terms as they were stored; before any, what the decree says alone."""
    rules = fund_rules_in_force(programme)
    return terms_from_data(rules.terms) if rules else terms_of(programme.slug)


def stage_terms(stage: Stage) -> Terms:
    """The terms that the stage was opened under; before that, those of its programme."""
    if stage.rules is None:
        return programme_terms(stage.programme)
    return terms_from_data(stage.rules.terms)


def repealing_programmes(slug: str) -> dict[str, date | None]:
    """The programmes whose decree repeals that of `slug`, each with the day of its publication,
    None where nobody has entered it."""
    return {other: _published_on(other) for other in repealing_slugs(slug)}


def repealed_on(slug: str) -> date | None:
    """The day from which the programme takes no acceptance, as far as it is known."""
    days = [day for day in repealing_programmes(slug).values() if day is not None]
    return min(days, default=None)


def _published_on(slug: str) -> date | None:
    programme = Programme.objects.filter(slug=slug).first()
    terms = programme_terms(programme) if programme else terms_of(slug)
    return terms.published.value if terms.published else None
