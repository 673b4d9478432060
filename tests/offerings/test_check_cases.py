import os
import subprocess
import sys
from pathlib import Path

import pytest

from offerings.cases import CaseFileError, run_file

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"

LIMIT = """
[[limit]]
note = "Pedro Prueba"
decree = "banco-popular-1995"
price = 60.60
buyer = { kind = "natural", files_tax_return = true, gross_equity = 10000000 }
shares = 495049
binding = "gross_equity"
"""


def written(folder, text):
    path = folder / "cases.toml"
    path.write_text(text, encoding="utf-8")
    return path


def check_cases(*paths):
    """The command as it is typed, without services and without SECRET_KEY."""
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", "check_cases", *map(str, paths)],
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("path", sorted(CASES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_worked_cases_of_this_kind_pass(path):
    assert [outcome.name for outcome in run_file(path) if not outcome.passed] == []


def test_the_command_counts_what_passed():
    done = check_cases(CASES / "limits.toml", CASES / "terms.toml")
    assert done.stdout.splitlines() == ["28 passed, 0 failed"]
    assert done.returncode == 0


def test_the_command_prints_both_values_of_a_case_that_differs_and_ends_with_one(tmp_path):
    done = check_cases(written(tmp_path, LIMIT + LIMIT.replace("495049", "495050")))
    assert "Pedro Prueba" in done.stdout
    assert "495050" in done.stdout
    assert "495049" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"
    assert done.returncode == 1


def test_the_command_refuses_a_file_that_is_not_in_the_agreed_form(tmp_path):
    done = check_cases(written(tmp_path, LIMIT + "\ncolour = 1\n"))
    assert "unknown key «colour»" in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("shares = 495049", "unlimited = true"),
        ("shares = 495049", "not_covered = true"),
        ('binding = "gross_equity"', 'binding = "annual_income"'),
        ("gross_equity = 10000000", "annual_income = 10000000"),
        ('"banco-popular-1995"', '"banco-ficticio-1999"'),
        ("price = 60.60", "price = 0"),
    ],
)
def test_a_case_whose_right_value_is_another_fails(tmp_path, old, new):
    [outcome] = run_file(written(tmp_path, LIMIT.replace(old, new)))
    assert not outcome.passed


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("admission.toml", "admitted = [60, 40, 0]", "admitted = [60, 40, 1]"),
        ("adjudication.toml", "unsold = 70", "unsold = 71"),
        ("adjudication.toml", 'left_out = ["A001"]', "left_out = []"),
        ("adjudication.toml", "A001 = 466", "A001 = 467"),
        ("terms.toml", "running_month = 13", "running_month = 12"),
        ("release.toml", "penalty = 141702.20", "penalty = 141702.21"),
        ("release.toml", 'basis = "difference"', 'basis = "monthly"'),
        ("release.toml", 'basis = "decision"', 'basis = "none"'),
        ("release.toml", "month = 17", "month = 16"),
        ("release.toml", 'on_negative = "none"', 'on_negative = "monthly"'),
        ("release.toml", 'on_negative = "none"', 'on_negative = "verde"'),
        ("base_price.toml", "base_price = 62.05", "base_price = 62.04"),
        ("terms.toml", "last_day = 2006-02-28", "last_day = 2006-03-01"),
    ],
)
def test_one_wrong_value_in_a_file_fails_one_case(tmp_path, file, old, new):
    text = (CASES / file).read_text(encoding="utf-8")
    assert old in text
    outcomes = run_file(written(tmp_path, text.replace(old, new, 1)))
    assert len([outcome for outcome in outcomes if not outcome.passed]) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no cases"),
        ("[[limits]]\na = 1", "unknown table"),
        ("[limit]\na = 1", "must be a list"),
        (LIMIT.replace("price = 60.60", ""), "«price» is missing"),
        (LIMIT.replace("gross_equity = 1", "equity = 1"), "unknown key «equity»"),
        (LIMIT.replace('"natural"', '"alien"'), "alien"),
        (LIMIT.replace("10000000", '"mucho"'), "TypeError"),
        (LIMIT.replace("shares = 495049\nbinding", "note2"), "unknown key «note2»"),
        (
            LIMIT.replace('shares = 495049\nbinding = "gross_equity"', ""),
            "does not say what is right",
        ),
        ("[[limit]", "Expected"),
    ],
)
def test_a_file_in_another_form_is_an_error(tmp_path, text, message):
    with pytest.raises(CaseFileError, match=message):
        run_file(written(tmp_path, text))


def test_the_index_beside_a_case_file_is_the_one_that_counts(tmp_path):
    text = (CASES / "release.toml").read_text(encoding="utf-8")
    path = written(tmp_path, text)
    assert all(outcome.passed for outcome in run_file(path))
    (tmp_path / "ipc.csv").write_text("year,month,index\n1995,9,21.24\n", encoding="utf-8")
    failed = [outcome.found for outcome in run_file(path) if not outcome.passed]
    assert failed
    assert str(failed[0]["error"]).startswith("IPC de 12/1996 no cargado")


def test_a_case_that_lacks_what_its_rule_needs_fails_with_the_reason(tmp_path):
    text = (CASES / "release.toml").read_text(encoding="utf-8")
    outcomes = run_file(written(tmp_path, text.replace("outstanding = 5609906000\n", "", 1)))
    assert "acciones en circulación" in outcomes[0].found["error"]


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(CaseFileError):
        run_file(tmp_path / "none.toml")


def test_a_case_whose_rule_does_not_exist_yet_fails_and_is_not_skipped(tmp_path):
    text = """
[[contingency]]
amount = 200000000
minimum_wage = 118933.50
labour = false
deductions = 0
cover = 160000000.00
"""
    [outcome] = run_file(written(tmp_path, text))
    assert not outcome.passed
    assert outcome.found == {"error": "the rule for this kind does not exist yet"}
