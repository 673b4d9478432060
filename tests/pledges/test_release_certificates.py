"""The certificate of a pledge's release: what it states, once, and after an annulment another."""

from datetime import date

import pytest
from django.core.exceptions import ObjectDoesNotExist

from buyers.models import Buyer
from offerings.models import AwardCertificate
from offerings.selectors.certificates import certificates_answering
from office.annulments import annulled_elsewhere, certificate_annulment_prepare
from office.certificates import certificate_draw
from office.files import file_read
from office.models import Certificate, CertificateState
from office.refusals import Refused
from pledges.certificates import (
    early_facts,
    release_certificate_issue,
    release_certificates_issue,
    release_certificates_job_open,
)
from pledges.models import FundDecision, Pledge, ReleaseLine
from tests.pdfs import text_of
from tests.pledges.release_rows import (
    OUTCOME,
    RELEASED_ON,
    annul,
    make_paid_request,
    prepare_term,
    release_at_term,
    release_early,
)
from tests.pledges.rows import make_pledge, make_pledges


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 407_184)


@pytest.fixture
def line(pledge, irene, ana):
    """Ten thousand of its shares, of an early exit."""
    return release_early(make_paid_request(pledge, irene, 10_000), irene, ana).lines.get()


def issue(line, user, legal_date=RELEASED_ON):
    return release_certificate_issue(line_id=line.pk, user=user, legal_date=legal_date)


def printed(certificate):
    return text_of(file_read(certificate_draw(certificate.pk).file))


def test_it_states_the_early_exit_as_its_quote_was_settled(pledge, line, irene):
    certificate = issue(line, irene)
    text = printed(certificate)

    assert certificate.label == "CL-1997-000001"
    for said in (
        (
            "quedan libres de prenda diez mil (10.000) acciones del Banco Popular. Siguen "
            "pignoradas trescientas noventa y siete mil ciento ochenta y cuatro (397.184) "
            "acciones."
        ),
        f"{pledge.code}, constituida el 2 de octubre de 1995, en primer grado",
        (
            f"salida anticipada con pago, solicitud {line.release.request.code} del 20 de "
            "enero de 1997"
        ),
        "15 de septiembre de 1995, a sesenta pesos con sesenta centavos ($60,60) por acción",
        (
            "martillo del 20 de noviembre de 1995, treinta millones (30.000.000) de acciones a "
            "ochenta pesos ($80,00) cada una"
        ),
        "diciembre de 1996 (26,52) entre septiembre de 1995 (21,24)",
        "mes diecisiete (17); reducción sumada, 5 × 8,3 %: 41,5 %",
        "ciento cuarenta y un mil setecientos dos pesos con veinte centavos ($141.702,20)",
        f"recibo PG-1997-{line.release.request.pk:06d} del 23 de enero de 1997",
        "Los gravámenes a favor de terceros, entre ellos el del crédito de compra, subsisten",
        "La sanción se liquidó según arts. 6-4 y 6-4, parágrafo 1.º",
        "Lectura usada: el IPC del mes anterior",
        "Por el Fondo, supervisión de enajenaciones",
        "a los veinticuatro (24) días del mes de enero de mil novecientos noventa y siete (1997)",
    ):
        assert said in text.replace("\u2011", "-").replace("\xa0", " "), said


def test_it_states_the_end_of_the_term(pledge, irene, ana):
    programme = pledge.award.adjudication.stage.programme
    line = release_at_term(programme, irene, ana).lines.get()
    text = printed(issue(line, irene, date(1997, 9, 17))).replace("\u2011", "-")

    assert "No queda ninguna en prenda." in text
    assert (
        "cumplimiento del término de dos años, que venció a la medianoche del 15 de septiembre "
        "de 1997" in text
    )
    assert "Sanción" not in text


def test_asked_again_it_is_the_same_and_numbers_follow_each_other(irene, ana):
    pledges = make_pledges(irene, ana, (10, 20))
    release = release_at_term(pledges[0].award.adjudication.stage.programme, irene, ana)
    first, second = release.lines.order_by("pk")
    day = date(1997, 9, 17)
    one = issue(first, irene, day)
    assert issue(first, ana, day) == one
    assert issue(second, irene, day).number == one.number + 1


def test_before_the_release_or_in_the_future_it_is_refused(line, irene, aura):
    with pytest.raises(Refused, match="anterior al levantamiento, del 24/01/1997"):
        issue(line, irene, date(1997, 1, 23))
    with pytest.raises(Refused, match="está en el futuro"):
        issue(line, irene, date(2100, 1, 1))
    with pytest.raises(Refused, match="Solo un analista"):
        issue(line, aura)


def test_what_is_not_free_yet_is_not_certified(pledge, irene):
    programme = pledge.award.adjudication.stage.programme
    line = prepare_term(programme, irene).lines.get()
    with pytest.raises(Refused, match="Está «Por levantar»"):
        issue(line, irene, date(1997, 9, 17))


def test_it_is_not_annulled_alone_but_with_its_release(line, irene, ana):
    certificate = issue(line, irene)
    with pytest.raises(Refused, match="no se anula solo"):
        certificate_annulment_prepare(
            certificate_id=certificate.pk,
            annulled_on=certificate.legal_date,
            cause="Prueba",
            user=irene,
        )
    assert annulled_elsewhere(certificate).url.endswith(f"/{line.pk}/anular/")

    annul(line, irene, ana)

    certificate.refresh_from_db()
    assert certificate.state == CertificateState.ANNULLED
    assert f"{line.release.code} se anuló el 24/01/1997" in certificate.annulled_why


def test_done_again_after_its_annulment_another_takes_its_place(line, irene, ana):
    first = issue(line, irene)
    annul(line, irene, ana)
    with pytest.raises(ObjectDoesNotExist):
        Certificate.objects.get(pk=first.pk).replaced_by  # noqa: B018
    again = release_early(line.release.request, irene, ana).lines.get()
    second = issue(again, irene, date(1997, 10, 1))  # not before the first was annulled
    assert (second.replaces, second.number) == (first, first.number + 1)


def test_each_of_two_partial_releases_has_its_own(pledge, line, irene, ana):
    other = release_early(
        make_paid_request(pledge, irene, 5, number="R-2"), irene, ana
    ).lines.get()
    first, second = issue(line, irene), issue(other, irene)
    assert second.replaces is None
    assert [one.facts["release"]["still_pledged"] for one in (first, second)] == [
        397_184,
        397_179,
    ]


def test_an_heir_is_named_without_a_class_and_with_whose_pledge_it_was(line, irene):
    heir = Buyer.objects.create(
        kind="natural", identity_type="CC", identity_number="52000001", name="Ana Heredera Prueba",
        name_folded="ana heredera prueba", registered_by=irene,
    )  # fmt: skip
    Pledge.objects.filter(pk=line.pledge_id).update(holder=heir)
    certificate = issue(line, irene)
    assert certificate.facts["holder"]["name"] == "Ana Heredera Prueba"
    assert "class" not in certificate.facts["holder"]
    everything = Certificate.objects.all()
    for text in ("heredera", "52.000.001", line.pledge.code):
        assert certificates_answering(everything, text).get() == certificate


def test_what_the_fund_decided_is_stated_with_its_act(pledge, irene, ana):
    request = make_paid_request(
        pledge, irene, 10, basis="decision", outcome={"month": 17}, steps=[], readings=[],
        decision=None,
    )  # fmt: skip
    quote = request.quotes.get()
    decision = FundDecision.objects.create(
        request=request, amount=quote.amount, act="Acta de prueba 7", act_on=date(1997, 1, 21),
        reason="No hay regla.", prepared_by=irene, review_state="pending",
    )  # fmt: skip
    line = release_early(request, irene, ana).lines.get()
    quote.decision = decision
    facts = early_facts(quote)
    assert facts["decision"]["act"] == "Acta de prueba 7"
    assert (facts["reference"], facts["cpi"], facts["cites"]) == (None, [], [])
    assert "($141.702,20)" in printed(issue(line, irene))


def test_a_programme_gets_all_that_it_lacks_each_once(irene, ana):
    pledges = make_pledges(irene, ana, (10, 20, 30))
    programme = pledges[0].award.adjudication.stage.programme
    release = release_at_term(programme, irene, ana)
    asked = {"programme_id": programme.pk, "user": irene, "legal_date": date(1997, 9, 17)}

    job = release_certificates_job_open(**asked, release_id=release.pk)
    assert release_certificates_job_open(**asked, release_id=release.pk) == job
    told = []
    job.refresh_from_db()
    issued = release_certificates_issue(
        **asked,
        release_id=release.pk,
        report=lambda *far: told.append(far),
        asked=job.arguments["count"],
        since=job.requested_at,
    )
    assert (len(issued.pks), issued.cut_short, told) == (3, "", [(0, 3), (3, 3)])
    again = release_certificates_issue(
        **asked, release_id=release.pk, asked=4, since=job.requested_at
    )
    assert (again.pks, again.done) == ([], 3)
    assert "se pidieron 4 y se expidieron 3. Sin expedir, 1: mientras tanto" in again.cut_short
    assert AwardCertificate.objects.count() == 3
    assert not ReleaseLine.objects.filter(certificate=None).exists()
    with pytest.raises(Refused, match="no hay levantamientos sin certificado"):
        release_certificates_job_open(**(asked | {"user": ana}), release_id=None)


def test_the_public_part_bears_neither_name_nor_identity(line, irene):
    public = issue(line, irene).facts["public"]
    assert [one["label"] for one in public] == [
        "Programa",
        "Acciones libres de prenda",
        "Siguen en prenda",
    ]
    assert OUTCOME["amount"] not in str(public)
