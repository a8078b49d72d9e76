"""The result of one check: how it is, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from controller.cli import codes as codes  # what the findings mean
from controller.errors import step_for

State: TypeAlias = Literal["ok", "warn", "bad"]
ORDER: Final[tuple[State, ...]] = ("bad", "warn", "ok")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.  `what` is the part that was looked at; `code` is stable and empty when all is well.

    `device` is the one that it is about, where it is about a single one.
    """

    what: str
    state: State
    text: str
    code: str = ""
    next_step: str = ""
    device: str = ""

    def json(self) -> dict[str, Any]:
        """Returns the finding as plain data, for programs."""
        return asdict(self)


def ok(what: str, text: str) -> Finding:
    """Returns the finding that nothing is to be done."""
    return Finding(what, "ok", text)


def warn(what: str, code: str, text: str, next_step: str = "") -> Finding:
    """Returns the finding that it works, and that somebody should know."""
    return Finding(what, "warn", text, code, next_step or step_for(code))


def bad(what: str, code: str, text: str, next_step: str = "") -> Finding:
    """Returns the finding that it does not work."""
    return Finding(what, "bad", text, code, next_step or step_for(code))


def in_order(findings: list[Finding]) -> list[Finding]:
    """Returns the findings, what is wrong first.  Among equals the order of looking stays, causes before effects."""
    return sorted(findings, key=lambda finding: ORDER.index(finding.state))
