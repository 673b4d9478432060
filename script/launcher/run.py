"""What a run of the launcher is, and how it ends otherwise than well."""

import pwd
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"


class Failure(Exception):
    """Something cannot be started; the message says what to do."""


class Stopped(Exception):
    """A signal asked the launcher to end."""

    def __init__(self, signum):
        super().__init__(signum)
        self.signum = signum


@dataclass
class Run:
    """One run of the launcher: its folders, its environment, what it started."""

    state: Path
    sockets: Path
    test: bool
    env: dict
    owner: pwd.struct_passwd | None
    services: list = field(default_factory=list)

    @property
    def logs(self):
        return self.state / "log"
