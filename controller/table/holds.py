"""Holds: named reasons why the table must not go on until a person rules.

While one stands, nothing is wagered, dealt, decided or settled; what devices read is recorded all the same.  A
supervisor frees the table: with `resume` (what lies on the felt was checked) or with `void` (the round counts for
nothing and all wagers go back).  A hold is part of the table, so it outlives a restart.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.rules import RANKS, RulingKind, at_least, spoken_role
from controller.table import causes
from controller.table.effects import RulingMade
from controller.table.facts import AnyFact, Chips, Hold, Key, Missed, Pushed, Released, Tick
from controller.table.keys import RESUME, find_key
from controller.table.state import Held, Ruled, Table
from controller.table.step import Refusal, Step

FREED_BY: Final = RESUME.role
BEHIND: Final = "journal.behind"  # the journal went back: every device may say so


def hold(s: Step, code: str, text: str, *, device: str = "", rule: str = "", place: str = "") -> None:
    """Stops the table for this reason; tells it once, however often it comes."""
    name = _name(code, device)
    if name in s.t.holds:
        return
    known = code == BEHIND and any(held.code == code for held in s.t.holds.values())  # one cause, many witnesses
    s.t.holds[name] = Held(code, text, device, rule, place, s.seq)
    if known:
        return
    about = f"{device}: {text}" if device else text
    cause = causes.OnHold(name)
    if s.round is None:
        s.prompt(FREED_BY, f"{about}; check the table, then press resume", rule, place, ("resume",), cause)
    else:
        question = f"{about}; check what lies on the felt, then press resume, or void the round"
        s.prompt(FREED_BY, question, rule, place, ("void", "resume"), cause)


def release(s: Step, code: str, device: str = "") -> None:
    """Ends one reason for which the table is held; with the last one the table goes on."""
    s.t.holds.pop(_name(code, device), None)
    if not s.t.holds:
        _goes_on(s)


def why(t: Table) -> Held | None:
    """Returns the oldest reason why the table does not go on; None when it does."""
    return min(t.holds.values(), key=lambda held: held.since) if t.holds else None


def about(held: Held) -> str:
    """Returns what a hold is about, in words for people."""
    return f"{held.device}: {held.text}" if held.device else held.text


def reason(held: Held) -> str:
    """Says why the table is held, by its code too, and which keys free it."""
    return f"the table is held ({held.code}: {about(held)}): a supervisor presses resume, or void"


def follow(s: Step, fact: AnyFact) -> bool:
    """Does what a fact means for holds; False when it goes its usual way."""
    match fact:
        case Hold(code, text, device):
            hold(s, code, text, device=device)
        case Released(code, device):
            release(s, code, device)
        case Missed(device, epoch, counter, code, text):
            s.t.accounted[device] = (epoch, counter)
            if code:
                hold(s, code, text, device=device)
        case Key("resume", args):
            _resume(s, args)
        case _:
            held = why(s.t)
            return held is not None and _stopped(s, fact, held)
    return True


def _stopped(s: Step, fact: AnyFact, held: Held) -> bool:
    match fact:
        case Key(name) if _plays(s, name):
            raise Refusal(held.rule, reason(held))
        case Chips():
            raise Refusal(held.rule, reason(held) + "; these chips count then, if they still lie there")
        case Pushed():
            keep(s.t, fact)
        case Tick():
            return True  # nobody's time runs
        case _:
            return False
    return True


def _plays(s: Step, name: str) -> bool:
    """Tells whether this key would carry the game on."""
    key = find_key(s.game, name)
    return key is not None and key.plays


def keep(t: Table, fact: Chips | Pushed) -> None:
    """Keeps chips that were read while the table was held: what lies there last is looked at again when it goes on."""
    if isinstance(fact, Chips):
        if any(_under_cover(other, fact) for other in t.kept):
            return
        t.kept = [left for other in t.kept if (left := _without(other, fact)) is not None]
    for n, other in enumerate(t.kept):
        together = _together(other, fact)
        if together is not None:
            t.kept[n] = together
            return
    t.kept.append(fact)


def _under_cover(earlier: AnyFact, later: Chips) -> bool:
    """Tells whether a reading only repeats without a cover what was read under it: it stays secret."""
    match earlier, later:
        case Chips(area, spots, covered=True), Chips(covered=False) if area == later.area:
            return set(later.spots) <= set(spots)
    return False


def _without(earlier: AnyFact, later: Chips) -> AnyFact | None:
    """Returns a reading without the spots of a later one of another kind of chips; None when nothing is left of it."""
    match earlier:
        case Chips(area) if area == later.area:
            if _kind(earlier) == _kind(later):
                return earlier
            newer = {(x.spot, x.bettor) for x in later.spots}
            spots = tuple(x for x in earlier.spots if (x.spot, x.bettor) not in newer)
            return replace(earlier, spots=spots) if spots else None
    return earlier


def _kind(fact: Chips) -> tuple[int, bool, bool]:
    """Returns what readings have in common that can be taken together."""
    return fact.area, fact.cash, fact.covered


def _together(earlier: AnyFact, later: Chips | Pushed) -> AnyFact | None:
    """Returns two readings of one area as one; None when they are not of the same kind and area."""
    match earlier, later:
        case Chips(), Chips() if _kind(earlier) == _kind(later):
            spots = {(x.spot, x.bettor): x for x in (*earlier.spots, *later.spots)}
            return replace(earlier, spots=tuple(spots.values()))
        case Pushed(), Pushed() if earlier.area == later.area:
            return replace(earlier, chips=(*earlier.chips, *later.chips))
    return None


def _resume(s: Step, args: tuple[str, ...]) -> None:
    wrong = RESUME.misfit(args)
    if wrong:
        raise Refusal("", wrong)
    if not s.t.holds:
        raise Refusal("", "nothing is held")
    needs_supervisor(s)
    codes = {held.code for held in s.t.holds.values()}
    if not args and len(codes) > 1:
        raise Refusal("", "several reasons hold the table, say which: resume " + " or resume ".join(sorted(codes)))
    code = args[0] if args else codes.pop()
    freed = [held for held in s.t.holds.values() if held.code == code]
    if not freed:
        raise Refusal("", f"{code} is not held: resume " + " or resume ".join(sorted(codes)))
    for held in freed:
        on_record(s, "continue", held.rule, f"{held.code}: the table goes on, by the {who(s)}")
        release(s, held.code, held.device)


def _goes_on(s: Step) -> None:
    """Lets the table go on: chips that came meanwhile count now, and whoever is to act has the whole time for it."""
    s.resumed, s.t.kept = s.t.kept, []
    s.game.resumed(s)


def needs_supervisor(s: Step) -> None:
    """Refuses whoever may not free the table."""
    if not at_least(s.role, FREED_BY):
        raise Refusal("", f"this needs the {FREED_BY}")


def who(s: Step) -> str:
    """Returns who does this, for the record."""
    role = s.role if s.role in RANKS else FREED_BY
    return f"{spoken_role(role)} {s.name}".rstrip()


def on_record(s: Step, ruling: RulingKind, rule: str, text: str) -> None:
    """Records a ruling on the round that is running; between rounds it is only told."""
    if s.round is not None:
        s.ruled(ruling, rule, text)
    else:
        s.effects.append(RulingMade(s.t.number, Ruled(s.seq, ruling, rule, text)))


def _name(code: str, device: str) -> str:
    return f"{code} {device}".rstrip()
