"""What anybody may know of a fact: a card that lies face down is "??" to everyone outside."""

from __future__ import annotations

from msgspec.structs import replace

from controller.cards import UNREAD, is_card
from controller.games.catalogue import find
from controller.table.facts import Amend, AnyFact, CardOut, CardRead, CardsOut, Key
from controller.table.felt import Felt, lay_out
from controller.table.shown import public_hands
from controller.table.state import Table
from controller.table.turned import public_cards

ALWAYS_FACE_UP = frozenset({"casino-war"})  # every card is dealt face up (004, 7.1): no round leaves a secret
BOARD = "board"  # the reader of the community cards, which lie face up
NAMES_CARDS = frozenset({"reconstruct"})  # keys whose arguments are place=card


def public(fact: AnyFact, table: Table) -> AnyFact:
    """The fact with every card withheld that the rules have not turned up.

    It goes by the card's name, so a second king of hearts is withheld with the one that lies face down: too little is
    told sometimes, too much never.
    """
    match fact:
        case CardOut(card, face_up):
            return fact if face_up else replace(fact, card=_told(card, table))
        case CardsOut(cards):
            return replace(fact, cards=tuple(_told(card, table) for card in cards))
        case CardRead(reader, _, face_up, together) if reader != BOARD and not face_up:
            return replace(fact, card=UNREAD, together=(UNREAD,) * len(together))
        case Key("discard", args):
            return replace(fact, args=tuple(UNREAD if is_card(arg) else arg for arg in args))
        case Key(key, args) if key in NAMES_CARDS and table.game not in ALWAYS_FACE_UP:
            return replace(fact, args=tuple(f"{arg.partition('=')[0]}={UNREAD}" for arg in args))
        case Key("taken" | "burn", args) if table.game not in ALWAYS_FACE_UP:
            return replace(fact, args=tuple(UNREAD if is_card(arg) else arg for arg in args))
        case Amend(to=inner) if inner is not None:
            return replace(fact, to=public(inner, table))
    return fact


def hands(table: Table) -> dict[str, list[str]]:
    """Returns the cards on the felt as anybody sees them: of the round that is running, or of the last one."""
    return public_hands(table)


def _told(card: str, table: Table) -> str:
    felt = _felt(table)
    if card in _face_down(table, felt):
        return UNREAD
    if table.game in ALWAYS_FACE_UP and table.options.get("burn") != "on":
        return card
    # It may be of a round that is long over, and have been burned or folded there.
    seen = felt is not None and any(card in hand for hand in public_cards(felt).values())
    return card if seen else UNREAD


def _felt(table: Table) -> Felt | None:
    return None if table.round is None else lay_out(table, table.round, find(table.game))


def _face_down(table: Table, felt: Felt | None) -> set[str]:
    """Cards that left the shoe and lie there unseen: in hands, burned, or kept for the next deal."""
    burns, down = list(table.deck.burns), set(table.held)
    if felt is not None:
        burns += felt.burns
        down |= {card for cards in felt.strays.values() for card in cards}
        down |= {drawn.card for drawn in felt.held}
        for place, hand in public_cards(felt).items():
            down |= {card for card, seen in zip(felt.hands[place], hand, strict=True) if seen == UNREAD}
    return down | {burn.card for burn in burns if not burn.shown}
