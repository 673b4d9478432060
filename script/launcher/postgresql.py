"""A private PostgreSQL cluster."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

from launcher.folders import make_folder
from launcher.processes import PATIENCE, as_owner, start, wait_until
from launcher.run import Failure

OLDEST_POSTGRESQL = 15


def postgresql_folders():
    """Return PostgreSQL's program folders by major version."""
    found = {}
    for program in Path("/usr/lib/postgresql").glob("*/bin/postgres"):
        found[int(program.parent.parent.name)] = program.parent
    if not found and (program := shutil.which("postgres")):
        text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        found[int(text.stdout.split()[2].split(".")[0])] = Path(program).resolve().parent
    return {version: path for version, path in found.items() if version >= OLDEST_POSTGRESQL}


def postgresql_programs(cluster):
    """Return the program folder for a cluster: its own version's, or the newest for a new one."""
    folders = postgresql_folders()
    if not folders:
        raise Failure(f"PostgreSQL {OLDEST_POSTGRESQL} or later is missing: run script/setup.")
    if not (cluster / "PG_VERSION").exists():
        return folders[max(folders)]
    version = int((cluster / "PG_VERSION").read_text())
    if version not in folders:
        raise Failure(f"{cluster} needs PostgreSQL {version}. Install it, or begin with --fresh.")
    return folders[version]


def make_cluster(run, programs, cluster):
    """Make the cluster aside and move it into place: a half-made one is never taken for whole."""
    half = cluster.with_suffix(".new")
    shutil.rmtree(half, ignore_errors=True)
    make_folder(half, run.owner)
    command = [programs / "initdb", "--pgdata", half, "--username", "enajenacion"]
    command += ["--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8"]
    # Names sort as in Spanish, on every machine alike.
    command += ["--locale-provider", "icu", "--icu-locale", "es-CO"]
    if run.test:
        command += ["--no-sync"]
    made = subprocess.run(
        command, cwd="/", capture_output=True, text=True, check=False, **as_owner(run)
    )
    if made.returncode:
        who = f"The user '{run.owner.pw_name}' must be able to enter it. " if run.owner else ""
        raise Failure(f"The database cannot be made in {cluster}. {who}\n{made.stderr}")
    half.rename(cluster)


def is_alive_in(pid, cluster):
    """Say whether a process lives and works in this cluster.

    The number alone tells nothing: after a crash another process may bear it, and the dead keep
    it as zombies until somebody takes note.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX" and Path(f"/proc/{pid}/cwd").resolve() == cluster.resolve()
    except OSError:
        return False


def clear_stale_lock(cluster):
    """Let the server of a killed launcher end (nobody else holds our lock), then clear up."""
    pid_file = cluster / "postmaster.pid"
    if not pid_file.exists():
        return
    pid = int(pid_file.read_text().split()[0])
    for signum in (signal.SIGINT, signal.SIGQUIT):
        if is_alive_in(pid, cluster):
            os.kill(pid, signum)
        end = time.monotonic() + PATIENCE / 2
        while is_alive_in(pid, cluster) and time.monotonic() < end:
            time.sleep(0.05)
    if not is_alive_in(pid, cluster):
        pid_file.unlink(missing_ok=True)


def start_postgresql(run):
    cluster = run.state / "postgres"
    programs = postgresql_programs(cluster)
    if not cluster.exists():
        make_cluster(run, programs, cluster)
    clear_stale_lock(cluster)
    settings = ["listen_addresses=", f"unix_socket_directories={run.sockets}"]
    if run.test:
        settings += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
    command = [programs / "postgres", "-D", cluster]
    for setting in settings:
        command += ["-c", setting]
    # The server itself, not pg_ctl, so that it is our child; SIGINT is its fast shutdown.
    server = start(run, "postgres", command, signal.SIGINT, cwd="/", **as_owner(run))
    where = ["-h", run.sockets, "-U", "enajenacion"]
    is_ready = [programs / "pg_isready", "-q", *where, "-d", "postgres"]
    wait_until(run, server, lambda: subprocess.run(is_ready, check=False).returncode == 0)
    make_database([programs / "psql", "-XAtq", *where, "-d", "postgres", "-c"])
    return f"postgresql://enajenacion@/enajenacion?host={quote(str(run.sockets), safe='')}"


def make_database(psql):
    query = "SELECT 1 FROM pg_database WHERE datname = 'enajenacion'"
    found = subprocess.run([*psql, query], capture_output=True, check=True)
    if not found.stdout.strip():
        subprocess.run([*psql, "CREATE DATABASE enajenacion"], check=True)
