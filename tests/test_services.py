"""The launcher: services of one's own, that end with it, however it ends."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import pytest

LAUNCHER = Path(__file__).resolve().parent.parent / "script" / "services"
SHOW = "echo $DATABASE_URL $REDIS_URL $STATE_DIR"
CONNECT = "import os, psycopg; db = psycopg.connect(os.environ['DATABASE_URL'], autocommit=True);"
CREATE = [sys.executable, "-c", f"{CONNECT} db.execute('CREATE TABLE kept AS SELECT 1')"]
READ = [sys.executable, "-c", f"{CONNECT} print(*db.execute('SELECT * FROM kept'))"]
SOON = 30


@pytest.fixture
def state():
    """A folder for a demo's state, that the database's user may enter (pytest's own is closed)."""
    folder = Path(tempfile.mkdtemp(prefix="estado-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def environment(**given):
    """The environment without the services that this test run itself uses."""
    ours = {"DATABASE_URL", "REDIS_URL", "STATE_DIR", "SECRET_KEY"}
    return {key: value for key, value in os.environ.items() if key not in ours} | given


def run(*command, options=("--test",), **given):
    return subprocess.run(
        [sys.executable, LAUNCHER, "run", *options, "--", *command],
        env=environment(**given),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@contextlib.contextmanager
def running(*options, **given):
    """A launcher whose command waits; yields it and the addresses that its command has seen."""
    command = [
        sys.executable,
        LAUNCHER,
        "run",
        *options,
        "--",
        "sh",
        "-c",
        f"{SHOW}; exec sleep 90",
    ]
    with subprocess.Popen(
        command, env=environment(**given), stdout=subprocess.PIPE, text=True, process_group=0
    ) as launcher:
        addresses = launcher.stdout.readline().split()
        try:
            yield launcher, addresses
        finally:
            launcher.terminate()
            launcher.wait(SOON)
            # A killed launcher cannot tidy up; otherwise this folder has gone already.
            sockets = Path(unquote(addresses[0].partition("host=")[2]))
            shutil.rmtree(sockets.parent, ignore_errors=True)


def living_in(folder):
    """The processes that work in a folder, the dead who wait to be buried left out."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_dead = (process / "stat").read_text().rpartition(")")[2].split()[0] in "ZX"
            if not is_dead and (process / "cwd").resolve().is_relative_to(folder):
                found.append(int(process.name))
    return found


def wait_until_nobody_is_in(folder):
    end = time.monotonic() + SOON
    while living_in(folder) and time.monotonic() < end:
        time.sleep(0.05)
    return not living_in(folder)


def test_each_run_has_services_of_its_own_when_two_run_at_once():
    with running("--test") as (_, first), running("--test") as (_, second):
        assert len(first) == len(second) == 3
        assert not set(first) & set(second)


def test_nothing_is_left_when_a_test_run_has_ended():
    shown = run("sh", "-c", f'{SHOW}; test -S "$STATE_DIR/s/redis.sock"')

    assert shown.returncode == 0
    folder = Path(shown.stdout.split()[2])
    assert not folder.exists()
    assert not living_in(folder)


def test_the_launcher_ends_as_its_command_when_that_fails():
    assert run("sh", "-c", "exit 7").returncode == 7


def test_given_services_are_used_when_their_addresses_are_set():
    given = {"DATABASE_URL": "postgresql://other.example/db", "REDIS_URL": "redis://other.example"}

    shown = run("sh", "-c", f"{SHOW}; ls $STATE_DIR", **given)

    assert shown.stdout.split()[:2] == list(given.values())
    assert "postgres" not in shown.stdout.split()
    assert "redis" not in shown.stdout.split()


def test_the_demo_finds_its_data_when_it_starts_again(state):
    assert run(*CREATE, options=(), STATE_DIR=str(state)).returncode == 0

    assert run(*READ, options=(), STATE_DIR=str(state)).stdout == "(1,)\n"


def test_the_demo_has_lost_its_data_when_it_starts_fresh(state):
    (state / "notes.txt").write_text("not the demo's")
    assert run(*CREATE, options=(), STATE_DIR=str(state)).returncode == 0

    found = run(*READ, options=("--fresh",), STATE_DIR=str(state))

    assert "UndefinedTable" in found.stderr
    assert (state / "notes.txt").exists()


@pytest.mark.parametrize(
    ("given", "kept"), [({}, False), ({"DATABASE_URL": "postgresql://u@h/db"}, True)]
)
def test_files_go_with_the_database_that_names_them_when_it_starts_fresh(state, given, kept):
    (state / "files").mkdir()
    (state / "files" / "declaracion").write_text("named by a row")

    done = run("true", options=("--fresh",), STATE_DIR=str(state), **given)

    assert done.returncode == 0, done.stderr
    assert (state / "files" / "declaracion").exists() is kept


def test_a_second_run_is_refused_when_one_uses_the_same_state(state):
    with running(STATE_DIR=str(state)):
        refused = run("true", options=(), STATE_DIR=str(state))

    assert refused.returncode == 1
    assert f"Another run uses {state}" in refused.stderr


def test_a_half_made_cluster_is_made_anew_when_a_start_was_cut_short(state):
    (state / "postgres.new").mkdir()
    (state / "postgres.new" / "PG_VERSION").write_text("15\n")

    assert run(*CREATE, options=(), STATE_DIR=str(state)).returncode == 0


@pytest.mark.faults
@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP])
def test_command_and_services_end_when_the_launcher_is_told_to(state, signum):
    with running(STATE_DIR=str(state)) as (launcher, _):
        launcher.send_signal(signum)
        assert launcher.wait(SOON) == 128 + signum

    assert not living_in(state)
    assert not (state / "postgres" / "postmaster.pid").exists()


@pytest.mark.faults
def test_command_and_services_end_when_ctrl_c_is_pressed(state):
    with running(STATE_DIR=str(state)) as (launcher, _):
        os.killpg(launcher.pid, signal.SIGINT)
        assert launcher.wait(SOON) == 128 + signal.SIGINT

    assert not living_in(state)


@pytest.mark.faults
def test_the_services_die_when_the_launcher_is_killed(state):
    with running(STATE_DIR=str(state)) as (launcher, _):
        assert len(living_in(state)) > 1
        launcher.kill()

    assert wait_until_nobody_is_in(state)


@pytest.mark.faults
def test_the_next_start_works_when_the_launcher_was_killed(state):
    assert run(*CREATE, options=(), STATE_DIR=str(state)).returncode == 0
    with running(STATE_DIR=str(state)) as (launcher, _):
        launcher.kill()

    assert run(*READ, options=(), STATE_DIR=str(state)).stdout == "(1,)\n"


@pytest.mark.faults
def test_the_next_start_works_when_a_crash_left_its_lock(state):
    assert run(*CREATE, options=(), STATE_DIR=str(state)).returncode == 0
    with running(STATE_DIR=str(state)) as (launcher, _):
        for process in [launcher.pid, *living_in(state)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    assert (state / "postgres" / "postmaster.pid").exists()

    assert run(*READ, options=(), STATE_DIR=str(state)).stdout == "(1,)\n"


@pytest.mark.faults
def test_the_next_start_works_when_another_process_bears_the_locks_number(state):
    assert run(*CREATE, options=(), STATE_DIR=str(state)).returncode == 0
    lock = state / "postgres" / "postmaster.pid"
    lock.write_text(f"{os.getpid()}\n{lock.parent}\n")
    lock.chmod(0o600)

    assert run(*READ, options=(), STATE_DIR=str(state)).stdout == "(1,)\n"


@pytest.mark.faults
def test_the_run_fails_when_a_service_dies_under_it(state):
    with running(STATE_DIR=str(state)) as (launcher, _):
        server = int((state / "postgres" / "postmaster.pid").read_text().split()[0])
        os.kill(server, signal.SIGKILL)
        assert launcher.wait(SOON) == 1


# A service that ends while the others go on


class Ended:
    """A service that has ended, so long after it began."""

    def __init__(self, name, lived):
        self.name, self.began = name, time.monotonic() - lived

    def poll(self):
        return -signal.SIGKILL


@pytest.fixture
def watch(monkeypatch, tmp_path):
    """The launcher's watch over services that have ended; it answers what it started again."""
    monkeypatch.syspath_prepend(LAUNCHER.parent)
    loaded = SourceFileLoader("services_launcher", str(LAUNCHER))
    module = module_from_spec(spec_from_loader(loaded.name, loaded))
    loaded.exec_module(module)
    started = []
    monkeypatch.setattr(module, "start_worker", started.append)
    monkeypatch.setattr(module, "last_lines", lambda run, name: "")
    command = SimpleNamespace(returncode=0, poll=lambda: 0 if started else None)

    def watched(*services):
        module.watch(SimpleNamespace(services=[*services]), command)
        return len(started)

    watched.failure = module.Failure
    return watched


def test_a_worker_that_was_killed_is_started_again(watch):
    assert watch(Ended("worker", lived=60)) == 1


@pytest.mark.parametrize(("name", "lived"), [("worker", 1), ("web", 60), ("redis", 60)])
def test_a_worker_that_cannot_work_or_another_service_that_ends_is_a_failure(watch, name, lived):
    with pytest.raises(watch.failure, match=f"{name} has ended"):
        watch(Ended(name, lived))
