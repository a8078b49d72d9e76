"""The roster: everybody in people.toml, read strictly, with every mistake at once."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from controller.config.errors import Problem, did_you_mean
from controller.errors import FeltError
from controller.people.checks import Secret
from controller.people.pam import PamAccount
from controller.people.pins import LANES, MEMORY, PASSES, PinHash
from controller.rules import RANKS, ROLES, Role, is_role

INVALID: Final = "people.invalid"
KEYS: Final = ("name", "badge", "roles", "pin", "pam")
LONGEST: Final = 64  # characters of a name or a badge
HEAD: Final = "# The people of this table.  Written by `felt people`; for root and the daemon only.\n"
_HEADER: Final = re.compile(r"\s*\[\[\s*person\s*\]\]")
_ANY_HEADER: Final = re.compile(r"\s*\[")


@dataclass(frozen=True)
class Employee:
    """Somebody who can sign in."""

    name: str
    badge: str
    roles: tuple[Role, ...]
    pin: Secret = field(repr=False)

    def role(self, wish: str = "") -> Role | None:
        """Returns the role they sign in with: the one they wish, or else their highest; None when they have it not.

        >>> Employee("Ann", "7", ("technician", "dealer", "supervisor"), NO_PIN).role()
        'supervisor'
        """
        if wish:
            return next((role for role in self.roles if role == wish), None)
        ranks = [rank for rank in RANKS if rank in self.roles]
        return ranks[-1] if ranks else self.roles[0]


@dataclass(frozen=True)
class Roster:
    """Everybody who can sign in."""

    people: tuple[Employee, ...] = ()

    @cached_property
    def by_badge(self) -> Mapping[str, Employee]:
        """Everybody by their badge."""
        return {person.badge: person for person in self.people}

    @cached_property
    def nobody(self) -> PinHash:
        """A hash that takes as long as everybody's, for badges that nobody has."""
        return next((each.pin.dummy() for each in self.people if isinstance(each.pin, PinHash)), NO_PIN)

    def named(self, name: str) -> Employee | None:
        """Returns the person of this name; None when there is none."""
        return next((person for person in self.people if person.name == name), None)


NO_PIN: Final = PinHash(MEMORY, PASSES, LANES, b"\0" * 16, b"\0" * 32)
EMPTY: Final = Roster()


class RosterError(FeltError):
    """The error of a people.toml with mistakes: all of them."""

    def __init__(self, path: str, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        cause = "\n".join(problem.at(path) for problem in self.problems)
        super().__init__(INVALID, cause)


def parse(text: str, path: str) -> Roster:
    """Returns the roster in this text; raises RosterError with every mistake."""
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        at = re.search(r"at line (\d+)", str(error))
        raise RosterError(path, [Problem(int(at[1]) if at else 0, "", "is not TOML")]) from None
    lines = _Lines(text)
    problems = [
        Problem(lines.of(key), key, f"unknown key: {did_you_mean(key, ['person'])}") for key in raw.keys() - {"person"}
    ]
    entries = raw.get("person", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise RosterError(path, [*problems, Problem(lines.of("person"), "person", "must be written as [[person]]")])
    people = [_person(entry, n, lines, problems) for n, entry in enumerate(entries)]
    for what in ("name", "badge", "pam"):
        problems += _twice(entries, what, lines)
    if problems:
        raise RosterError(path, problems)
    return Roster(tuple(person for person in people if person is not None))


def written(roster: Roster) -> str:
    """Returns the roster as people.toml has it."""
    return HEAD + "".join(
        f"\n[[person]]\nname = {_quoted(person.name)}\nbadge = {_quoted(person.badge)}\n"
        f"roles = [{', '.join(map(_quoted, person.roles))}]\n{_secret(person.pin)}\n"
        for person in roster.people
    )


def _person(entry: Mapping[str, Any], n: int, lines: _Lines, problems: list[Problem]) -> Employee | None:
    wrong = mistakes(entry)
    problems += [Problem(lines.inside(n, key), f"person {n + 1}: {key}", why) for key, why in wrong]
    if wrong:
        return None
    secret = PamAccount(entry["pam"]) if "pam" in entry else PinHash.parse(entry["pin"])
    return Employee(entry["name"], entry["badge"], tuple(entry["roles"]), secret)


def mistakes(entry: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns what is wrong with one person of people.toml: each key, and why."""
    keys = (*KEYS, *(key for key in entry if key not in KEYS))
    return [(key, why) for key in keys for why in _wrong(key, entry)]


def _wrong(key: str, entry: Mapping[str, Any]) -> Iterator[str]:
    """Yields what is wrong with one key of a person; never what a PIN's hash is."""
    value = entry.get(key)
    if key not in KEYS:
        yield f"unknown key: {did_you_mean(key, KEYS)}"
    elif key == "pam" and key in entry and "pin" in entry:
        yield "a person has `pin` or `pam`, not both"
    elif key not in entry:
        if key != "pam" and (key != "pin" or "pam" not in entry):
            yield "is missing"
    elif key == "roles":
        yield from _wrong_roles(value)
    elif not isinstance(value, str):
        yield "must be text in quotes"
    elif key == "pin":
        try:
            PinHash.parse(value)
        except ValueError as error:
            yield str(error)
    elif not value.strip() or value != value.strip() or not value.isprintable() or len(value) > LONGEST:
        yield f"must have 1 to {LONGEST} printable characters, with no blank at an end"


def _wrong_roles(value: object) -> Iterator[str]:
    if not isinstance(value, list) or not value:
        yield 'must be a list of roles: write ["dealer"]'
        return
    for role in value:
        if not isinstance(role, str) or not is_role(role):
            yield f'unknown role "{role}": {did_you_mean(str(role), ROLES)}'


def _twice(entries: list[dict[str, Any]], what: str, lines: _Lines) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for n, entry in enumerate(entries):
        value = entry.get(what)
        if isinstance(value, str) and (first := seen.setdefault(as_read(value), n)) != n:
            yield Problem(lines.inside(n, what), f"person {n + 1}: {what}", f"person {first + 1} has it already")


def as_read(text: str) -> str:
    """Returns a text so that what people take for the same is the same: nobody is two people by a blank or a letter."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


class _Lines:
    """Where things stand in the text, as people write it: each [[person]], then its keys."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._heads = [n for n, line in enumerate(self._lines) if _HEADER.match(line)]

    def of(self, key: str) -> int:
        """Returns the line of a key or a header at the top; 0: it is not found."""
        head = re.compile(rf"\s*\[*\s*\"?{re.escape(key)}\b")
        return next((n + 1 for n, line in enumerate(self._lines) if head.match(line)), 0)

    def inside(self, person: int, key: str) -> int:
        """Returns the line of a person's key, or of their header where it is missing."""
        if person >= len(self._heads):
            return self.of("person")
        first = self._heads[person]
        for n in range(first + 1, len(self._lines)):
            if _ANY_HEADER.match(self._lines[n]):
                break
            if re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", self._lines[n]):
                return n + 1
        return first + 1


def _secret(secret: Secret) -> str:
    if isinstance(secret, PamAccount):
        return f"pam = {_quoted(secret.account)}"
    return f"pin = {_quoted(str(secret))}"


def _quoted(text: str) -> str:
    """Returns a TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
