"""A certificate for tests of office, which knows nothing of what is certified."""

from datetime import date

from office.certificates import certificate_issue

TEMPLATE = "certificates/base.html"


def make_certificate(user, *, legal_date=date(1995, 10, 3), replaces=None, **facts):
    facts = {
        "fund": "Fondo de Prueba",
        "programme": "Programa de prueba",
        "decree": "Decreto de prueba",
        "holder": {"name": "María Ejemplo Ñáñez"},
        "signatories": [],
        "public": [{"label": "Acciones adjudicadas", "value": "407.184"}],
        **facts,
    }
    return certificate_issue(
        kind="ADJ",
        title="Certificado de adjudicación",
        template=TEMPLATE,
        facts=facts,
        legal_date=legal_date,
        user=user,
        replaces=replaces,
    )
