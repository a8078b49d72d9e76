"""Keys and readings about the cards that only games against the house know: who cuts, burn cards, machines."""

from __future__ import annotations

from controller.places import area_of
from controller.table.deck import SUPERVISOR, cutter, two_colours
from controller.table.facts import Shuffled
from controller.table.state import cards_lie
from controller.table.step import Refusal, Step


def refuse_cut(s: Step, args: tuple[str, ...]) -> None:
    """Records that a player declines to cut: the next one is asked, after the last one the supervisor."""
    deck = s.t.deck
    if not s.policy.players_cut:
        raise Refusal(s.cites.never_cut or s.cites.cutter, "players never cut the cards")
    if not deck.cut_due and not deck.due:
        raise Refusal(s.cites.last_cutter, "no cut is due")
    if cutter(s.t) != str(area_of(args[0])):
        raise Refusal(s.cites.last_cutter, f"the cut is offered to {cutter(s.t)}")
    deck.declined.append(args[0])
    if cutter(s.t) == SUPERVISOR:
        s.prompt("supervisor", "every player declined: cut the cards", s.cites.last_cutter, offers=("cut",))


def cutting_card(s: Step, args: tuple[str, ...]) -> None:
    """Checks where the cutting card was put; refuses it too far from the back, and where none is used."""
    if s.t.options.typed.shoe != "hand" and not s.policy.cutting_card_with_machine:
        raise Refusal(s.cites.no_cutting_card, "no cutting card is used with the machine")
    if not s.policy.players_cut:
        raise Refusal(s.cites.cutter, "the dealer cuts once and puts the cards on the cutting card")
    if int(args[0]) > 26 * s.t.options.typed.decks:
        raise Refusal(s.cites.cutting_card_back, "the cutting card goes no further than half way from the back")


def show_burn(s: Step, args: tuple[str, ...]) -> None:
    """Records that the first burn card was shown; refuses it when no card was burned."""
    burns = s.round.burns if s.round is not None else s.t.deck.burns
    if not burns:
        raise Refusal(s.cites.burn, "no card was burned")
    burns[0] = type(burns[0])(burns[0].card, shown=True)


def machine_shuffled(s: Step, fact: Shuffled) -> None:
    """Records what the machine says of its shuffle.

    A machine that cannot verify its cards has not shuffled them: they are counted by hand.
    """
    full, deck = 52 * s.t.options.typed.decks, s.t.deck
    complete = fact.count == full
    if fact.verified and complete:
        _verified(s)
    elif complete and s.policy.one_colour:
        if not deck.bad:
            two_colours(s)  # all are there, and they are not of one deck
    else:
        deck.must_be_counted(s.cites.unverified)
        text = f"the machine counts {fact.count} cards instead of {full}: count them"
        s.prompt("dealer", text, s.cites.unverified, offers=("count",))


def _verified(s: Step) -> None:
    """Ends a shuffle that was due: not of cards that are out of play, nor of the deck of a round under way."""
    deck = s.t.deck
    if deck.bad or not deck.due or cards_lie(s.t):
        return
    s.shuffle()
    if s.auto:
        deck.cut_due = False
