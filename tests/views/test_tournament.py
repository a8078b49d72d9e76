"""A tournament as people see it: the room, the desk, the money."""

from __future__ import annotations

from controller.games import find
from controller.tournament import desk
from controller.tournament.bets import BetSizes
from controller.tournament.deeds import (
    AnyDeed,
    DeskKey,
    PeopleEntered,
    Substituted,
    TableDesignated,
    TableReported,
    TimePassed,
    Withdrew,
)
from controller.tournament.draw import by_lot
from controller.tournament.record import Tournament
from controller.tournament.reports import BeganReport, EndedReport
from controller.tournament.terms import TournamentTerms, read_items
from controller.views.tournament import at_desk, report, room, unbalanced

HASH = "ab" * 32
MINUTE = 60_000


class Cup:
    """A tournament that is told deeds."""

    def __init__(self, game: str = "casino-war", **items: str) -> None:
        rules = find(game).document.tournaments
        assert rules is not None
        named = {item.replace("_", "-"): text for item, text in items.items()}
        terms = read_items(rules, named, now=0)
        assert isinstance(terms, TournamentTerms), terms
        self.game, self.now = game, 0
        self.cup: Tournament = desk.opened("CUP", game, rules, terms, 0)
        self.numbers: dict[str, int] = {}

    def do(self, deed: AnyDeed) -> None:
        self.cup, refused = desk.follow(self.cup, self.now, deed)
        assert refused is None, refused

    def key(self, words: str, seed: str = "") -> None:
        name, *args = words.split()
        self.do(DeskKey(name, tuple(args), seed=seed))

    def begun(self, *people: str, tables: int = 1, places: int = 4) -> Cup:
        for nth in range(1, tables + 1):
            self.do(TableDesignated(f"T{nth}", self.game, places))
        self.do(PeopleEntered(people))
        self.key("start")
        return self

    def round(self, table: str = "T1", **nets: int) -> None:
        number = self.numbers.get(table, 0)
        self.numbers[table] = number + 2
        self.do(TableReported(table, BeganReport(number + 1, number)))
        cents = {name: 100 * dollars for name, dollars in nets.items()}
        self.do(TableReported(table, EndedReport(number + 2, number, nets=cents)))


def test_before_the_start_people_stand_in_the_order_of_entry() -> None:
    it = Cup(when="1h")
    it.do(PeopleEntered(("Bob", "Ann")))
    shown = room(it.cup)
    assert (shown.stage, shown.session, shown.left, shown.entered, shown.tables) == ("open", 0, 2, 2, 0)
    assert [(row.name, row.place, row.table) for row in shown.ranking] == [("Bob", None, ""), ("Ann", None, "")]
    assert (shown.starts, shown.pool, shown.shares) == (60 * MINUTE, 200_00, (200_00,))
    assert (shown.limits, shown.next_limits, shown.level_ends, shown.level_rounds, shown.rounds_left) == (
        "$10 to $500",
        "",
        None,
        None,
        None,
    )
    seen = at_desk(it.cup)
    assert seen.refusals["start"] == "no table is designated (rule 10.2.4)"
    assert (seen.refusals["enter"], seen.practice, seen.asks) == ("", True, "")


def test_a_session_by_rounds() -> None:
    it = Cup(hands="5", levels="10-500/20-500", level_every="3").begun("Ann", "Bob")
    it.round(Ann=50, Bob=-50)
    shown = room(it.cup)
    assert (shown.rounds_left, shown.level_rounds, shown.next_limits) == (4, 2, "$20 to $500")
    assert [(row.place, row.name, row.bank, row.table, row.seat) for row in shown.ranking] == [
        (1, "Ann", 1050_00, "T1", "1"),
        (2, "Bob", 950_00, "T1", "2"),
    ]
    assert (shown.level_ends, shown.session_ends) == (None, None)
    it.round(Ann=50, Bob=-50)
    it.round(Ann=50, Bob=-50)
    assert (room(it.cup).level, room(it.cup).level_rounds) == (2, None)


def test_a_session_by_time() -> None:
    it = Cup("holdem", hands="30m", levels="5,10/10,20/20,40", level_every="10m").begun("Ann", "Bob")
    it.now = 12 * MINUTE
    it.do(TimePassed())
    shown = room(it.cup)
    assert (shown.level, shown.limits, shown.next_limits) == (2, "$10 / $20", "$20 / $40")
    assert (shown.level_ends, shown.session_ends, shown.rounds_left) == (20 * MINUTE, 30 * MINUTE, None)


def test_the_bets_of_fixed_and_spread_games_stand_beside_the_blinds() -> None:
    it = Cup("holdem", levels="5,10/10,20")
    it.do(TableDesignated("T1", "holdem", 4, bets=BetSizes("fixed", 10_00, 20_00, 5_00)))
    shown = room(it.cup)
    assert (shown.limits, shown.bets, shown.next_bets) == ("$5 / $10", "$10 and $20", "$20 and $40")
    it.do(TableDesignated("T2", "holdem", 4, bets=BetSizes("spread", 10_00, 50_00, 5_00)))
    it.do(TableDesignated("T3", "holdem", 4))
    assert room(it.cup).bets == "$10 and $20 at T1, $10 to $50 at T2"
    for table in ("T1", "T2"):
        it.do(TableReported(table, BeganReport(1, 1)))  # no-limit since then
    assert (room(it.cup).bets, room(it.cup).next_bets) == ("", "")


def test_no_level_comes_when_it_is_over() -> None:
    it = Cup(hands="5", levels="10-500/20-500", level_every="3").begun("Ann", "Bob")
    it.round(Ann=1000, Bob=-1000)
    assert (room(it.cup).stage, room(it.cup).next_limits, room(it.cup).level_rounds) == ("over", "", None)


def test_prizes_are_shown_when_it_is_over() -> None:
    it = Cup(hands="1", shares="60%,40%").begun("Ann", "Bob", "Cem")
    it.key("disqualify Cem")
    assert [row.prize for row in room(it.cup).ranking] == [0, 0]
    it.round(Ann=50, Bob=-50)
    shown = room(it.cup)
    assert (shown.stage, shown.rounds_left, shown.shares) == ("over", None, (180_00, 120_00))
    assert [(row.name, row.prize) for row in shown.ranking] == [("Ann", 180_00), ("Bob", 120_00)]
    it.key("award")
    assert room(it.cup).final


def test_the_last_table_has_played_its_rounds() -> None:
    it = Cup(hands="1").begun("Ann", "Bob", "Cem", "Dee", tables=2, places=2)
    it.round("T1", Ann=50)
    assert room(it.cup).rounds_left == 1
    it.cup.tables["T2"].ended = True
    assert room(it.cup).rounds_left == 0


def test_what_the_desk_sees() -> None:
    it = Cup(rebuys="1", gates="manual", charity="on")
    for key in ("publish", "advise", "briefed", "deputy Pit"):
        it.key(key)
    it.do(TableDesignated("T1", "casino-war", 4))
    it.do(PeopleEntered(("Eve",), employees=True))
    it.do(PeopleEntered(("Ann", "Bob", "Cem")))
    it.do(Withdrew("Cem"))
    it.do(Substituted("Bob", "Dee"))
    it.key("start", seed="7f")
    it.key("penalty Ann warning")
    it.round(Ann=-1000)
    seen = at_desk(it.cup)
    assert (seen.published, seen.advised, seen.briefed, seen.present, seen.deputies) == (
        True,
        True,
        True,
        True,
        {"Pit": True},
    )
    people = {each.name: each for each in seen.people}
    assert (people["Ann"].state, people["Ann"].buys_back, people["Ann"].warnings) == ("out", True, 1)
    assert (people["Eve"].employee, people["Cem"].refund, people["Cem"].table) == (True, 110_00, "")
    assert (seen.seed, seen.markers, seen.practice) == ("7f", True, False)
    assert seen.refusals["enter"] == "the tournament has started (rule 10.4.2(d))"
    assert seen.refusals["briefed"] == ""
    assert seen.keys["award"] == "all is final"
    (table,) = seen.tables
    assert (table.name, table.people, table.places, table.played, table.running, table.shut) == (
        "T1",
        2,
        4,
        1,
        False,
        "",
    )
    it.key("away")
    assert at_desk(it.cup).tables[0].shut == ""  # the deputy stands in
    it.key("away Pit")
    assert at_desk(it.cup).tables[0].shut == "the director is not present"


def test_the_desk_is_asked_to_balance_tables() -> None:
    it = Cup().begun("Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gus", tables=2, places=4)
    assert unbalanced(it.cup) == ""
    for name in ("Bob", "Cem", "Eve"):
        it.key(f"retire {name}")
    assert unbalanced(it.cup) == "One table fewer would do: break T2."
    it.key("retire Gus")
    it.key("retire Ann")
    assert unbalanced(it.cup) == ""
    it = Cup().begun(*(f"P{nth}" for nth in range(1, 13)), tables=2, places=8)
    for name in ("P1", "P3"):
        it.key(f"retire {name}")
    assert unbalanced(it.cup) == "Move a player from T2 to T1."
    for name in ("P5", "P7"):
        it.key(f"retire {name}")
    assert unbalanced(it.cup) == "One table fewer would do: break T1. Move a player from T2 to T1."


def test_places_are_drawn_by_the_seed() -> None:
    it = Cup()
    it.do(TableDesignated("T1", "casino-war", 4))
    it.do(PeopleEntered(("Ann", "Bob", "Cem")))
    it.key("start", seed="7f")
    seats = {one.name: one.seat.place for one in it.cup.people.values() if one.seat is not None}
    assert sorted(seats, key=lambda name: seats[name]) == list(by_lot(("Ann", "Bob", "Cem"), "7f"))


def test_the_report_adds_up() -> None:
    it = Cup(hands="1", shares="50%,30%", fee="10", buy_in="100", rebuys="1", chips_after="cash")
    it.do(TableDesignated("T1", "casino-war", 4))
    it.do(PeopleEntered(("Ann", "Bob", "Cem")))
    it.do(Substituted("Cem", "Dee"))
    it.key("start")
    running = report(it.cup, HASH)
    assert (running.prizes, running.left, running.cash, running.entered) == (0, 0, 0, 3)
    it.round(Ann=50, Bob=-50, Dee=0)
    told = report(it.cup, HASH)
    assert (told.fees, told.paid, told.refunds, told.pool) == (30_00, 300_00, 0, 300_00)
    assert (told.prizes, told.left) == (240_00, 60_00)
    assert told.cash == 3000_00
    assert told.prizes + told.left == told.pool
    assert sum(row.prize for row in told.rows) == told.prizes + told.cash
    assert [row.name for row in told.rows] == ["Ann", "Bob", "Dee"]
    assert told.terms == HASH
