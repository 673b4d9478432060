"""A real Celery worker that certifies what is paid, from the screen's click to the download."""

from io import BytesIO

import pytest
from django.urls import reverse
from pdfminer.high_level import extract_text

from office.models import Certificate, Job, JobState
from tests.faults.test_worker_killed import own_queue, wait_until, worker  # noqa: F401
from tests.offerings.paid import make_awards, pay_in_full
from tests.offerings.rows import make_acceptance, make_stage

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True, databases=["default", "progress"]),
]


def test_what_is_paid_is_numbered_drawn_and_downloaded(
    client,
    irene,
    ana,
    worker,  # noqa: F811
):
    stage = make_stage(irene, ana, supply=60, closed=True)
    acceptances = [make_acceptance(stage, n, 10 * n) for n in (1, 2, 3)]
    for award in make_awards(acceptances, irene, ana):
        pay_in_full(award, irene)
    client.force_login(irene)
    page = client.post(
        reverse("certificates_issue"),
        {
            "kind": "ADJ",
            "programme": stage.programme_id,
            "legal_date": "03/10/1995",
            "paso": "confirmar",
        },
    )
    job = Job.objects.get()
    assert page.headers["location"] == reverse("job", args=[job.pk])

    worker()
    wait_until(lambda: Job.objects.get(pk=job.pk).state == JobState.DONE, "the job's end")
    numbers = list(Certificate.objects.order_by("number").values_list("number", flat=True))
    assert numbers == [1, 2, 3]
    last = Certificate.objects.get(number=3)
    answer = client.get(reverse("certificate_pdf", args=[last.pk]))
    text = extract_text(BytesIO(b"".join(answer.streaming_content)))
    assert "ADJ-1995-000003" in text
    assert "treinta (30) acciones" in " ".join(text.split())
