"""What waits with the pledges: paid awards without one, pledges that are not in the register."""

from collections.abc import Iterator

from django.db.models import Count
from django.urls import reverse

from offerings.models import Programme
from office.models import User
from office.numbers import write_count
from office.roles import Capability
from pledges.models import Pledge
from pledges.selectors.opening import programmes_to_pledge
from pledges.selectors.pledges import TO_ENTER


def pledges_waiting(user: User) -> list[dict[str, str]]:
    """What waits with the pledges for whoever prepares, programme by programme."""
    if not user.may(Capability.PREPARE):
        return []
    return [*_to_open(), *_to_enter()]


def _to_open() -> Iterator[dict[str, str]]:
    for programme, count in programmes_to_pledge():
        yield {
            "label": write_count(
                count, "adjudicación pagada sin prenda", "adjudicaciones pagadas sin prenda"
            ),
            "url": reverse("pledges_open", args=[programme.slug]),
            "detail": str(programme),
        }


def _to_enter() -> Iterator[dict[str, str]]:
    counted = (
        Pledge.objects.filter(TO_ENTER)
        .order_by()
        .values_list("award__acceptance__stage__programme")
        .annotate(count=Count("pk"))
    )
    counts = dict(counted)
    for programme in Programme.objects.filter(pk__in=counts):
        yield {
            "label": write_count(
                counts[programme.pk],
                "prenda por anotar en el registro",
                "prendas por anotar en el registro",
            ),
            "url": f"{reverse('pledges')}?programa={programme.slug}&condicion=por-anotar",
            "detail": str(programme),
        }
