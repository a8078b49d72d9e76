"""Who is signed in at the console, whose PIN it waits for, and who must wait after wrong ones.  Facts alone decide it.

Whether a PIN is right is found out before its fact is written; what a fact then means is decided here, so that a
restart, a replay and a correction come to the same.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.rules import Rule, at_least, is_role, spoken_role
from controller.table.facts import WRONG_PIN, Amend, Badge, BadgePresented, Key, SignedIn, SignedOut, SignInFailed
from controller.table.keys import SIGN_OUT, UNLOCK
from controller.table.state import AskedPin, Attempts, Elsewhere, Signed, Table
from controller.table.step import Refusal, Step

CONSOLE: Final = "console"  # the place of whoever shows a badge at the table
MOST_WRONG: Final = 5  # PINs, before the first wait
MINUTE: Final = 60_000_000  # microseconds
LONGEST: Final = 15  # minutes
CORRECTS: Final = "supervisor"
_KEPT: Final = 256  # badges and places with wrong PINs; of more the oldest are forgotten
_SESSIONS: Final = 64  # sessions elsewhere; more are never open


# ---- facts


def badge_read(s: Step, fact: BadgePresented) -> None:
    """Signs out whose badge it is, or waits for the PIN that goes with it."""
    if s.t.signed is not None and s.t.signed.badge == fact.badge:
        _leave(s.t)
    else:
        s.t.asked = AskedPin(fact.badge, fact.person)


def signed_in(s: Step, fact: SignedIn) -> None:
    """Takes somebody as signed in; wrong PINs before that are forgotten."""
    for name in _names(fact.badge, fact.place, fact.account):
        s.t.attempts.pop(name, None)
    take_over(s.t, fact)
    if fact.place != CONSOLE:
        session = Elsewhere(fact.person, fact.place, fact.account)
        s.t.elsewhere = (*s.t.elsewhere, session)[-_SESSIONS:]


def take_over(t: Table, fact: SignedIn | Badge) -> None:
    """Gives the console to somebody, if that is where they signed in."""
    if not is_role(fact.role):
        return  # pragma: no cover - such a fact was refused before
    if isinstance(fact, Badge):
        t.role, t.name, t.signed, t.asked = fact.role, fact.name, None, None
    elif fact.place == CONSOLE:
        t.role, t.name, t.asked = fact.role, fact.person, None
        t.signed = Signed(fact.badge, fact.idle, t.now)


def signed_out(s: Step, fact: SignedOut) -> None:
    """Signs somebody out: at the console unless another person is there by now, elsewhere out of one session."""
    session = Elsewhere(fact.person, fact.place, fact.account)
    if session in s.t.elsewhere:
        at = s.t.elsewhere.index(session)
        s.t.elsewhere = s.t.elsewhere[:at] + s.t.elsewhere[at + 1 :]
    elif fact.place == CONSOLE and s.t.signed is not None and s.t.name == fact.person:
        asked = s.t.asked
        _leave(s.t)
        s.t.asked = asked  # of somebody else, who is about to sign in


def failed(s: Step, fact: SignInFailed) -> None:
    """Counts a wrong PIN, of its badge and of its place."""
    t = s.t
    if fact.place == CONSOLE and t.asked is not None:
        t.asked = replace(t.asked, failed=fact.why)
    if fact.why != WRONG_PIN:
        return
    badge, place = _names(fact.badge, fact.place, fact.account)
    for name, known in ((badge, bool(fact.person)), (place, False)):
        before = t.attempts.pop(name, None)
        t.attempts[name] = Attempts(1 if before is None else before.wrong + 1, t.now, known)
    while len(t.attempts) > _KEPT:  # nobody is freed by wrong PINs of badges, or from places, that were made up
        made_up = (name for name, attempts in t.attempts.items() if not attempts.known)
        del t.attempts[next(made_up, next(iter(t.attempts)))]


def pressed(s: Step, key: Key) -> bool:
    """Notes that somebody did something at the console; True when it was about signing in or out, and is done."""
    t = s.t
    if key.role:
        s.done_by(key)
    elif t.signed is not None or t.asked is not None:
        t.asked = None
        t.signed = None if t.signed is None else replace(t.signed, deed=t.now)
    if key.key == UNLOCK.name:
        _unlock(s, key.args)
        return True
    if key.key != SIGN_OUT.name:
        return False
    if wrong := SIGN_OUT.misfit(key.args):
        raise Refusal("", wrong)
    if s.elsewhere:
        raise Refusal("", "this key signs out who is at the console")
    _leave(t)
    return True


def _unlock(s: Step, args: tuple[str, ...]) -> None:
    if wrong := UNLOCK.misfit(args):
        raise Refusal("", wrong)
    if not at_least(s.role, UNLOCK.role):
        raise Refusal("", f"this needs the {spoken_role(UNLOCK.role)}")
    names = [_badge(args[0], at_console) for at_console in (False, True)] if args else list(s.t.attempts)
    if all(name not in s.t.attempts or s.t.attempts[name].wrong < MOST_WRONG for name in names):
        raise Refusal("", "nobody has to wait")
    for name in names:
        s.t.attempts.pop(name, None)


def _leave(t: Table) -> None:
    t.role, t.name, t.signed, t.asked = "dealer", "", None, None


def _names(badge: str, place: str, account: int = -1) -> tuple[str, str]:
    """Returns by what wrong PINs are counted; each account at the socket is a place of its own."""
    return _badge(badge, place == CONSOLE), f"place {place} {account}" if account >= 0 else f"place {place}"


def _badge(badge: str, at_console: bool) -> str:
    """Returns by what wrong PINs of a badge are known: whoever tries it from far away does not lock it at the table."""
    return f"badge {badge} at the console" if at_console else f"badge {badge}"


# ---- what others ask


def wrong_pins(t: Table, fact: SignInFailed) -> tuple[int, int]:
    """Returns how many PINs were wrong in a row, this one too: for its badge, and at its place."""
    of_badge, at_place = (t.attempts.get(name) for name in _names(fact.badge, fact.place, fact.account))
    return of_badge.wrong if of_badge is not None else 0, at_place.wrong if at_place is not None else 0


def locked_until(t: Table, badge: str, place: str, now: int, account: int = -1) -> int | None:
    """Returns when, by the table's time, a PIN for this badge is looked at again here; None: at once."""
    known = [t.attempts[name] for name in _names(badge, place, account) if name in t.attempts]
    until = max((attempts.last + _wait(attempts.wrong) for attempts in known), default=now)
    return until if until > now else None


def attempts_left(t: Table, badge: str, place: str) -> int:
    """Returns how many PINs may be wrong before the next wait; at least one."""
    wrong = max((t.attempts[name].wrong for name in _names(badge, place) if name in t.attempts), default=0)
    return max(1, MOST_WRONG - wrong)


def _wait(wrong: int) -> int:
    """Returns how long nobody may try after so many wrong PINs.

    >>> [_wait(n) // MINUTE for n in (4, 5, 6, 7, 8, 9, 1000)]
    [0, 1, 2, 4, 8, 15, 15]
    """
    return min(LONGEST, 1 << min(wrong - MOST_WRONG, LONGEST)) * MINUTE if wrong >= MOST_WRONG else 0


def idle_at(t: Table) -> int | None:
    """Returns when, by the table's time, who is signed in at the console is signed out for doing nothing."""
    return t.signed.deed + t.signed.idle if t.signed is not None and t.signed.idle else None


def check_correction(fact: Amend, rule: Rule) -> None:
    """Refuses a correction to somebody who has not the power; over accounts it was checked before."""
    if fact.role and not (is_role(fact.role) and at_least(fact.role, CORRECTS)):
        raise Refusal(rule, f"this needs the {spoken_role(CORRECTS)}")
