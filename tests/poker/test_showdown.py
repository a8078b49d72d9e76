"""Who wins which part of which pot in the seven games, and that whole hands lose no cent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import DECK
from controller.poker.hand.betting import legal, offers
from controller.poker.hand.showdown import GAMES, HI_LO, OMAHA, award, high, low
from controller.poker.money.pots import pots
from controller.poker.state import Pot, Structure, Won
from controller.poker.words import Act, Limit
from tests.poker.playout import Playout

BOARD = ["2h", "5h", "9h", "Th", "2c"]
LOW_BOARD = ["3h", "5c", "8d", "Ks", "Kc"]
SEATS = ["1", "2", "3"]


def won(game: str, amount: int, hands: dict[str, str], board: list[str], chip: int = 1) -> dict[str, int]:
    """Of one pot for all of them."""
    held = {seat: cards.split() for seat, cards in hands.items()}
    (result,) = award(game, [Pot(amount, tuple(held))], [0], held, board, SEATS, chip)
    return result.won


@pytest.mark.parametrize(
    ("game", "hole", "board", "name"),
    [
        ("holdem", "Ah Kc", BOARD, "ace-high flush"),  # one heart of the hole is enough
        ("holdem", "3c 4d", ["Ah", "Kh", "Qh", "Jh", "Th"], "royal flush"),  # 8.20.4(a): none of them
        ("pineapple", "Ah Kc", BOARD, "ace-high flush"),
        ("crazy-pineapple", "Ah Kc", BOARD, "ace-high flush"),
        ("crazy-pineapple-hi-lo", "Ah Kc", BOARD, "ace-high flush"),
        ("holdem-hi-lo", "Ah Kc", BOARD, "ace-high flush"),
        ("omaha", "Ah Kc Qd Js", BOARD, "pair of twos, ace kicker"),  # 8.20.4(c): exactly two
        ("omaha-hi-lo", "Ah Kc Qd Js", BOARD, "pair of twos, ace kicker"),
    ],
)
def test_the_high_hand(game: str, hole: str, board: list[str], name: str) -> None:
    assert high(game, hole.split(), board).name == name


@pytest.mark.parametrize(
    ("game", "hole", "name"),
    [
        ("holdem-hi-lo", "Ah 2c", "8-5-3-2-A"),
        ("crazy-pineapple-hi-lo", "Ah 2c", "8-5-3-2-A"),
        ("holdem-hi-lo", "Ah Kd", None),
        ("omaha-hi-lo", "Ah 2c Qd Js", "8-5-3-2-A"),
        ("omaha-hi-lo", "Ah Kd Qd Js", None),
        ("holdem", "Ah 2c", None),
        ("omaha", "Ah 2c Qd Js", None),
    ],
)
def test_the_low_hand(game: str, hole: str, name: str | None) -> None:
    value = low(game, hole.split(), LOW_BOARD)
    assert (value and value.name) == name


def test_a_pot_for_each_winner() -> None:
    """6.16.1, 1.1 "All-in": the best hand is all-in and wins the main pot only."""
    hands = {"1": ["Ah", "3h"], "2": ["Kc", "Kd"], "3": ["3c", "4d"]}
    made = pots({"1": 20, "2": 50, "3": 50})
    assert award("holdem", made, [3, 2], hands, BOARD, SEATS, 1) == [
        Won(60, ("1", "2", "3"), {"1": 57}, 3),
        Won(60, ("2", "3"), {"2": 58}, 2),
    ]


def test_the_last_one_needs_no_cards() -> None:
    assert award("holdem", [Pot(15, ("2",))], [0], {}, [], SEATS, 1)[0].won == {"2": 15}
    assert award("holdem", [Pot(15, ("2",))], [1], {"2": ["Ah", "3h"]}, [], SEATS, 1)[0].won == {"2": 14}


def test_a_mucked_hand_wins_nothing() -> None:
    """9.5: who is not among the hands has no claim, and nobody needs to beat him."""
    assert award("holdem", [Pot(90, ("1", "2"))], [0], {"2": ["3c", "4d"]}, BOARD, SEATS, 1)[0].won == {"2": 90}


def test_odd_chips_go_clockwise_from_the_left_of_the_button() -> None:
    """8.5.1, AMB-CP-06."""
    tied = {"1": ["3c", "4d"], "2": ["3d", "4s"], "3": ["3s", "4c"]}
    made = [Pot(1100, ("1", "2", "3"))]
    assert award("holdem", made, [0], tied, BOARD, ["3", "1", "2"], 100)[0].won == {"3": 400, "1": 400, "2": 300}


def test_odd_chips_without_a_button() -> None:
    """8.5.2, 3.3: the highest card, by suit."""
    tied = {"1": ["3c", "4d"], "2": ["3d", "4s"], "3": ["3s", "4c"]}
    made = [Pot(1000, ("1", "2", "3"))]
    assert award("holdem", made, [0], tied, BOARD, None, 100)[0].won == {"2": 400, "1": 300, "3": 300}


HI_LO_CASES = [
    # 1: both halves
    ("omaha-hi-lo", 100, {"1": "Ah 2c Kd Kh", "2": "Qc Qd Jc Jd"}, {"1": 100}),
    # high and low apart; the odd cent goes with the high hand (8.20.4(d)(v))
    ("omaha-hi-lo", 101, {"1": "Ah 2c 4d 4h", "2": "Kd Kh Qd Jc"}, {"2": 51, "1": 50}),
    # a quarter each for two equal lows
    ("omaha-hi-lo", 100, {"1": "Ah 2c 4d 4h", "2": "Kd Kh Qd Jc", "3": "Ad 2d 9c 9d"}, {"2": 50, "1": 25, "3": 25}),
    # no low: the high hand takes all (8.20.4(d)(iv))
    ("omaha-hi-lo", 101, {"1": "Ah Jd Qc Th", "2": "Kd Kh Qd Jc"}, {"2": 101}),
    ("holdem-hi-lo", 101, {"1": "Ah 2c", "2": "Kd Qd"}, {"2": 51, "1": 50}),
    ("crazy-pineapple-hi-lo", 101, {"1": "Ah 2c", "2": "Kd Qd"}, {"2": 51, "1": 50}),
    ("holdem", 101, {"1": "Ah 2c", "2": "Kd Qd"}, {"2": 101}),
]


@pytest.mark.parametrize(("game", "amount", "hands", "expected"), HI_LO_CASES)
def test_high_and_low(game: str, amount: int, hands: dict[str, str], expected: dict[str, int]) -> None:
    assert won(game, amount, hands, LOW_BOARD) == expected


def test_what_is_no_chip_goes_with_the_high_hand() -> None:
    assert won("holdem-hi-lo", 1150, {"1": "Ah 2c", "2": "Kd Qd"}, LOW_BOARD, chip=100) == {"2": 650, "1": 500}


def test_a_quarter_with_odd_chips() -> None:
    """8.20.4(b)(v), then 8.5.1 inside the half."""
    hands = {"1": "Ah 2c", "2": "Kd Qd", "3": "As 2s"}
    assert won("holdem-hi-lo", 1100, hands, LOW_BOARD, chip=100) == {"2": 600, "1": 300, "3": 200}


# ---- whole hands


def structures(kind: Limit) -> list[Structure]:
    return [Structure(kind, 10, 25)] * 2 + [Structure(kind, 20, 50)] * 2


@given(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from(["no-limit", "pot", "half-pot", "fixed", "spread"]),
    st.lists(st.one_of(st.integers(1, 60), st.integers(1, 3000)), min_size=2, max_size=9),
    st.permutations(DECK),
    st.sampled_from([1, 5, 25]),
    st.data(),
)
def test_any_hand(game: str, kind: Limit, chips: list[int], deck: list[str], chip: int, data: st.DataObject) -> None:
    """Chips are conserved at every step, the pots are what was paid, and a replay is identical."""
    stacks = {str(n): amount for n, amount in enumerate(chips, 1)}
    play = Playout(game, structures(kind), stacks, (5, 10))
    acts: list[tuple[Act, int]] = []

    def in_play(p: Playout) -> int:
        return sum(p.stacks.values()) + sum(p.paid.values()) + (sum(p.betting.bets.values()) if p.turn else 0)

    while (seat := play.turn) is not None:
        assert in_play(play) == sum(chips)
        may = legal(play.betting, seat)
        word, to = data.draw(st.sampled_from(offers(play.betting, seat))), 0
        if word in ("bet", "raise"):
            assert may.raise_to is not None
            to = data.draw(st.integers(*may.raise_to))
        elif word == "all-in":
            to = play.stacks[seat] + play.betting.bets.get(seat, 0)
            word = "raise" if to > play.betting.level else "call"
        acts.append((word, to))
        play.act(word, to)
    assert in_play(play) == sum(chips)
    size = 4 if game in OMAHA else 2
    hands = {seat: deck[n * size : (n + 1) * size] for n, seat in enumerate(stacks)}
    board = deck[-5:]
    awarded = play.finish(hands, board, chip)
    assert sum(play.stacks.values()) == sum(chips)
    assert sum(pot.amount for pot in awarded) == sum(play.paid.values())
    for pot in awarded:
        assert sum(pot.won.values()) == pot.amount - pot.rake
        assert set(pot.won) <= set(pot.eligible)
        check_halves(game, pot, hands, board)
    again = Playout(game, structures(kind), stacks, (5, 10))
    for word, to in acts:
        again.act(word, to)
    assert again.finish(hands, board, chip) == awarded
    assert again.stacks == play.stacks


def check_halves(game: str, pot: Won, hands: dict[str, list[str]], board: list[str]) -> None:
    """Nobody wins with a hand that another one beats both ways."""
    best_high = max(high(game, hands[seat], board) for seat in pot.eligible)
    lows = {seat: value for seat in pot.eligible if (value := low(game, hands[seat], board)) is not None}
    for seat in pot.won:
        wins_low = game in HI_LO and seat in lows and lows[seat] == max(lows.values())
        assert high(game, hands[seat], board) == best_high or wins_low


@pytest.mark.parametrize(
    ("word", "to", "rule"), [("check", 0, "1.1"), ("raise", 15, "6.6"), ("raise", 5000, "6.6"), ("bet", 5, "6.17")]
)
def test_a_playout_refuses_by_rule(word: Act, to: int, rule: str) -> None:
    play = Playout("holdem", structures("no-limit"), {"1": 100, "2": 100, "3": 100}, (5, 10))
    with pytest.raises(ValueError, match=rule):
        play.act(word, to)


def test_a_playout_that_is_over_takes_no_act() -> None:
    play = Playout("holdem", structures("no-limit"), {"1": 100, "2": 100}, (5, 10))
    assert play.turn == "1"  # AMB-CP-07: the button posted the last blind
    play.act("fold")
    with pytest.raises(ValueError, match="no act is due"):
        play.act("fold")
    assert play.finish({"1": [], "2": []}, [])[0].won == {"2": 15}
