"""felt people: who can sign in at a table.  Works on people.toml itself, for root or the owner of the file."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from controller.cli.client import TROUBLE, columns, explained, with_json
from controller.people.errors import unfit, unwritable

if TYPE_CHECKING:
    from controller.people.roster import Employee, Roster
    from controller.people.roster_file import RosterFile

FILE: Final = "/etc/feltd/people.toml"

with_file = click.option(
    "--file",
    type=click.Path(path_type=Path),
    default=Path(FILE),
    show_default=True,
    envvar="FELT_PEOPLE",
    help="The people of the table; also from FELT_PEOPLE.",
)


@click.group(name="people")
def command() -> None:
    """Who can sign in: add, list, remove, change a PIN.

    The daemon reads the file again as soon as it is changed.
    """


@command.command(name="list")
@with_file
@with_json
@explained
def show(file: Path, as_json: bool) -> None:
    """Everybody who can sign in, with badge and roles."""
    people = _file(file).read().people
    if as_json:
        known = [
            {"name": each.name, "badge": each.badge, "roles": list(each.roles), "pam": _account(each)}
            for each in people
        ]
        print(json.dumps({"people": known}))
        return
    rows: list[tuple[str, ...]] = [
        ("NAME", "BADGE", "ROLES", "SIGNS IN BY"),
        *((each.name, each.badge, ", ".join(each.roles), _signs_in_by(each)) for each in people),
    ]
    print("\n".join(columns(rows)) if people else "nobody can sign in")


@command.command()
@with_file
@with_json
@explained
def check(file: Path, as_json: bool) -> None:
    """Tell every mistake in the file at once, and whose PIN is easier to guess than it should be.

    Exit status 0: it can be used; 1: it cannot.
    """
    from controller.people.roster import RosterError

    try:
        people = _file(file).read().people
    except RosterError as error:
        if as_json:
            problems = [{"line": p.line, "key": p.key, "message": p.message} for p in error.problems]
            print(json.dumps({"ok": False, "code": error.code, "problems": problems}))
        else:
            print(error.cause)
        sys.exit(TROUBLE)
    from controller.people.pam import SERVICE_FILE
    from controller.people.pins import PinHash

    weak = [each.name for each in people if isinstance(each.pin, PinHash) and each.pin.weak]
    missing = "" if SERVICE_FILE.exists() or not any(map(_account, people)) else str(SERVICE_FILE)
    if as_json:
        print(json.dumps({"ok": True, "people": len(people), "weak": weak, "missing": missing}))
        return
    if not people:
        print(f"{file} has no mistake, but nobody in it: nobody can sign in; add somebody with `felt people add`")
        return
    print(f"{file} can be used: {'1 person' if len(people) == 1 else f'{len(people)} people'}")
    for name in weak:
        print(f"the PIN of {name} is kept with little memory: give a new one, `felt people pin '{name}'`")
    if missing:
        print(f"there is no {missing}: who signs in by PAM cannot (docs/people.md says what to put there)")


@command.command()
@click.argument("name")
@click.option("--badge", required=True, help="The number that the badge tells.")
@click.option("--role", "roles", required=True, multiple=True, help="What they may do; several may be given.")
@click.option("--pam", "account", help="The account whose password is the PIN, as the machine's PAM knows it.")
@with_file
@with_json
@explained
def add(name: str, badge: str, roles: tuple[str, ...], account: str | None, file: Path, as_json: bool) -> None:
    """Make somebody who can sign in; asks for the PIN twice, unless PAM knows the password.

    For example: felt people add "Floor Eight" --badge 0417 --role supervisor
    """
    enrol(file, name, badge, roles, account)
    _done(as_json, f"{name} can sign in with badge {badge}: {', '.join(roles)}", name)


@command.command()
@click.argument("name")
@with_file
@with_json
@explained
def pin(name: str, file: Path, as_json: bool) -> None:
    """Give somebody a new PIN; asks for it twice."""
    from controller.people.roster import Roster

    roster_file = _file(file)
    roster = _owned(roster_file).read()
    _known(roster, name)
    changed = tuple(_with_new_pin(each) if each.name == name else each for each in roster.people)
    roster_file.write(Roster(changed))
    _done(as_json, f"{name} has a new PIN", name)


@command.command()
@click.argument("name")
@with_file
@with_json
@explained
def remove(name: str, file: Path, as_json: bool) -> None:
    """Let somebody sign in no more; open sessions on pages and over the socket end."""
    from controller.people.roster import Roster

    roster_file = _file(file)
    roster = _owned(roster_file).read()
    _known(roster, name)
    roster_file.write(Roster(tuple(each for each in roster.people if each.name != name)))
    _done(as_json, f"{name} cannot sign in any more", name)


def enrol(file: Path, name: str, badge: str, roles: tuple[str, ...], account: str | None = None) -> None:
    """Puts somebody into the file, which need not be there; asks for the PIN twice, unless PAM knows it; FeltError."""
    from controller.people.roster import EMPTY, Roster, as_read
    from controller.people.roster_file import RosterFile

    roster_file = RosterFile(file)
    roster = _owned(roster_file).read() if file.exists() else EMPTY
    person = _checked(name, badge, roles, account)
    if any(as_read(name) == as_read(each.name) or as_read(badge) == as_read(each.badge) for each in roster.people):
        raise unfit(f"somebody has the name {name} or the badge {badge} already")
    if account is None:
        person = _with_new_pin(person)
    elif as_read(account) in map(as_read, map(_account, roster.people)):
        raise unfit(f"somebody signs in by the account {account} already")
    roster_file.write(Roster((*roster.people, person)))


def _file(path: Path) -> RosterFile:
    from controller.people.roster_file import RosterFile

    return RosterFile(path)


def _owned(file: RosterFile) -> RosterFile:
    """Returns the file; raises FeltError for anybody but root and its owner."""
    try:
        owner = file.path.stat().st_uid
    except OSError as error:
        raise unwritable(file.path, error.strerror or str(error)) from None
    if os.geteuid() not in (0, owner):
        raise unwritable(file.path, f"it belongs to account {owner}")
    return file


def _known(roster: Roster, name: str) -> None:
    if roster.named(name) is None:
        from controller.config.errors import did_you_mean

        others = [each.name for each in roster.people]
        raise unfit(f"nobody is called {name}: {did_you_mean(name, others)}")


def _checked(name: str, badge: str, roles: tuple[str, ...], account: str | None) -> Employee:
    """Returns the person, whose PIN fits nobody yet; raises FeltError when this cannot stand in the file."""
    from controller.people.pam import PamAccount
    from controller.people.roster import NO_PIN, Employee, mistakes
    from controller.rules import is_role

    secret = {"pin": str(NO_PIN)} if account is None else {"pam": account}
    wrong = mistakes({"name": name, "badge": badge, "roles": list(roles), **secret})
    if wrong:
        raise unfit("; ".join(f"{key} {why}" for key, why in wrong))
    known = tuple(role for role in roles if is_role(role))
    return Employee(name, badge, known, NO_PIN if account is None else PamAccount(account))


def _account(person: Employee) -> str:
    """Returns the account by which somebody signs in; "" when people.toml has their PIN."""
    from controller.people.pam import PamAccount

    return person.pin.account if isinstance(person.pin, PamAccount) else ""


def _signs_in_by(person: Employee) -> str:
    account = _account(person)
    return f"PAM: {account}" if account else "PIN"


def _with_new_pin(person: Employee) -> Employee:
    """Returns the person with the PIN that was typed twice; raises FeltError when it is none."""
    from controller.people.pins import hashed, misfit

    if not sys.stdin.isatty():
        raise unfit("a PIN is typed on a terminal, and this is none")
    first = click.prompt(f"new PIN of {person.name}", hide_input=True, err=True, show_default=False, default="")
    if why := misfit(first):
        raise unfit(why)
    second = click.prompt("once more", hide_input=True, err=True, show_default=False, default="")
    if first != second:
        raise unfit("the two PINs are not the same")
    return replace(person, pin=hashed(first))


def _done(as_json: bool, text: str, name: str) -> None:
    print(json.dumps({"name": name, "done": text}) if as_json else text)
