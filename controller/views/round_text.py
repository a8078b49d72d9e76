"""A round in lines that people read, made from what `rounds` tells: for `felt status` and for the demo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from controller.cards import UNREAD
from controller.counts import many
from controller.places import order, shared_place
from controller.rules import by

Json = dict[str, Any]
DECIDED: Final = {
    "go-to-war": "goes to war",
    "surrender": "surrenders",
    "fold": "folds",
    "fold ante": "folds the ante",
    "check": "checks",
    "play": "plays",
    "bet": "bets",
    "unable": "cannot place the wager",
}


def headed(view: Json | None) -> Iterator[str]:
    """Yields a round with its number and outcome above it; nothing when there is none."""
    if view is not None:
        yield f"{view['called']['round']} {view['number']}: {view['outcome']}{by(view['rule'])}"
        yield from lines(view)


def lines(view: Json) -> Iterator[str]:
    """Yields one line for each hand, with its name and what was decided; below it one line for each wager."""
    hands = {hand["place"]: hand for hand in view["hands"]}
    for place in ("dealer", "community"):
        if place in hands:
            yield _row("board" if place == "community" else place, _cards(hands.pop(place)))
    net, called = view.get("net", {}), view["called"]["place"]
    for place in _places(view, hands):
        area, decided = shared_place(place), view.get("decisions", {}).get(place, [])
        parts = [_cards(hands[area])] if area in hands else []
        parts += [", ".join(map(decision, decided))] if decided else []
        parts += [signed(net[place])] if place in net else []
        yield _row(f"{called} {place}", "  ".join(parts))
        yield from (_row("", _wager(wager)) for wager in view["wagers"] if wager["place"] == place)
    for pot in view.get("pots", []):
        won = ", ".join(f"{called} {place} wins {amount}" for place, amount in pot["won"].items())
        yield _row("pot", f"{pot['amount']}{': ' + won if won else ''}")


def decision(word: str) -> str:
    """Returns what a player decided, as people say it.

    >>> decision("go-to-war"), decision("play"), decision("third")
    ('goes to war', 'plays', 'bets on third')
    """
    return DECIDED.get(word, f"bets on {word}")


def _row(label: str, text: str) -> str:
    return f"  {label:<8} {text}".rstrip()


def _places(view: Json, hands: Json) -> list[str]:
    """Returns whoever has a wager or plays, and hands without either, clockwise."""
    names = {*view.get("net", {}), *(wager["place"] for wager in view["wagers"])}
    areas = set(map(shared_place, names))
    names |= {place for place in hands if place not in areas}
    return sorted(names, key=order)


def _cards(hand: Json) -> str:
    """Returns the cards in words, and what they are when all of them are public."""
    name = hand["name"]
    if "qualifies" in hand:
        name += "; qualifies" if hand["qualifies"] else "; does not qualify"
        name += by(hand["rule"])
    return "  ".join(part for part in (_laid(hand["cards"]), name) if part)


def _laid(cards: list[str]) -> str:
    """Returns the cards of one hand; a hand that nobody may see is no row of question marks."""
    hidden = len(cards) > 0 and set(cards) == {UNREAD}
    return f"{many(len(cards), 'card')} face down" if hidden else " ".join(cards)


def _wager(wager: Json) -> str:
    what = f"{wager['spot']} {short(wager['stake'])}"
    if wager["result"] == "open":
        return what
    pays = f", {wager['pays']}" if wager["pays"] else ""
    back = f", {short(wager['surplus'])} too much goes back" if "surplus" in wager else ""
    return f"{what} {wager['result']} {signed(wager['net'])}{pays}{back}{by(wager['rule'])}"


def signed(amount: str) -> str:
    """Returns a change of chips with its sign.

    >>> signed("40.00"), signed("-2.50"), signed("0.00")
    ('+40', '-2.50', '0')
    """
    return short(amount if amount.startswith("-") or not amount.strip("0.") else f"+{amount}")


def short(amount: str) -> str:
    """Returns an amount without cents where there are none."""
    return amount.removesuffix(".00")
