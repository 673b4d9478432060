"""The background work of pledges, one module a subject; Celery finds it through this list."""

from pledges.tasks.certificates import release_certificates_task
from pledges.tasks.entries import pledges_enter_task
from pledges.tasks.maturing import pledges_mature_task
from pledges.tasks.openings import pledges_open_task
from pledges.tasks.releases import release_carry_out_task

__all__ = [
    "pledges_enter_task",
    "pledges_mature_task",
    "pledges_open_task",
    "release_carry_out_task",
    "release_certificates_task",
]
