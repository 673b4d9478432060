"""No annulment without its legal date, nor before what it annuls was issued."""

import django.db.models.expressions
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("office", "0006_annulment_dates_known")]

    operations = [
        migrations.RemoveConstraint(
            model_name='certificate',
            name='certificate_annulled_says_why',
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('annulled_at__isnull', False), ('annulled_on__isnull', False), ('state', 'annulled'), models.Q(('annulled_why', ''), _negated=True)), models.Q(models.Q(('state', 'annulled'), _negated=True), ('annulled_at', None), ('annulled_on', None), ('annulled_why', '')), _connector='OR'), name='certificate_annulled_says_why'),
        ),
        migrations.AddConstraint(
            model_name='certificate',
            constraint=models.CheckConstraint(condition=models.Q(('annulled_on', None), ('annulled_on__gte', models.F('legal_date')), _connector='OR'), name='certificate_annulled_after_issue', violation_error_message='No se anula antes de expedirse.'),
        ),
        migrations.AddConstraint(
            model_name='certificateannulment',
            constraint=models.CheckConstraint(condition=models.Q(('annulled_on__isnull', False)), name='certificateannulment_has_date', violation_error_message='Escriba la fecha de la anulación.'),
        ),
    ]
