"""A fact that the table could not follow because its own code failed: never guessed at, and never the end of the table.

A wish is refused, and all is as it was.  A reading has happened: the round is held, until a supervisor has looked and
resumes or voids it.  Both are part of the step, so that a replay of the same facts gives the same table.
"""

from __future__ import annotations

from controller.table import holds, sign_in, voids
from controller.table.effects import AnyEffect, Defective, Refused
from controller.table.facts import Amend, AnyFact, Badge, Key, SignedIn, Started
from controller.table.keys import find_key
from controller.table.rules import Games
from controller.table.state import Seen, Table, clone
from controller.table.step import Refusal, Step

CODE = "table.defect"


def survive(games: Games, table: Table, seq: int, fact: AnyFact, bug: Exception) -> tuple[Table, list[AnyEffect]]:
    """Returns what a table does about a fact that it could not follow; `table` is the one before that fact."""
    t, what = clone(table), place_of(bug)
    defect = Defective(type(fact).__name__, what)
    if not t.game:
        return t, [Refused("", f"the table could not follow this: {CODE} ({what})"), defect]
    s = games[t.game].begin(t, seq, Table())
    if t.holds and isinstance(fact, Key) and (fact.key, fact.args) == ("void", ()):
        return _void(table, s)
    if isinstance(fact, Badge | SignedIn):
        sign_in.take_over(t, fact)  # somebody must be able to rule
        return t, []
    if _is_wish(s, fact):
        return t, [Refused("", f"the table could not follow this: {CODE} ({what}); nothing has changed"), defect]
    hold_for(s, fact, bug)
    if s.round is not None:
        t.history = t.history.then(Seen(seq, t.now, fact))
    return t, s.effects


def hold_for(s: Step, fact: AnyFact, bug: Exception) -> None:
    """Holds the table for a person: something that has happened could not be followed."""
    what = place_of(bug)
    holds.hold(s, CODE, f"what was told as fact {s.seq} could not be followed ({what})")
    s.effects.append(Defective(type(fact).__name__, what))


def _is_wish(s: Step, fact: AnyFact) -> bool:
    """Tells whether somebody asks for it: then it may be refused.  Anything else has happened."""
    if isinstance(fact, Key):
        key = find_key(s.game, fact.key)
        return key is None or not key.report
    return isinstance(fact, (Started, Amend, Badge, SignedIn))


def place_of(bug: BaseException) -> str:
    """Returns kind and place of an error, never its text: it may name a card.

    >>> place_of(KeyError("Kh"))
    'KeyError'
    """
    trace, place = bug.__traceback__, ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename.rpartition("/")[2]
        place = f" at {name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return type(bug).__name__ + place


def _void(table: Table, s: Step) -> tuple[Table, list[AnyEffect]]:
    """Declares a round void that its game cannot follow: first with its books, else without."""
    try:
        voids.void(s, bare=True)
    except Refusal as no:
        return clone(table), [Refused(no.rule, no.why)]
    except Exception:  # the books are of no use either
        s = s.game.begin(clone(table), s.seq, Table())
        r = s.round
        assert r is not None  # else it was refused
        voids.struck(s, r)
    return s.t, s.effects
