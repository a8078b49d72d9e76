"""Three Card Poker (document 001): what the hands are worth, and what was decided about them."""

from __future__ import annotations

from controller.hands.hand import ThreeCardHand
from controller.hands.three import best_three
from controller.house.common import chips_found, others_at_stake, unread_places
from controller.house.layout import Layout
from controller.house.state import FOLD, FOLDED, ONLY
from controller.places import DEALER

# ---- the cards


def hand(f: Layout, place: str) -> ThreeCardHand:
    """Returns what the three cards of a place are worth."""
    return best_three(f.hands[place])


def no_hand(f: Layout) -> str:
    """Returns the rule by which the dealer has no hand (9.6.2); "" when there is one."""
    return f.own.no_hand


def incomplete(f: Layout) -> list[str]:
    """Returns the hands at stake that have not three cards: a ruling on them is due (9.4, 9.5)."""
    return [p for p in others_at_stake(f) if not folds(f, p) and len(f.hands.get(p, ())) != 3]


def unread(f: Layout) -> list[str]:
    """Returns the places with cards that could not be read and decide something."""
    places = unread_places(f)
    if not places:
        return []
    deciding = [p for p in others_at_stake(f) if in_play(f, p)]
    return [p for p in places if p in (*deciding, DEALER)]


def ready(f: Layout) -> bool:
    """Tells whether everybody has decided, and all cards lie there that decide something."""
    if unread(f) or incomplete(f):
        return False
    if any(not chips_found(f, p, "play") for p in undecided(f)):
        return False
    dealers_cards = f.hands.get(DEALER, [])
    return len(dealers_cards) == 3 or not compared(f)


def compared(f: Layout) -> list[str]:
    """Returns the hands that are compared with the dealer's: none when the dealer has no hand (9.6.2)."""
    if no_hand(f):
        return []
    return [p for p in f.places("ante") if f.live(p, "ante") and not folds(f, p)]


# ---- 7.5: decisions


def undecided(f: Layout) -> list[str]:
    """Returns who has an Ante at stake and has decided nothing; without a dealer's hand nothing is decided (9.6.2)."""
    if no_hand(f):
        return []
    return [p for p in f.places("ante") if f.live(p, "ante") and not f.choice(ONLY, p)]


def folds(f: Layout, place: str) -> bool:
    """Tells whether the Ante was folded, with Pair Plus or without it (7.5.2(a), (b))."""
    return f.choice(ONLY, place) in FOLDED


def given_up(f: Layout, place: str) -> bool:
    """Tells whether the hand was folded with all its wagers (7.5.2(a))."""
    return f.choice(ONLY, place) == FOLD


def in_play(f: Layout, place: str) -> bool:
    """Tells whether the hand decides something: it was not folded, or only the Ante was (7.5.2(b))."""
    if not folds(f, place):
        return True
    return f.live(place, "pair-plus") and not given_up(f, place)


def bonus_due(f: Layout, place: str) -> bool:
    """Tells whether a hand takes part in the Ante Bonus: a folded one only when the dealer has no hand (9.6.2(b))."""
    if not folds(f, place):
        return True
    return bool(no_hand(f)) and place not in unread_places(f)
