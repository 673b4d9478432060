"""The certificates that stood before their table did."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("offerings", "0006_award_certificates")]

    operations = [
        migrations.RunSQL(
            """
            INSERT INTO offerings_awardcertificate (award_id, certificate_id)
            SELECT id, certificate_id FROM offerings_award WHERE certificate_id IS NOT NULL
            UNION ALL
            SELECT id, notice_id FROM offerings_award WHERE notice_id IS NOT NULL
            """,
            migrations.RunSQL.noop,  # the table goes with the migration before
        )
    ]
