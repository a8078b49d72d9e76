"""Which cards of a house game anybody may know: those dealt face up, and those that the rules turned or compared.

A card that was turned stays public for good, so the round keeps what was turned when it was turned (`Round.shown`).  It
cannot be read off a round that is over: its script runs through to the end, past turns that never happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from controller.house.layout import Layout
from controller.house.state import FOLDED, HouseRound
from controller.places import DEALER, JACKPOT, area_of, place_of
from controller.rules import BY_THE_CARDS
from controller.table.requests import Decision
from controller.table.state import Line
from controller.table.telling import COMMUNITY


def note_turned(felt: Layout) -> None:
    """Keeps what the rules have turned by now, in a round that goes on."""
    shown = felt.own.shown
    for place in sorted(felt.dealt_down):
        if place not in felt.down:
            shown[place] = ()
        elif place in felt.up and shown.get(place) != ():
            shown[place] = tuple(sorted({*shown.get(place, ()), *felt.up[place]}))


def note_compared(own: HouseRound, seen_folded: Mapping[Decision, Sequence[str]], lines: Iterable[Line]) -> None:
    """Keeps whose hands are compared when the dealer settles these lines, and that the dealer's lies open.

    `seen_folded`: a way to fold, and the spots for which such a hand is looked at all the same.
    """
    for line in lines:
        decided = line.result in BY_THE_CARDS and line.spot != JACKPOT
        if decided:  # 001 7.5.4; 002 8.5.5(d), 10.5.9; 003 7.4.9, 12.5.7: also when everybody has folded
            own.shown[DEALER] = ()
        if _looked_at(own, seen_folded, line):
            own.shown[place_of(area_of(line.place))] = ()
            if decided:
                own.shown[COMMUNITY] = ()


def _looked_at(own: HouseRound, seen_folded: Mapping[Decision, Sequence[str]], line: Line) -> bool:
    """Tells whether a hand is seen at settlement: a folded one goes to the rack unseen, unless it wins by itself."""
    if line.spot == JACKPOT:
        return line.result == "win"
    if line.result not in BY_THE_CARDS:
        return False
    decided = [decision for (_, place), decision in own.choices.items() if place == line.place]
    folded = [decision for decision in decided if decision in FOLDED]
    return not folded or any(line.spot in seen_folded.get(decision, ()) for decision in folded)


def hidden(felt: Layout) -> frozenset[tuple[str, int]]:
    """Returns place and number of each card that was dealt face down and that the rules have not turned."""
    out: set[tuple[str, int]] = set()
    for place in felt.dealt_down:
        numbers = range(1, len(felt.hands.get(place, ())) + 1)
        turned = felt.own.shown.get(place)
        if turned is None:
            out |= {(place, n) for n in numbers}
        elif turned:  # (): all of them
            out |= {(place, n) for n in numbers if n not in turned}
    return frozenset(out)


def open_by(felt: Layout) -> dict[tuple[str, int], str]:
    """Returns the rule by which each card that anybody may know lies open: dealt so, turned, or compared."""
    down, out = hidden(felt), dict[tuple[str, int], str]()
    for place, cards in felt.hands.items():
        for n in range(1, len(cards) + 1):
            if (place, n) not in down:
                out[(place, n)] = _rule(felt, place, n)
    return out


def _rule(felt: Layout, place: str, n: int) -> str:
    if place not in felt.dealt_down:
        came = felt.dealt_by.get(place, ())
        return came[n - 1] if n <= len(came) else ""
    turned = felt.turned_by.get(place, {})
    return turned.get(n) or turned.get(0) or _compared(felt, place)


def _compared(felt: Layout, place: str) -> str:
    """Returns the rule of the first line for which these cards were looked at; "" before there is one."""
    everybodys = place in (DEALER, COMMUNITY)
    for line in felt.round.lines:
        theirs = everybodys or place_of(area_of(line.place)) == place
        looked = line.result == "win" if line.spot == JACKPOT else line.result in BY_THE_CARDS
        if theirs and looked:
            return line.rule
    return ""


def left_by(felt: Layout, left: Sequence[tuple[str, bool]]) -> tuple[str, ...]:
    """Returns the rule by which each card lies open, in the order in which they left the shoe; "" for a hidden one."""
    rules, numbers, out = open_by(felt), Counter[str](), list[str]()
    for (_, lies_open), place in zip(left, (*felt.laid, *("" for _ in felt.held)), strict=False):
        numbers[place] += 1
        out.append(rules.get((place, numbers[place]), "") if lies_open else "")
    return tuple(out)


def as_they_left(felt: Layout) -> tuple[tuple[str, bool], ...]:
    """Returns the cards of the round in the order in which they left the shoe, and whether everybody sees each.

    With several decks a card that lies open and one that is burned may have one name: only their order tells which is
    which.  Nothing where cards were taken out, or given to a place that should have got none.
    """
    tape = felt.own.tape
    if felt.strays or any(drawn.out for drawn in tape):
        return ()
    down, numbers = hidden(felt), Counter[str]()
    out = []
    for place, drawn in zip(felt.laid, tape, strict=False):
        numbers[place] += 1
        at = (place, numbers[place])
        out.append((drawn.card, at not in down and felt.hands[place][at[1] - 1] == drawn.card))
    return (*out, *((drawn.card, False) for drawn in felt.held))
