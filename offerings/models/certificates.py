"""Which certificates an award has had; each points to its own facts, and none is ever lost."""

import pghistory
import pgtrigger
from django.db import models

from offerings.models.adjudications import Award
from office.models import Certificate


@pghistory.track()
class AwardCertificate(models.Model):
    """A certificate or notice that was issued for an award. `Award.certificate` and
    `Award.notice` are the last of each kind; those annulled before them are found here."""

    award = models.ForeignKey(
        Award, verbose_name="adjudicado", on_delete=models.PROTECT, related_name="issued"
    )
    certificate = models.OneToOneField(
        Certificate,
        verbose_name="certificado",
        on_delete=models.PROTECT,
        related_name="issued_for",
    )

    class Meta:
        verbose_name = "certificado de un adjudicado"
        verbose_name_plural = "certificados de adjudicados"
        ordering = ["pk"]
        triggers = [
            pgtrigger.Protect(
                name="awardcertificate_kept", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.certificate} · {self.award}"
