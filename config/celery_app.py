"""Celery, with Django's settings."""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("config")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A job holds many thousand rows at once, none of which is garbage: looking for some among them
# after every seven hundred new objects takes a quarter of its time.
NEW_OBJECTS = 50_000


@worker_process_init.connect
def collect_seldom(**_: Any) -> None:
    gc.set_threshold(NEW_OBJECTS)
