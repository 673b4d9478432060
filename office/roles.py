"""Who may do what: five roles (groups) and what each lets its people do in the workspace."""

from enum import StrEnum


class Role(StrEnum):
    """The roles, by the name of their group."""

    ANALYST = "analista"
    SUPERVISOR = "supervisor"
    BROKER = "comisionista"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrador"


class Capability(StrEnum):
    """What a page or an act asks of whoever comes to it."""

    READ = "read"  # sees every programme, buyer and file
    PREPARE = "prepare"  # registers, imports, runs, records payments, issues certificates
    PRESENT = "present"  # registers buyers, papers, acceptances; a broker, its own alone
    APPROVE = "approve"  # reviews what another prepared; opens and closes stages
    OWN = "own"  # sees what concerns it: everything for staff, its own for a broker
    REFERENCE = "reference"  # keeps users, roles and reference tables
    INDICES = "indices"  # enters and corrects the consumer price index
    INDICES_READ = "indices_read"  # sees it


GRANTS: dict[Capability, frozenset[Role]] = {
    Capability.READ: frozenset({Role.ANALYST, Role.SUPERVISOR, Role.AUDITOR}),
    Capability.PREPARE: frozenset({Role.ANALYST, Role.SUPERVISOR}),
    Capability.PRESENT: frozenset({Role.ANALYST, Role.SUPERVISOR, Role.BROKER}),
    Capability.APPROVE: frozenset({Role.SUPERVISOR}),
    Capability.OWN: frozenset({Role.ANALYST, Role.SUPERVISOR, Role.AUDITOR, Role.BROKER}),
    Capability.REFERENCE: frozenset({Role.ADMINISTRATOR}),
    # A reference table that those who prepare must be able to fill, too: a quote waits for it.
    Capability.INDICES: frozenset({Role.ANALYST, Role.SUPERVISOR, Role.ADMINISTRATOR}),
    Capability.INDICES_READ: frozenset(
        {Role.ANALYST, Role.SUPERVISOR, Role.AUDITOR, Role.ADMINISTRATOR}
    ),
}

LABELS: dict[Role, str] = {
    Role.ANALYST: "analista",
    Role.SUPERVISOR: "supervisor",
    Role.BROKER: "comisionista",
    Role.AUDITOR: "auditor",
    Role.ADMINISTRATOR: "administrador",
}
