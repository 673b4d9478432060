"""Children that never outlive the launcher."""

import ctypes
import os
import signal
import subprocess
import time

from launcher.run import Failure

PATIENCE = 60
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def die_with_parent(signum):
    """Return what a child calls just before exec, so that it ends when the launcher is killed.

    Linux forgets the wish when a process changes its user, therefore subprocess changes the
    user first and calls this after.
    """
    parent = os.getpid()

    def ask():
        LIBC.prctl(PR_SET_PDEATHSIG, signum)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def as_owner(run):
    """Return subprocess's arguments that make a process run as the owner of the services."""
    if run.owner is None:
        return {}
    return {"user": run.owner.pw_uid, "group": run.owner.pw_gid, "extra_groups": []}


def start(run, name, command, stop_signal=signal.SIGTERM, **options):
    """Start a service in a session of its own: a Ctrl-C reaches the launcher alone."""
    with (run.logs / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=die_with_parent(stop_signal),
            **options,
        )
    process.name, process.stop_signal = name, stop_signal
    process.began = time.monotonic()
    run.services.append(process)
    return process


def wait_until(run, process, ready):
    """Wait until a service answers; a service that ends instead is a failure."""
    end = time.monotonic() + PATIENCE
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            raise Failure(f"{process.name} does not start.\n{last_lines(run, process.name)}")
        time.sleep(0.05)


def last_lines(run, name):
    lines = (run.logs / f"{name}.log").read_text(errors="replace").splitlines()
    return "\n".join(lines[-15:])


def stop(process, patience=20):
    if process.poll() is None:
        process.send_signal(process.stop_signal)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def stop_all(run):
    """Stop the last started first: nothing loses its database before it has ended."""
    for process in reversed(run.services):
        stop(process)
