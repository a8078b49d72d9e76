"""A held round is declared void by a supervisor: it counts for nothing, and all wagers go back."""

from __future__ import annotations

from controller.table.holds import needs_supervisor, on_record, who, why
from controller.table.state import Round
from controller.table.step import Refusal, Step


def void(s: Step, bare: bool = False) -> None:
    """Declares the round void, by the document's rule for invalid outcomes: all wagers go back.

    `bare`: the game is not asked; for a round that it cannot follow.
    """
    needs_supervisor(s)
    held, r = why(s.t), s.round
    assert held is not None
    if r is None:
        raise Refusal(held.rule, f"no round is running: press resume ({held.code})")
    rule = s.cites.refund
    text = f"{held.code}: the round is void and all wagers go back, by the {who(s)}"
    s.t.holds, s.t.kept = {}, []
    s.game.declare_void(s, r, rule, text, bare=bare)


def struck(s: Step, r: Round) -> None:
    """Strikes out a round whose books cannot be read: it is void, and people give the chips back."""
    needs_supervisor(s)
    rule = s.cites.refund
    s.t.holds, s.t.kept, s.t.talk = {}, [], None
    on_record(s, "void", rule, f"the round is void by the {who(s)}: give back all that was wagered in it")
    s.prompt("dealer", "the round is void: give back all that was wagered in it, by what was recorded", rule)
    r.outcome, r.rule = "void", rule
