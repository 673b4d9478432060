"""A person's own drafts of acceptances."""

from django.db.models import QuerySet

from offerings.models import AcceptanceDraft
from office.models import User


def drafts_listed(user: User) -> QuerySet[AcceptanceDraft]:
    """The drafts of `user`, newest first, with their stages."""
    return AcceptanceDraft.objects.visible_to(user).select_related("stage__programme")
