"""Where a run keeps its state and its sockets, and for whom."""

import contextlib
import fcntl
import hashlib
import os
import pwd
import secrets
import shutil
import time
from pathlib import Path

from launcher.run import ROOT, Failure

# A socket's path may have 107 bytes, and TMPDIR may be long, or closed to the database's user.
SHORT = Path("/tmp")
PREFIX = "enajenacion-"


def services_owner():
    """Return who runs PostgreSQL and Redis: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise Failure("There is neither a user 'postgres' nor 'nobody' to run PostgreSQL.")


def default_state():
    if os.environ.get("STATE_DIR"):
        return Path(os.environ["STATE_DIR"]).absolute()
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    if os.geteuid() == 0:
        return Path("/var/lib/enajenacion") / name
    return Path.home() / ".local" / "state" / "enajenacion" / name


def make_folder(path, owner=None, mode=0o700):
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(mode)
    if owner is not None:
        os.chown(path, owner.pw_uid, owner.pw_gid)
    return path


def make_state(path):
    """Make the demo's folder; the database's user must be able to pass through it."""
    old_mask = os.umask(0o022)
    make_folder(path, mode=0o711)
    os.umask(old_mask)


def lock(folder):
    """Hold a folder for this launcher alone; the kernel lets go when it dies, however it dies."""
    handle = (folder / "lock").open("a")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        handle.close()
        raise Failure(f"Another run uses {folder}. End it first, or set STATE_DIR.") from None
    return handle


def sweep():
    """Remove the temporary folders of runs that were killed more than an hour ago."""
    for folder in SHORT.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, Failure):
            about = folder.lstat()
            if about.st_uid == os.geteuid() and time.time() - about.st_mtime > 3600:
                with lock(folder):
                    shutil.rmtree(folder)


def secret_key(state):
    """Return the demo's own secret key, made at its first start."""
    path = state / "secret-key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()
