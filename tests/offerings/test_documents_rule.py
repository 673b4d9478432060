from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind, DocumentKind
from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.rules.documents import ChecklistFacts, HeldDocument, Status, checklist
from offerings.rules.ruling import FactError, NotCovered
from offerings.rules.terms import Base

T1994, T1995, T1996 = (terms_of(f"banco-popular-{year}") for year in (1994, 1995, 1996))
FA, FES = terms_of("financiera-america-2004"), terms_of("fiduciaria-fes-2004")
NOT_DISQUALIFIED = frozenset({DeclarationKind.NOT_DISQUALIFIED})


def seen(reference, kind, **more):
    """A document with its file, looked at by a made-up member of staff."""
    return HeldDocument(
        reference,
        kind,
        has_file=True,
        looked_at_by="Irene Ejemplo",
        looked_at_on=date(1995, 9, 14),
        **more,
    )


CLASS_PROOF = seen("D-1", DocumentKind.CLASS_PROOF)


def tax_return(year, reference="D-2"):
    return seen(
        reference,
        DocumentKind.TAX_RETURN,
        year=year,
        figures={base: Decimal(1000) for base in Base},
    )


def worker(*documents, **more):
    facts = ChecklistFacts(
        BuyerKind.NATURAL,
        BuyerClass.WORKER,
        files_tax_return=True,
        documents=(CLASS_PROOF, *documents),
        declarations=NOT_DISQUALIFIED,
        broker_attested_on=date(1995, 9, 14),
    )
    return replace(facts, **more)


def cooperative(*documents, **more):
    facts = ChecklistFacts(
        BuyerKind.ORGANISATION,
        BuyerClass.COOPERATIVE,
        files_tax_return=True,
        documents=(CLASS_PROOF, *documents),
        declarations=NOT_DISQUALIFIED,
    )
    return replace(facts, **more)


def missing(facts, terms):
    return [line.code for line in checklist(facts, terms).value.missing]


def test_maria_fernanda_ejemplo_brings_all_that_1995_asks_for():
    ruling = checklist(worker(tax_return(1993)), T1995)
    assert ruling.value.complete
    assert [(line.code, line.cite) for line in ruling.value.requirements] == [
        ("class_proof", "art. 3-1"),
        ("tax_return", "art. 6-1"),
        ("broker_attestation", "art. 14"),
        ("no_transfer", "art. 6-4"),
        ("contingency_cover", "art. 22"),
        ("not_disqualified", "art. 20; EOSF, art. 303"),
    ]


@pytest.mark.parametrize(
    ("year", "filed", "complete"),
    [
        (1993, None, True),
        (1993, 1993, True),
        (1993, 1994, False),
        (1994, None, True),
        (1994, 1994, True),
        (1994, 1995, True),
        (1992, None, False),
        (1995, None, False),
    ],
)
def test_the_return_of_1994_counts_once_it_is_filed_else_that_of_1993(year, filed, complete):
    facts = worker(tax_return(year), last_year_filed=filed)
    assert checklist(facts, T1995).value.complete is complete


def test_of_two_returns_held_the_later_one_counts():
    facts = worker(tax_return(1993, "D-3"), tax_return(1994, "D-4"))
    line = checklist(facts, T1995).value.requirements[1]
    assert (line.status, line.reference) == (Status.COMPLETE, "D-4")


def test_a_missing_return_says_which_years_would_do():
    line = checklist(worker(), T1995).value.missing[0]
    assert line.status == Status.MISSING
    assert line.why == (
        "Falta «Declaración de renta», del año 1993, o del año 1994 si ya la presentó."
    )


@pytest.mark.parametrize(
    "kind", [DocumentKind.INCOME_CERTIFICATE, DocumentKind.INCOME_DECLARATION]
)
def test_who_does_not_file_brings_a_certificate_or_a_declaration_of_income(kind):
    income = seen("D-5", kind, year=1994, figures={Base.ANNUAL_INCOME: Decimal(4200000)})
    assert checklist(worker(income, files_tax_return=False), T1995).value.complete


def test_a_document_whose_figure_nobody_has_noted_is_begun_not_complete():
    blank = seen("D-6", DocumentKind.TAX_RETURN, year=1993)
    line = checklist(worker(blank), T1995).value.missing[0]
    assert (line.status, line.reference) == (Status.IN_PROGRESS, "D-6")
    assert line.why == "Falta anotar el patrimonio bruto que dice el documento."


@pytest.mark.parametrize(
    ("change", "complete"),
    [
        ({}, True),
        ({"has_file": False}, False),
        ({"has_file": False, "exchange_reference": "B-7"}, False),
        ({"has_file": False, "exchange_reference": "B-7", "attested_on": date(1995, 9, 14)}, True),
        ({"looked_at_by": ""}, False),
        ({"looked_at_on": None}, False),
    ],
)
def test_a_document_is_proved_by_its_file_or_by_the_exchange_and_the_broker_once_looked_at(
    change, complete
):
    facts = worker(replace(tax_return(1993), **change))
    assert checklist(facts, T1995).value.complete is complete


def test_1995_infers_the_commitment_from_presenting_and_1994_wants_it_in_writing():
    assert missing(worker(tax_return(1993)), T1995) == []
    assert missing(worker(tax_return(1993)), T1994) == ["no_transfer"]


def test_the_declaration_of_not_being_disqualified_is_made_in_writing():
    facts = worker(tax_return(1993), declarations=frozenset())
    assert missing(facts, T1995) == ["not_disqualified"]


def test_the_brokers_attestation_is_asked_of_persons_in_1995():
    assert missing(worker(tax_return(1993), broker_attested_on=None), T1995) == [
        "broker_attestation"
    ]


def test_an_organisation_in_1995_brings_its_existence_and_representation():
    assert missing(cooperative(), T1995) == ["existence_certificate"]
    assert missing(cooperative(seen("D-8", DocumentKind.EXISTENCE_CERTIFICATE)), T1995) == []


def test_an_organisation_in_1994_brings_its_limit_its_members_and_its_return_or_statements():
    limit = seen(
        "D-9", DocumentKind.STATUTORY_LIMIT_PROOF, figures={Base.STATUTORY_LIMIT: Decimal(9)}
    )
    members = seen("D-10", DocumentKind.MEMBERS_CERTIFICATE, members=99)
    statements = seen(
        "D-11", DocumentKind.CERTIFIED_STATEMENTS, figures={Base.GROSS_EQUITY: Decimal(9)}
    )
    written = frozenset({DeclarationKind.NO_TRANSFER, DeclarationKind.NOT_DISQUALIFIED})
    facts = cooperative(limit, members, statements, files_tax_return=False, declarations=written)
    assert missing(facts, T1994) == []
    assert missing(replace(facts, files_tax_return=True), T1994) == ["tax_return"]
    unsaid = replace(
        facts, documents=(CLASS_PROOF, limit, replace(members, members=None), statements)
    )
    assert missing(unsaid, T1994) == ["members_certificate"]


def test_a_director_in_1996_also_proves_its_remuneration():
    facts = worker(tax_return(1994), executive=True)
    assert missing(facts, T1996) == ["remuneration_certificate"]
    assert missing(replace(facts, executive=False), T1996) == []


def test_financiera_america_takes_only_the_five_written_declarations():
    facts = worker(tax_return(2003))
    five = [
        "no_transfer",
        "no_beneficial_owner",
        "no_giving_in_payment",
        "no_subrogation",
        "terms_of_offer",
    ]
    assert missing(facts, FA) == five
    written = NOT_DISQUALIFIED | {DeclarationKind(code) for code in five}
    assert missing(replace(facts, declarations=written), FA) == []


@pytest.mark.parametrize(("year", "gone"), [(2003, []), (2002, ["tax_return"])])
def test_financiera_america_takes_the_return_of_2003_alone(year, gone):
    facts = worker(tax_return(year), declarations=frozenset(DeclarationKind))
    assert missing(facts, FA) == gone


@pytest.mark.parametrize(("year", "gone"), [(2003, []), (2004, ["remuneration_certificate"])])
def test_fes_takes_the_remuneration_of_the_year_before_the_stage_began(year, gone):
    paper = seen(
        "D-12",
        DocumentKind.REMUNERATION_CERTIFICATE,
        year=year,
        figures={Base.ANNUAL_REMUNERATION: Decimal(96000000)},
    )
    facts = worker(
        paper,
        executive=True,
        stage_opened=date(2004, 11, 2),
        declarations=frozenset(DeclarationKind),
    )
    assert missing(facts, FES) == gone


def test_fes_cannot_tell_the_year_before_its_stage_has_opened():
    with pytest.raises(FactError) as caught:
        checklist(worker(executive=True), FES)
    assert caught.value.fact == "stage_opened"


@pytest.mark.parametrize(
    ("norm", "gone"), [("Ley ficticia 1", []), ("", ["statutory_limit_proof"])]
)
def test_an_organisation_in_fes_may_declare_with_the_norm_that_the_law_sets_no_limit(norm, gone):
    paper = seen("D-13", DocumentKind.NO_STATUTORY_LIMIT, norm=norm)
    facts = cooperative(paper, declarations=frozenset(DeclarationKind))
    assert missing(facts, FES) == gone


def test_an_organisations_documents_are_not_covered_where_the_fragment_is_silent():
    with pytest.raises(NotCovered) as caught:
        checklist(cooperative(), FA)
    assert caught.value.missing == ("organisation_documents",)


def test_the_documents_that_the_fund_adds_are_asked_for_by_their_name():
    values = {"extra_documents": FundValue(("Formulario ficticio 7",), "Acto ficticio")}
    terms = terms_of("banco-popular-1995", values)
    other = seen("D-14", DocumentKind.OTHER, label="Formulario ficticio 8")
    facts = worker(tax_return(1993), other)
    line = checklist(facts, terms).value.missing[0]
    assert (line.label, line.cite) == ("Formulario ficticio 7", "Acto ficticio")
    right = replace(other, label="Formulario ficticio 7")
    assert missing(replace(facts, documents=(*facts.documents, right)), terms) == []


def test_the_fund_can_say_what_an_organisation_brings():
    values = {"organisation_documents": FundValue(("Acta ficticia",), "Acto ficticio")}
    terms = terms_of("banco-popular-1996", values)
    assert missing(cooperative(), terms) == ["other"]
    assert "other" not in missing(worker(tax_return(1994)), terms)


def test_whether_one_files_must_be_said():
    with pytest.raises(FactError):
        checklist(worker(files_tax_return=None), T1995)


@pytest.mark.parametrize(
    ("years", "last_filed", "counts"),
    [
        ((1992, 1993), None, 1993),
        ((1993, 1992), None, 1993),
        ((1992,), None, 1992),
        ((1992,), 1993, None),
        ((1993,), 1992, 1993),
    ],
)
def test_in_1994_the_last_return_counts_whatever_the_order_in_which_they_came(
    years, last_filed, counts
):
    held = [tax_return(year, f"D-{year}") for year in years]
    facts = worker(*held, last_year_filed=last_filed)
    line = next(
        one for one in checklist(facts, T1994).value.requirements if one.code == "tax_return"
    )
    assert (line.status == Status.COMPLETE) is (counts is not None)
    assert line.reference == f"D-{counts or years[0]}"


def test_of_a_certificate_and_a_declaration_of_income_the_last_counts():
    def income(kind, year):
        return seen(f"D-{year}", kind, year=year, figures={Base.ANNUAL_INCOME: Decimal(9)})

    older = income(DocumentKind.INCOME_CERTIFICATE, 1993)
    newer = income(DocumentKind.INCOME_DECLARATION, 1994)
    facts = worker(older, newer, files_tax_return=False)
    assert checklist(facts, T1995).value.requirements[1].reference == "D-1994"


ALL = {DocumentKind.CLASS_PROOF, DocumentKind.BROKER_ATTESTATION}


@pytest.mark.parametrize(
    ("terms", "files", "executive", "codes"),
    [
        (T1994, True, False, {"tax_return"}),
        (T1994, False, False, {"income_certificate"}),
        (T1994, True, True, {"tax_return"}),
        (T1995, True, False, {"tax_return"}),
        (T1995, False, True, {"income_certificate"}),
        (T1996, True, False, {"tax_return"}),
        (T1996, False, True, {"income_certificate", "remuneration_certificate"}),
        (FA, True, False, {"tax_return"}),
        (FA, False, True, {"income_certificate", "remuneration_certificate"}),
        (FES, True, False, set()),
        (FES, False, True, {"remuneration_certificate"}),
    ],
)
def test_each_decree_asks_a_person_for_its_own_documents(terms, files, executive, codes):
    facts = ChecklistFacts(
        kind=BuyerKind.NATURAL,
        buyer_class=BuyerClass.WORKER,
        files_tax_return=files,
        executive=executive,
        stage_opened=date(2004, 11, 2),
    )
    asked = {
        line.code
        for line in checklist(facts, terms).value.requirements
        if line.code in set(DocumentKind)
    }
    assert asked - ALL == codes
    assert "class_proof" in asked


@pytest.mark.parametrize(
    ("terms", "express", "inferred"),
    [
        (T1994, {"no_transfer"}, set()),
        (T1995, set(), {"no_transfer", "contingency_cover"}),
        (T1996, set(), {"no_transfer"}),
        (
            FA,
            {
                "no_transfer",
                "no_beneficial_owner",
                "no_giving_in_payment",
                "no_subrogation",
                "terms_of_offer",
            },
            set(),
        ),
        (FES, {"no_transfer"}, set()),
    ],
)
def test_each_decree_wants_its_own_commitments_in_writing(terms, express, inferred):
    said = {one.kind.value: one.express for one in terms.documents.declarations}
    assert said.pop("not_disqualified") is True
    assert {kind for kind, written in said.items() if written} == express
    assert {kind for kind, written in said.items() if not written} == inferred
