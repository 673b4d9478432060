"""The five roles, as groups. What each may do is in office/roles.py."""

from django.db import migrations

ROLES = ("analista", "supervisor", "comisionista", "auditor", "administrador")


def create_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects
    for name in ROLES:
        groups.get_or_create(name=name)


def delete_roles(apps, schema_editor):
    apps.get_model("auth", "Group").objects.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [("office", "0001_initial")]

    operations = [migrations.RunPython(create_roles, delete_roles)]
