"""Pots of Crown Poker (document 000): what nobody called, main and side pots, commission (7), odd chips (8.5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from controller.poker.state import Pot

MILLION = 1_000_000


def uncalled(
    paid: Mapping[str, int], out: Collection[str] = (), posted: Mapping[str, int] | None = None
) -> tuple[str, int] | None:
    """Returns the part of the largest wager that nobody matched: it goes back and is no part of the pot (7.5).

    `paid` is what each seat put in (in one round or in the whole hand), `posted` the blinds in it: they are the pot
    even when nobody calls them, and an opening raise over them that all others fold to was not called (AMB-CP-05).

    >>> uncalled({"1": 500, "2": 300}), uncalled({"1": 300, "2": 300})
    (('1', 200), None)
    >>> blinds = {"1": 50, "2": 100}
    >>> uncalled({"1": 50, "2": 100}, ["1"], blinds), uncalled({"1": 50, "2": 100, "3": 300}, ["1", "2"], blinds)
    (None, ('3', 300))
    """
    seat, largest, next_to_it = "", -1, 0
    alone = True
    for other, amount in paid.items():
        if other in out:
            next_to_it = max(next_to_it, amount)
        elif amount > largest:
            alone = not seat
            seat, next_to_it, largest = other, max(next_to_it, largest), amount
        else:
            alone = False
            next_to_it = max(next_to_it, amount)
    if not seat:
        return None
    if alone and posted is not None:
        others = {other: amount for other, amount in paid.items() if other != seat}
        if only_blinds(others, posted):
            next_to_it = posted.get(seat, 0)
    over = largest - next_to_it
    return (seat, over) if over > 0 else None


def pots(paid: Mapping[str, int], out: Collection[str] = (), dead: int = 0) -> list[Pot]:
    """Returns the pots, the main pot first.  The chips of who is out stay in; `dead` money lies in the main pot.

    `paid` names every seat in the hand, also one whose uncalled raise went back whole: if alone, it has the pot.

    >>> pots({"1": 100, "2": 300, "3": 300})
    [Pot(amount=300, eligible=('1', '2', '3')), Pot(amount=400, eligible=('2', '3'))]
    """
    live = [seat for seat in paid if seat not in out]
    if len(live) > 1:
        live = [seat for seat in live if paid[seat]] or live
    levels = sorted({paid[seat] for seat in live})
    left = sum(paid.values()) + dead
    if len(levels) < 2:
        return [Pot(left, tuple(live))] if left else []
    made: list[Pot] = []
    below, amounts = 0, paid.values()
    for level in levels[:-1]:
        amount = sum([min(p, level) - below for p in amounts if p > below])
        if not made:
            amount += dead
        made.append(Pot(amount, tuple([seat for seat in live if paid[seat] >= level])))
        left -= amount
        below = level
    made.append(Pot(left, tuple([seat for seat in live if paid[seat] > below])))
    return made


# ---- commission


def percentage(made: Sequence[Pot], millionths: int, cap: int | None, chip: int) -> list[int]:
    """Returns the commission (7.2.1) of each pot, of all sums in the hand, down to the lowest chip and to the cap.

    7.7, AMB-CP-18.  Main pot first, so that the pots together give what the whole hand does.

    >>> percentage([Pot(10_050, ("1", "2", "3")), Pot(4000, ("1", "2"))], 50_000, 600, 100)
    [500, 100]
    >>> percentage([Pot(4500, ("1", "2", "3")), Pot(3600, ("1", "2"))], 100_000, None, 100)
    [400, 400]
    """
    taken: list[int] = []
    so_far = 0
    for pot in made:
        so_far += pot.amount
        due = so_far * millionths // MILLION // chip * chip
        taken.append((due if cap is None else min(due, cap)) - sum(taken))
    return taken


def fixed(made: Sequence[Pot], amount: int) -> list[int]:
    """Returns the commission per hand (7.2.3) of each pot, from the main pot first.

    >>> fixed([Pot(200, ("1", "2", "3")), Pot(4000, ("1", "2"))], 500)
    [200, 300]
    """
    taken: list[int] = []
    for pot in made:
        take = min(amount, pot.amount)
        amount -= take
        taken.append(take)
    return taken


def only_blinds(paid: Mapping[str, int], posted: Mapping[str, int]) -> bool:
    """Tells whether blind bets are the only wagers (7.6).  `paid` without what was uncalled.

    >>> only_blinds({"1": 50, "2": 100}, {"1": 50, "2": 100}), only_blinds({"1": 100, "2": 100}, {"1": 50, "2": 100})
    (True, False)
    """
    return all(amount <= posted.get(seat, 0) for seat, amount in paid.items())


def all_tied(paid: Mapping[str, int], strengths: Mapping[str, object]) -> bool:
    """Tells whether everybody who contributed is at the showdown, with equal hands (7.8).

    `strengths` of those at the showdown; in a hi-lo game of both halves.

    >>> all_tied({"1": 50, "2": 50}, {"1": 7, "2": 7}), all_tied({"1": 50, "2": 50, "3": 10}, {"1": 7, "2": 7})
    (True, False)
    """
    contributed = {seat for seat, amount in paid.items() if amount}
    if len(strengths) < 2 or contributed != set(strengths):
        return False
    first, *others = strengths.values()
    return all(value == first for value in others)


# ---- division


def shared(amount: int, winners: Sequence[str], chip: int) -> dict[str, int]:
    """Divides into equal parts, and what is left one chip at a time, to the last cent (8.5, 8.5.1, AMB-CP-06).

    `winners` are clockwise from the left of the button, or in the order of 8.5.2.

    >>> shared(1000, ["3", "1", "2"], 100)
    {'3': 400, '1': 300, '2': 300}
    """
    part = amount // (len(winners) * chip) * chip
    left = amount - part * len(winners)
    if not left:
        return dict.fromkeys(winners, part)
    parts = {}
    for seat in winners:
        extra = min(chip, left)
        left -= extra
        parts[seat] = part + extra
    return parts
