"""What several documents say in the same way: counting, naming cards, giving wagers back."""

from __future__ import annotations

from collections.abc import Generator

from controller.cards import UNREAD
from controller.table.felt import Felt
from controller.table.rulings import Ruling, Unmark, refuse
from controller.table.state import DEALER, Question

Named = tuple[tuple[str, tuple[str, ...]], ...]


def is_machine(f: Felt) -> bool:
    """Sets come from a machine, not single cards from a hand shoe."""
    return f.table.options["shoe"] in ("shuffler", "csm")


def ask_count(rule: str, text: str) -> Generator[tuple[Question, ...], dict[str, str], int]:
    """A supervisor directs that all cards be counted; the dealer says how many there are."""
    answers = yield (Question("supervisor", text, ("count",), rule, by="dealer"),)
    return int(answers[""].split()[1])


def named_cards(args: tuple[str, ...]) -> Named:
    """Arguments such as 1=Kh,2d, read."""
    pairs = (arg.partition("=") for arg in args)
    return tuple((place, tuple(cards.split(","))) for place, _, cards in pairs)


def unread_places(f: Felt) -> list[str]:
    return [place for place, hand in f.hands.items() if UNREAD in hand]


def name_unread(f: Felt, args: tuple[str, ...], deal: str, rule: str) -> Ruling:
    """Somebody who sees the card names it: the reader could not."""
    given = named_cards(args)
    if not set(unread_places(f)) <= {place for place, _ in given}:
        return refuse(rule, "name the cards that could not be read, such as reconstruct 1=Kh")
    return Ruling(rule, "the cards were named", "reconstructed", (Unmark(deal, given),))


def others_at_stake(f: Felt, *but: str) -> tuple[str, ...]:
    """Every bettor with something at stake, except these."""
    return tuple(p for p in f.places() if p not in but and any(f.live(p, spot) for spot in f.game.spots))


def spoken_place(place: str) -> str:
    return "the dealer" if place == DEALER else f"area {place}"
