"""Rounds added up: each sum by hand, and whatever they are divided by, the parts are the whole."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import UTC, time
from fractions import Fraction
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.games import defaults, find
from controller.jackpot.expected import prizes
from controller.jackpot.rules import Terms
from controller.money import cents, dollars
from controller.odds import theory as theories
from controller.table.facts import AnyFact, DeviceFault, DeviceLost, DeviceReady, ProtectionRaised
from controller.table.options import read
from controller.table.state import Table
from controller.views import entries as ledger
from controller.views import numbers_text
from controller.views.asides import Aside, AsideKind, aside
from controller.views.entries import LedgerEntry, entries
from controller.views.gaming_day import Calendar
from controller.views.moments import iso
from controller.views.numbers import NOBODY, numbers
from controller.views.numbers_form import BYS, By, Numbers, Part
from controller.views.record import (
    Correction,
    Meter,
    Moment,
    Paid,
    Pot,
    RoundRecord,
    Ruling,
    Shared,
    Trouble,
)
from controller.views.round_notes import Happened

NOON = 1_700_000_000_000_000  # microseconds
MINUTE = 60_000_000
DAYS = Calendar(UTC)
SHIFTS = Calendar(ZoneInfo("Australia/Sydney"), time(6), (time(6), time(14), time(22)))


def a_round(number: int, minute: float, *paid: Paid, game: str = "casino-war", **more: object) -> RoundRecord:
    at = Moment(number * 10, iso(int(NOON + minute * MINUTE)))
    told: dict[str, object] = {"title": game, "outcome": "settled", "lasted": 30_000, "options": defaults(game)}
    told["ended"] = at
    return RoundRecord(number=number, game=game, opened=at, settlement=paid, **told | more)  # type: ignore[arg-type]


def of(*rounds: RoundRecord, by: By = "game", calendar: Calendar = DAYS) -> Numbers:
    return numbers(rounds, by, calendar)


def test_handle_win_theory_and_hold() -> None:
    total = of(
        a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00"), Paid("2", "tie", "5.00", "win", "50.00")),
        a_round(2, 1, Paid("1", "war", "20.00", "win", "20.00"), Paid("2", "war", "10.00", "void", "0.00")),
    ).total
    assert (total.rounds, total.wagers, total.staked, total.handle) == (2, 4, "45.00", "35.00")
    assert (total.win, total.hold) == ("-60.00", -171.43)
    expected = 30 * Fraction(23138, 993023) + 5 * Fraction(58, 311)
    assert Fraction(total.exact) == expected
    assert (total.theoretical, total.known_handle, total.known_win) == ("1.63", "35.00", "-60.00")
    assert total.unknown == ()


def test_what_follows_from_a_wager_is_in_its_edge() -> None:
    """Play is taken in by the Ante; the Ante Bonus has no chips of its own; Jackpots need their meter."""
    numbers_ = of(
        a_round(
            1,
            0,
            Paid("1", "ante", "10.00", "win", "10.00"),
            Paid("1", "play", "10.00", "stand-off", "0.00"),
            Paid("1", "ante-bonus", "10.00", "win", "50.00"),
            game="three-card-poker",
        ),
        a_round(
            2,
            1,
            Paid("1", "ante", "10.00", "lose", "-10.00"),
            Paid("1", "bet", "20.00", "lose", "-20.00"),
            Paid("1", "jackpot", "5.00", "win", "995.00", prize="1000.00"),
            game="caribbean-stud",
        ),
        by="wager",
    )
    parts = {part.name: part for part in numbers_.parts}
    assert list(parts) == ["ante (caribbean-stud)", "ante (three-card-poker)", "jackpot (caribbean-stud)"]
    three = parts["ante (three-card-poker)"]
    assert (three.wagers, three.handle, three.win) == (3, "20.00", "-60.00")
    assert Fraction(three.exact) == 10 * Fraction(686689, 20358520)
    jackpot = parts["jackpot (caribbean-stud)"]
    assert (jackpot.handle, jackpot.win, jackpot.prizes, jackpot.prizes_won) == ("5.00", "5.00", "1000.00", 1)
    assert (jackpot.known_handle, jackpot.exact) == ("0.00", "0/1")
    (unknown,) = numbers_.total.unknown
    assert (unknown.wager, unknown.handle, unknown.why) == ("jackpot", "5.00", theories.NO_METER)
    assert numbers_.total.known_handle == "50.00"


JACKPOT = {**defaults("caribbean-stud"), "jackpot": "nsw", "jackpot-reset": "20000", "jackpot-cost": "5"}
NSW = Terms("nsw", 1, 20_000, 500)


def jackpots(*paid: Paid, meter: str = "150000.0000", game: str = "caribbean-stud") -> RoundRecord:
    options = {**defaults(game), **{name: JACKPOT[name] for name in ("jackpot", "jackpot-reset", "jackpot-cost")}}
    return a_round(1, 0, *paid, game=game, options=options, meter=Meter("0.0000", meter, meter))


def test_a_jackpot_wager_is_worth_what_the_meter_leaves_of_it() -> None:
    """By hand: 4 of 2,598,960 hands win the meter and 36 a tenth of it; the fixed prizes are 300, 80 and 50 for 1."""
    lost = Paid("1", "jackpot", "5.00", "lose", "-5.00")
    made = of(jackpots(lost))
    fixed = 624 * 300 + 3744 * 80 + 5108 * 50
    expected = 5 - Fraction(5 * fixed + 4 * 150_000 + 36 * 15_000, 2_598_960)
    assert (Fraction(made.total.exact), made.total.known_handle, made.total.known_win) == (expected, "5.00", "5.00")
    assert made.total.unknown == ()
    fuller = Fraction(of(jackpots(lost, meter="300000.0000")).total.exact)
    assert fuller == expected - Fraction(4 * 150_000 + 36 * 15_000, 2_598_960)
    (stated,) = (edge for edge in made.edges if edge.wager == "jackpot")
    at_seed = 5 - Fraction(5 * fixed + 4 * 100_000 + 36 * 10_000, 2_598_960)
    assert (Fraction(stated.exact), stated.options["jackpot-reset"]) == (at_seed / 5, "20000")


@pytest.mark.parametrize(("game", "shared"), [("caribbean-stud", False), ("mississippi-stud", True)])
def test_jackpot_wagers_of_one_round_share_the_meter(game: str, shared: bool) -> None:
    lines = (
        Paid("1", "jackpot", "5.00", "lose", "-5.00"),
        Paid("2", "jackpot", "5.00", "win", "245.00", prize="250.00"),
        Paid("3", "jackpot", "5.00", "carried", "0.00"),
    )
    total = of(jackpots(*lines, game=game)).total
    assert Fraction(total.exact) == 10 - prizes(NSW, 150_000_0000, 2, shared) / 100
    assert (total.win, total.known_win, total.prizes) == ("10.00", "-240.00", "250.00")


def test_a_jackpot_that_is_not_ours_has_no_edge() -> None:
    assert theories.jackpot_edge(find("casino-war"), find("casino-war").options()) is None
    other = type(find("caribbean-stud"))()
    options = read(other.options, JACKPOT)
    assert not isinstance(options, list)
    assert theories.jackpot_theory(other, options, 0, 1) == theories.NOT_COMPUTED
    assert theories.jackpot_edge(other, options) is None


def test_the_edges_are_stated() -> None:
    """What an edge assumes stands beside it."""
    stated = of(a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00"))).edges
    assert [(edge.wager, edge.options, edge.exact, edge.percent) for edge in stated] == [
        ("tie", {"decks": "6"}, "58/311", "18.6495"),
        ("war", {"decks": "6"}, "23138/993023", "2.3301"),
    ]
    assert stated[1].covers == "with the better of surrender and Go to War"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00", token="kept")), ledger.TOKEN),
        (a_round(1, 0, Paid("1", "war", "0.50", "lose", "-0.50")), theories.NOT_EXACT),
        (a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00"), options={"no": "such"}), ledger.NO_GAME),
        (a_round(1, 0, Paid("1", "red", "10.00", "lose", "-10.00"), game="holdem"), theories.NOT_COMPUTED),
    ],
)
def test_why_there_is_no_theory(record: RoundRecord, why: str) -> None:
    total = of(record).total
    assert (total.exact, total.known_handle) == ("0/1", "0.00")
    assert [each.why for each in total.unknown] == [why]


def test_a_game_that_is_not_installed() -> None:
    gone = msgspec.structs.replace(a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00")), game="gone")
    made = of(gone)
    assert (made.total.win, made.edges) == ("10.00", ())
    assert [each.why for each in made.total.unknown] == [ledger.NO_GAME]


def test_nothing_is_expected_of_what_is_given_back() -> None:
    total = of(a_round(1, 0, Paid("1", "war", "10.00", "void", "0.00"), outcome="void")).total
    assert (total.rounds, total.settled, total.staked, total.handle, total.exact) == (1, 0, "10.00", "0.00", "0/1")
    assert total.hold is None
    assert total.unknown == ()


def test_pots_are_the_players() -> None:
    shared = Shared((Pot("100.00", ("1", "2"), {"1": "95.00"}),), "5.00", {}, {"1": "45.00", "2": "-50.00"})
    total = of(a_round(1, 0, game="holdem", shared=shared), by="wager").total
    assert (total.handle, total.win, total.commission, total.exact) == ("100.00", "5.00", "5.00", "0/1")
    assert [each.why for each in total.unknown] == [ledger.AMONG_PLAYERS]
    nothing = of(a_round(1, 0, game="holdem", shared=Shared(), outcome="void"), by="game")
    assert (nothing.total.wagers, nothing.parts[0].rounds) == (0, 1)
    void = of(a_round(1, 0, game="holdem", shared=shared, outcome="void")).total
    assert (void.staked, void.handle) == ("100.00", "0.00")


def test_by_dealer_and_by_round() -> None:
    rounds = [a_round(1, 0, dealer="Ann"), a_round(2, 1, dealer="Bob"), a_round(3, 2), a_round(4, 3, dealer="Ann")]
    assert [(part.name, part.rounds) for part in of(*rounds, by="dealer").parts] == [
        ("Ann", 2),
        ("Bob", 1),
        (NOBODY, 1),
    ]
    assert [part.name for part in of(*rounds, by="round").parts] == ["1 (10)", "2 (20)", "3 (30)", "4 (40)"]


def test_what_was_not_plain_and_pace() -> None:
    at = Moment(4, iso(NOON))
    odd = a_round(
        2,
        1,
        irregular=("fault", "ruling"),
        rulings=(Ruling(at, "exposed", "a card was seen"),),
        corrections=(Correction(at, 3, "a", "b"),),
        troubles=(Trouble("fault", "shoe.jam", "jam", at, "shoe"), Trouble("hold", "gap", "held", at)),
    )
    total = of(a_round(1, 0), odd, a_round(3, 2)).total
    assert (total.irregular, total.rulings, total.corrections, total.faults) == (1, 1, 1, 1)
    assert total.pace == 72.0
    assert of(a_round(1, 0)).total.pace is None


def test_a_round_that_runs_is_not_counted() -> None:
    running = RoundRecord(number=9, game="casino-war", title="Casino War", opened=Moment(1, iso(NOON)))
    assert of(running).total.rounds == 0


def test_a_round_of_a_tournament_is_no_cash() -> None:
    lost = Paid("1", "war", "10.00", "lose", "-10.00")
    made = of(a_round(1, 0, lost), a_round(2, 1, lost, tournament="Cup"))
    assert (made.total.rounds, made.total.win) == (1, "10.00")


def beside(kind: AsideKind, minute: int, game: str = "casino-war", dealer: str = "") -> Aside:
    return Aside(Moment(minute, iso(NOON + minute * MINUTE)), kind, "about it", game, dealer)


def test_alerts_and_faults_are_counted_also_between_rounds() -> None:
    rounds = [a_round(1, 0, dealer="Ann")]
    told = [beside("alert", 5, dealer="Ann"), beside("fault", 9), beside("fault", 24 * 60)]
    total = numbers(rounds, "game", DAYS, told).total
    assert (total.alerts, total.device_faults) == (1, 2)
    parts = {
        part.name: (part.rounds, part.alerts, part.device_faults)
        for part in numbers(rounds, "dealer", DAYS, told).parts
    }
    assert parts == {"Ann": (1, 1, 0), NOBODY: (0, 0, 2)}
    assert [(part.alerts, part.device_faults) for part in numbers(rounds, "day", DAYS, told).parts] == [(1, 1), (0, 1)]
    assert [part.device_faults for part in numbers(rounds, "round", DAYS, told).parts] == [0]
    assert "  2 faults of devices, 1 alerts of game protection" in numbers_text.lines(
        numbers(rounds, "day", DAYS, told)
    )


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (ProtectionRaised("twice", "Kh", "a card came twice"), ("alert", "twice")),
        (DeviceFault("shoe", "shoe.jam"), ("fault", "shoe shoe.jam")),
        (DeviceLost("shoe", "link.silent"), ("fault", "shoe link.silent")),
        (DeviceReady("shoe"), None),
    ],
)
def test_what_is_told_beside_the_rounds(fact: AnyFact, said: tuple[str, str] | None) -> None:
    table = Table(game="casino-war", name="Ann")
    each = aside(Happened(3, NOON, "", fact, table, table, []))
    assert (None if each is None else (each.kind, each.about)) == said
    assert each is None or (each.game, each.dealer, each.at.seq) == ("casino-war", "Ann", 3)
    supervised = Table(game="casino-war", name="Floor", role="supervisor")
    again = aside(Happened(3, NOON, "", fact, table, supervised, []))
    assert again is None or again.dealer == ""


# ---- whatever they are divided by

SPOTS = {
    "casino-war": ("war", "tie", "go-to-war"),
    "three-card-poker": ("ante", "play", "ante-bonus", "pair-plus"),
    "caribbean-stud": ("ante", "bet", "jackpot"),
    "holdem": ("red", "black"),
}
amounts = st.integers(0, 20_000).map(dollars)


@st.composite
def settled(draw: st.DrawFn, game: str) -> Paid:
    result = draw(st.sampled_from(("win", "lose", "stand-off", "void", "returned", "surrender", "carried", "open")))
    net = draw(st.integers(-20_000, 20_000).map(dollars))
    prize = draw(st.sampled_from(("", "", "250.00")))
    token = draw(st.sampled_from(("", "", "", "kept")))
    place, spot = draw(st.sampled_from("123")), draw(st.sampled_from(SPOTS[game]))
    return Paid(place, spot, draw(amounts), result, net, token=token, prize=prize)


@st.composite
def any_round(draw: st.DrawFn, number: int) -> RoundRecord:
    game = draw(st.sampled_from(sorted(SPOTS)))
    paid = {(each.place, each.spot): each for each in draw(st.lists(settled(game), max_size=5))}
    shared = None
    if game == "holdem":
        pots = draw(st.lists(amounts, max_size=2))
        shared = Shared(tuple(Pot(amount, ("1",), {}) for amount in pots), draw(amounts))
    return a_round(
        number,
        draw(st.integers(0, 7 * 24 * 60)),
        *paid.values(),
        game=game,
        shared=shared,
        dealer=draw(st.sampled_from(("", "Ann", "Bob"))),
        outcome=draw(st.sampled_from(("settled", "misdeal", "void"))),
    )


many_rounds = st.integers(0, 8).flatmap(lambda count: st.tuples(*(any_round(number) for number in range(1, count + 1))))
MONEY = ("staked", "handle", "win", "known_handle", "known_win", "commission", "prizes")
COUNTS = ("rounds", "settled", "irregular", "rulings", "corrections", "faults")


many_asides = st.lists(
    st.builds(
        beside,
        st.sampled_from(("alert", "fault")),
        st.integers(0, 7 * 24 * 60),
        st.sampled_from(sorted(SPOTS)),
        st.sampled_from(("", "Ann", "Bob")),
    ),
    max_size=6,
)


@given(many_rounds, many_asides)
def test_parts_add_up_to_the_whole(rounds: tuple[RoundRecord, ...], asides: list[Aside]) -> None:
    for by in BYS:
        made = numbers(rounds, by, SHIFTS, asides)
        if by in ("shift", "day", "dealer", "game"):
            assert sum(part.alerts for part in made.parts) == made.total.alerts
            assert sum(part.device_faults for part in made.parts) == made.total.device_faults
        assert made.total.alerts + made.total.device_faults == len(asides)
        for name in MONEY:
            assert sum(cents(getattr(part, name)) for part in made.parts) == cents(getattr(made.total, name)), (
                by,
                name,
            )
        assert sum((Fraction(part.exact) for part in made.parts), Fraction(0)) == Fraction(made.total.exact), by
        assert sum(part.wagers for part in made.parts) == made.total.wagers
        if by not in ("wager", "spot"):  # a round is in each of its wagers
            for name in COUNTS:
                assert sum(getattr(part, name) for part in made.parts) == getattr(made.total, name), (by, name)
        assert _unknown(made.parts) == _unknown((made.total,))


def _unknown(parts: tuple[Part, ...]) -> Counter[tuple[str, str, str]]:
    handle: Counter[tuple[str, str, str]] = Counter()
    for part in parts:
        for each in part.unknown:
            handle[each.game, each.wager, each.why] += cents(each.handle)
    return handle


@given(many_rounds)
def test_all_of_them_say_the_same_of_the_whole(rounds: tuple[RoundRecord, ...]) -> None:
    totals = {msgspec.json.encode(of(*rounds, by=by, calendar=SHIFTS).total) for by in BYS}
    assert len(totals) == 1


@given(many_rounds)
def test_the_handle_is_known_or_named(rounds: tuple[RoundRecord, ...]) -> None:
    total = of(*rounds).total
    assert cents(total.handle) == cents(total.known_handle) + sum(cents(each.handle) for each in total.unknown)


@given(many_rounds)
def test_a_spreadsheet_reads_back(rounds: tuple[RoundRecord, ...]) -> None:
    made = of(*rounds, by="dealer")
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(numbers_text.rows(made))
    read = list(csv.DictReader(text.getvalue().splitlines()))
    assert [row["name"] for row in read] == [*(part.name for part in made.parts), "all"]
    for row, part in zip(read, (*made.parts, made.total), strict=True):
        assert (row["by"], row["win"], row["handle"], row["exact"]) == ("dealer", part.win, part.handle, part.exact)
        assert row["hold"] == ("" if part.hold is None else str(part.hold))


@given(many_rounds)
def test_json_reads_back(rounds: tuple[RoundRecord, ...]) -> None:
    made = of(*rounds, by="wager")
    assert msgspec.json.decode(msgspec.json.encode(made), type=Numbers) == made


@given(many_rounds)
def test_lines_fit_a_terminal(rounds: tuple[RoundRecord, ...]) -> None:
    assert all(len(line) <= 80 for by in BYS for line in numbers_text.lines(of(*rounds, by=by)))


def test_the_hold_of_a_round_that_the_player_won_is_told_in_plain_digits() -> None:
    made = of(
        a_round(1, 0, Paid("1", "war", "10.00", "win", "10.00")),
        a_round(2, 1, Paid("1", "tie", "5.00", "win", "50.00")),
        by="round",
    )
    holds = [line.split()[-2:] for line in list(numbers_text.lines(made))[1:3]]
    assert holds == [["-100", "%"], ["-1000", "%"]]


def test_for_people() -> None:
    made = of(
        a_round(1, 0, Paid("1", "war", "10.00", "lose", "-10.00")),
        a_round(2, 1, Paid("1", "jackpot", "5.00", "win", "245.00", prize="250.00"), game="caribbean-stud"),
        a_round(3, 2, irregular=("misdeal",), outcome="misdeal"),
    )
    lines = list(numbers_text.lines(made))
    assert lines[0].split() == ["game", "rounds", "an", "hour", "handle", "win", "theory", "hold"]
    assert lines[2].split() == ["casino-war", "2", "48", "10", "+10", "+0.23", "100.00", "%"]
    assert "  of wagers whose edge is known: +10 won of 10; theory says +0.23" in lines
    assert "  prizes of Jackpots, not in win, but taken off where theory is compared: 1," in lines
    assert "  1 not settled, 1 irregular rounds" in lines
    plain = list(numbers_text.lines(of()))
    assert len(plain) == 2


def test_entries_name_places_and_results() -> None:
    (entry,) = entries(a_round(1, 0, Paid("2.1", "war", "10.00", "lose", "-10.00")))
    assert isinstance(entry, LedgerEntry)
    assert (entry.place, entry.spot, entry.wager, entry.result, entry.of_pots) == ("2", "war", "war", "lose", False)
