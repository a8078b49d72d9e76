"""The order in which the dealer settles, where document 003 gives one."""

from __future__ import annotations

from tests.table.telling import Telling


def order(t: Telling) -> list[str]:
    assert t.table.round is not None
    return [f"{line.place} {line.spot}" for line in t.table.round.lines]


def test_wsop_pays_the_later_wagers_before_the_ante_and_starts_at_the_right() -> None:
    t = Telling("wsop-bonus-holdem")
    for area in (1, 2, 3):
        t.bet(area, ante=10)
    t.draw("Ah 7c 8c Ad 2d 3d")
    t.key("fold 2")
    for area in (1, 3):
        t.bet(area, flop=20)
    t.draw("Ks 9h 4c")
    for area in (1, 3):
        t.bet(area, turn=10)
    t.draw("3s")
    t.key("check 1")
    t.bet(3, river=10)
    t.draw("Td Kc 5h")
    t.key("settle")
    assert order(t) == [
        *("2 ante",),  # 7.4.2(b): collected when it was folded
        *("3 ante", "3 flop", "3 turn", "3 river"),  # 8.1.2(b)
        *("1 flop", "1 turn", "1 ante"),  # 8.1.2(a)
    ]


def ultimate(dealers: str, board: str) -> Telling:
    t = Telling("ultimate-texas-holdem-vic")
    for area in (1, 2):
        t.bet(area, ante=10, blind=10, trips=5)
    first, second = dealers.split()
    t.draw(f"Ah 7c {first} 2d 6h {second}")
    for area in (1, 2):
        t.bet(area, play=30)
    t.draw(board)
    t.key("settle")
    return t


def test_ultimate_hands_all_antes_back_first_when_the_dealer_does_not_qualify() -> None:
    t = ultimate("Kd 3h", "Qs 9s 4d 5c Jc")
    assert order(t)[:2] == ["2 ante", "1 ante"]  # 12.6.2(a)
    assert order(t)[2:] == ["2 blind", "2 play", "2 trips", "1 play", "1 blind", "1 trips"]


def test_ultimate_goes_hand_by_hand_when_the_dealer_qualifies() -> None:
    t = ultimate("Kd Kh", "As Ac 8d 5c Jc")
    assert order(t) == ["2 ante", "2 blind", "2 play", "2 trips", "1 ante", "1 play", "1 blind", "1 trips"]
