"""What happens by itself each day."""

from celery import shared_task
from django.utils import timezone

from office.dates import bogota_day
from pledges.services.maturing import pledges_mature


@shared_task
def pledges_mature_task() -> None:
    """Mark the pledges whose term was over before today, in Bogotá."""
    pledges_mature(day=bogota_day(timezone.now()))
