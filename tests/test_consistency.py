"""The code base tests itself: what no other test would miss until it is too late."""

import ast
import re
import tomllib
from decimal import Decimal
from importlib.resources import files
from io import StringIO
from pathlib import Path

import django
import pghistory.models
import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import models

from offerings.decrees.codec import DecreeError
from offerings.decrees.reader import decree_slugs, terms_from_toml
from office.templatetags.look import TAG_COLOURS

ROOT = Path(settings.BASE_DIR)
APPS = ("config", "pledges", "offerings", "buyers", "office")
OUR_MODELS = [model for app in APPS for model in apps.get_app_config(app).get_models()]
EVENTS = [model for model in OUR_MODELS if issubclass(model, pghistory.models.Event)]
TABLES = [model for model in OUR_MODELS if model not in EVENTS and not model._meta.proxy]

TOP_FOLDERS = {*APPS, "templates", "static", "tests", "script", ".ci", ".git"}
OFFICE_MODULES = {
    "__init__",
    "access",
    "annulments",
    "admin",
    "admin_events",
    "admin_bases",
    "admin_values",
    "apps",
    "archives",
    "certificates",
    "charts",
    "dates",
    "decisions",
    "enums",
    "exports",
    "files",
    "forms",
    "identities",
    "jobs",
    "list_pages",
    "list_views",
    "lists",
    "middleware",
    "models",
    "numbers",
    "pdf",
    "progress",
    "refusals",
    "review",
    "roles",
    "saved_views",
    "spreadsheets",
    "stamps",
    "tasks",
    "text",
    "unbroken",
    "urls",
    "verification",
    "views",
    "words",
    "workbooks",
    "workdays",
    "xlsx",
}
OFFICE_FOLDERS = {"migrations", "templatetags"}
FORBIDDEN_NAMES = {"utils", "helpers", "common", "misc", "managers", "signals"}
LONGEST_MODULE = 400
SMALL_INTEGERS = {0, 1, 2, 100}
# Tables that no trigger follows, each with its reason.
UNTRACKED = {
    "office.jobprogress": "changes many times a second and proves nothing",
    "offerings.bankfilerow": "as the rows of the files of acceptances",
    "offerings.importrow": "is read from the stored file again; who decided on it is a decision",
    "office.decision": "is itself the log: neither changed nor deleted",
}


def modules(*folders: str) -> list[Path]:
    """Our Python files; what makemigrations writes is not read by people."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


# --- the law ---


@pytest.mark.parametrize("path", modules("offerings/rules"), ids=shown)
def test_rules_hold_no_float(path):
    tree = ast.parse(path.read_text())
    floats = [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
        or (isinstance(node, ast.Name) and node.id in {"float", "complex"})
        or (isinstance(node, ast.ImportFrom | ast.Import) and "math" in ast.unparse(node))
    ]
    assert not floats, f"lines {floats}: figures are int, Decimal or Fraction"


@pytest.mark.parametrize("path", modules("offerings/rules"), ids=shown)
def test_rules_hold_no_integer_but_0_1_2_and_100(path):
    tree = ast.parse(path.read_text())
    numbers = [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and type(node.value) is int
        and node.value not in SMALL_INTEGERS
    ]
    assert not numbers, f"{numbers}: a number of the law stands in its decree, with its article"


def cited_places(data, path=()):
    """Where a decree's data hold a clause: the path of each `cite` and `…_cite`."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in pairs:
        if isinstance(value, dict | list):
            yield from cited_places(value, (*path, key))
        elif key == "cite" or str(key).endswith("_cite"):
            yield (*path, key)


def as_toml(value) -> str:
    """TOML for what a decree's file holds, all of it in one line (inline tables)."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {as_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(as_toml(item) for item in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)


def decree_data(slug: str) -> dict:
    text = (files("offerings.decrees") / f"{slug}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text, parse_float=Decimal)


def without(data: dict, place: tuple) -> str:
    """The decree's file with what stands at `place` struck out."""
    *way, last = place
    holder = data
    for step in way:
        holder = holder[step]
    held = holder.pop(last)
    text = "\n".join(f"{key} = {as_toml(value)}" for key, value in data.items())
    holder[last] = held
    return text


@pytest.mark.parametrize("slug", decree_slugs())
def test_decree_is_refused_whichever_of_its_clauses_is_struck_out(slug):
    data = decree_data(slug)
    assert terms_from_toml(slug, without({**data, "x": ""}, ("x",)))
    read = []
    for place in list(cited_places(data)):
        try:
            terms_from_toml(slug, without(data, place))
        except DecreeError:
            continue
        read.append(".".join(map(str, place)))
    assert not read, f"read without their clause: {read}"


# --- the database ---


def named_guards() -> set[str]:
    """Every constraint and trigger of ours that keeps something from becoming false."""
    names = set()
    for model in TABLES:
        names |= {constraint.name for constraint in model._meta.constraints}
        names |= {trigger.name for trigger in getattr(model._meta, "triggers", [])}
    # The triggers that only write the trail are pghistory's own, tested through the trail.
    return {name for name in names if not name.startswith(("insert_", "update_", "delete_"))}


def test_every_constraint_and_trigger_is_named_by_a_test():
    told = "\n".join(path.read_text() for path in modules("tests") if path != Path(__file__))
    missing = sorted(name for name in named_guards() if name not in told)
    assert not missing, f"try to break each of these in a test: {missing}"


def test_no_table_has_a_constraint_without_a_name_of_ours():
    for model in TABLES:
        table = model._meta.model_name
        for constraint in model._meta.constraints:
            assert constraint.name.startswith(f"{table}_"), constraint.name


@pytest.mark.django_db
def test_migrations_say_what_the_models_say():
    call_command("makemigrations", check=True, dry_run=True, stdout=StringIO())


def test_what_points_at_people_acceptances_and_awards_protects_them():
    kept = {"office.user", "offerings.acceptance", "offerings.award", "buyers.buyer"}
    loose = [
        str(field)
        for model in TABLES
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey)
        and field.related_model._meta.label_lower in kept
        and field.remote_field.on_delete is not models.PROTECT
    ]
    assert not loose


def test_every_table_leaves_its_trail():
    followed = {event.pgh_tracked_model._meta.label_lower for event in EVENTS}
    silent = {model._meta.label_lower for model in TABLES} - followed
    assert silent == set(UNTRACKED)


def test_quantities_are_bigint_and_amounts_have_two_decimals():
    narrow = [
        str(field)
        for model in TABLES
        for field in model._meta.get_fields()
        if isinstance(field, models.DecimalField)
        and (field.max_digits, field.decimal_places) not in {(24, 2), (30, 0), (12, 6)}
    ]
    assert not narrow
    assert not [
        f for m in TABLES for f in m._meta.get_fields() if isinstance(f, models.FloatField)
    ]


# --- the house ---


def test_top_folders_are_those_of_the_plan():
    found = {path.name for path in ROOT.iterdir() if path.is_dir()}
    caches = {name for name in found if name.endswith("_cache")}
    passing = {".venv", ".state", ".hypothesis", "__pycache__", *caches}
    assert found - passing <= TOP_FOLDERS


def test_office_stays_flat_and_keeps_to_its_modules():
    found = {path.stem for path in (ROOT / "office").glob("*.py")}
    assert found <= OFFICE_MODULES, f"new: {sorted(found - OFFICE_MODULES)}"
    folders = {path.name for path in (ROOT / "office").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == OFFICE_FOLDERS


def test_no_module_is_longer_than_400_lines():
    paths = [*modules(*APPS, "tests", "script"), ROOT / "script/services"]
    long = [shown(path) for path in paths if len(path.read_text().splitlines()) > LONGEST_MODULE]
    assert not long


def test_no_module_has_a_name_that_says_nothing():
    paths = modules(*APPS, "tests", "script")
    assert not [shown(path) for path in paths if FORBIDDEN_NAMES & {path.stem, *path.parts}]


# --- templates ---

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
# Django looks for these by itself when something goes wrong.
BY_DJANGO = {"400.html", "403.html", "403_csrf.html", "404.html", "500.html"}
OPENS_CODE = re.compile(
    r"\sstyle\s*=|\son[a-z]+\s*=|<script(?![^>]*\ssrc=)|javascript:|<style|\shx-on", re.IGNORECASE
)
NAMED_IN_TEMPLATE = re.compile(r"""\{%-?\s*(?:extends|include)\s+["']([^"']+)["']""")


def template_name(path: Path) -> str:
    return str(path.relative_to(ROOT / "templates"))


def named_by_code() -> list[re.Pattern]:
    """What Python strings could be the name of a template; an f-string's blanks stand for any."""
    found = []
    for path in modules(*APPS):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and str(node.value).endswith(".html"):
                found.append(re.compile(re.escape(str(node.value))))
            elif isinstance(node, ast.JoinedStr) and ast.unparse(node)[:-1].endswith(".html"):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z_]+"
                    for part in node.values
                ]
                found.append(re.compile("".join(parts)))
    return found


def stands_in_for_a_librarys(name: str) -> bool:
    """That an installed library has a template of this name, which ours takes the place of."""
    homes = [Path(app.path) / "templates" for app in apps.get_app_configs()]
    # The names that Django's own log-in views ask for, though it ships them for the admin alone.
    homes.append(Path(django.__file__).parent / "contrib/admin/templates")
    return name == "registration/login.html" or any((home / name).is_file() for home in homes)


def named_by_templates() -> set[str]:
    """What templates extend and include, those written inside Python, too."""
    texts = [path.read_text() for path in [*TEMPLATES, *modules(*APPS)]]
    return {name for text in texts for name in NAMED_IN_TEMPLATE.findall(text)}


def test_every_template_is_used():
    in_code = named_by_code()
    settled = {settings.AXES_LOCKOUT_TEMPLATE, *BY_DJANGO, *named_by_templates()}
    unused = [
        name
        for name in map(template_name, TEMPLATES)
        if name not in settled
        and not any(pattern.fullmatch(name) for pattern in in_code)
        and not stands_in_for_a_librarys(name)
    ]
    assert not unused


def test_every_template_that_is_named_is_there():
    missing = named_by_templates() - set(map(template_name, TEMPLATES))
    assert not [name for name in missing if not stands_in_for_a_librarys(name)]


@pytest.mark.parametrize("path", TEMPLATES, ids=template_name)
def test_template_holds_neither_style_nor_script(path):
    text = re.sub(r"\{#.*?#\}", "", path.read_text())
    assert not OPENS_CODE.findall(text)


# An hour ends in "a. m." or "p. m.": its stop is the sentence's, also before a tag closes.
HOUR_AND_STOP = re.compile(
    r"\|(?:moment|clock)\s*\}\}(?:\s|</[^>]*>|\{%[^%]*%\})*\."
    r"|write_(?:datetime|clock)\([^{}]*\)\}\."
)


def test_no_sentence_that_ends_in_an_hour_has_two_stops():
    assert HOUR_AND_STOP.search("el {{ run.annulled_at|moment }}</b>.")
    assert HOUR_AND_STOP.search("a las {write_clock(job.started_at)}.")
    code = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    written = [*(ROOT / "templates").rglob("*.html"), *code]
    assert [
        str(path.relative_to(ROOT)) for path in written if HOUR_AND_STOP.search(path.read_text())
    ] == []


def test_tags_know_the_word_of_every_state():
    words = {
        str(label)
        for model in TABLES
        for field in model._meta.get_fields()
        if getattr(field, "name", "") in {"state", "review_state", "standing"}
        for _, label in field.choices
    }
    assert words <= TAG_COLOURS.keys(), sorted(words - TAG_COLOURS.keys())


def test_tags_written_in_templates_are_of_the_vocabulary():
    written = {
        word
        for path in TEMPLATES
        for word in re.findall(r"""\{%\s*tag\s+["']([^"']+)["']""", path.read_text())
    }
    assert written <= TAG_COLOURS.keys()
