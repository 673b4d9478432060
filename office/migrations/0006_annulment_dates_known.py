"""The legal date of what was annulled before it was asked for: the day of its recording."""

import pgtrigger
from django.db import migrations
from django.db.models import DateField, F
from django.db.models.functions import Greatest, TruncDate

from office.dates import BOGOTA

# Decided acts are final; that their date is filled in stays in their history.
FINAL = (
    "office.Certificate:certificate_annulled_for_good",
    "office.CertificateAnnulment:certificateannulment_decided_is_final",
    "office.CertificateAnnulment:certificateannulment_content_fixed",
)


def dates_fill(apps, schema_editor):
    certificates = apps.get_model("office", "Certificate").objects.filter(state="annulled")
    asked = apps.get_model("office", "CertificateAnnulment").objects.all()
    with pgtrigger.ignore(*FINAL):
        certificates.update(annulled_on=Greatest(_day("annulled_at"), F("legal_date")))
        asked.update(annulled_on=_day("prepared_at"))


def dates_empty(apps, schema_editor):
    with pgtrigger.ignore(*FINAL):
        for name in ("Certificate", "CertificateAnnulment"):
            apps.get_model("office", name).objects.update(annulled_on=None)


def _day(moment):
    return TruncDate(moment, tzinfo=BOGOTA, output_field=DateField())


class Migration(migrations.Migration):
    dependencies = [("office", "0005_annulment_legal_dates")]

    operations = [migrations.RunPython(dates_fill, dates_empty)]
