"""Every verb but `key` and `expect`, as written and as read."""

from __future__ import annotations

from typing import Any

import pytest

from controller.rules import Role
from controller.script import ScriptError, parse
from controller.script import model as m


def read(game: str, statement: str) -> m.Line:
    return parse(f"table {game}\n{statement}").runs[0].lines[1]


P = m.Place

LINES: list[tuple[str, str, type[m.Line], dict[str, Any]]] = [
    ("casino-war", "seat 1-3", m.SeatLine, {"places": (P("1"), P("2"), P("3"))}),
    ("casino-war", "seat 2.3 player=W1", m.SeatLine, {"places": (P("2", 3),), "player": "W1"}),
    ("casino-war", "seat 1-2,5", m.SeatLine, {"places": (P("1"), P("2"), P("5"))}),
    ("omaha", "seat 4 stack=250.50 player=Q", m.SeatLine, {"places": (P("4"),), "stack": 25050, "player": "Q"}),
    ("omaha", "seat 4", m.SeatLine, {"places": (P("4"),)}),
    ("omaha", "seat 4 add=100", m.SeatLine, {"places": (P("4"),), "add": 10000}),
    ("omaha", "seat 4 take=5", m.SeatLine, {"places": (P("4"),), "take": 500}),
    ("casino-war", "leave 3.2", m.LeaveLine, {"place": P("3", 2)}),
    ("caribbean-stud", "meter 100005.722", m.MeterLine, {"ten_thousandths": 1_000_057_220}),
    ("casino-war", "bet 3 war=10", m.BetLine, {"place": P("3"), "readings": (m.Reading("war", 1000),)}),
    (
        "casino-war",
        "bet 3.2 war=2.50 tie=0",
        m.BetLine,
        {"place": P("3", 2), "readings": (m.Reading("war", 250), m.Reading("tie", 0))},
    ),
    (
        "mississippi-stud",
        "bet 1 ante=5 ante=token:20",
        m.BetLine,
        {"place": P("1"), "readings": (m.Reading("ante", 500), m.Reading("ante", 2000, token=True))},
    ),
    ("holdem", "bet 2 red=5", m.BetLine, {"place": P("2"), "readings": (m.Reading("red", 500),)}),
    ("holdem", "act 3 fold", m.ActLine, {"seat": P("3"), "act": "fold", "cents": None}),
    ("holdem", "act 3 check", m.ActLine, {"act": "check"}),
    ("holdem", "act 3 call", m.ActLine, {"act": "call"}),
    ("holdem", "act 3 bet 12.50", m.ActLine, {"act": "bet", "cents": 1250}),
    ("holdem", "act 3 raise 40", m.ActLine, {"act": "raise", "cents": 4000}),
    ("holdem", "act 3 all-in", m.ActLine, {"act": "all-in"}),
    ("holdem", "act 3 post 5", m.ActLine, {"act": "post", "cents": 500}),
    ("holdem", "act 3 straddle 20", m.ActLine, {"act": "straddle", "cents": 2000}),
    ("holdem", "act 3 take-back", m.ActLine, {"act": "take-back"}),
    ("holdem", "act 3 muck", m.ActLine, {"act": "muck"}),
    ("holdem", "chips 2 25", m.ChipsLine, {"seat": P("2"), "chips": (2500,), "say": ""}),
    ("holdem", "chips 2 25+5+0.50 say raise", m.ChipsLine, {"chips": (2500, 500, 50), "say": "raise"}),
    ("crazy-pineapple", "discard 6 2c", m.DiscardLine, {"seat": P("6"), "card": "2c"}),
    ("pineapple", "discard 6 2c", m.DiscardLine, {}),
    ("crazy-pineapple-hi-lo", "discard 6 2c", m.DiscardLine, {}),
    ("casino-war", "play 3", m.PlayLine, {"rounds": 3, "places": ()}),
    ("casino-war", "play 12 1,4-5", m.PlayLine, {"rounds": 12, "places": (P("1"), P("4"), P("5"))}),
    ("casino-war", "wait 500ms", m.WaitLine, {"milliseconds": 500}),
    ("casino-war", "wait 90s", m.WaitLine, {"milliseconds": 90_000}),
    ("casino-war", "wait 19m59s", m.WaitLine, {"milliseconds": 1_199_000}),
    ("casino-war", "wait 1h", m.WaitLine, {"milliseconds": 3_600_000}),
    ("casino-war", "wait 1h1m1s1ms", m.WaitLine, {"milliseconds": 3_661_001}),
    ("casino-war", "fault shoe clear", m.FaultLine, {"device": m.Device("shoe"), "fault": "clear", "args": ()}),
    ("casino-war", "fault sensor.3 drop 2", m.FaultLine, {"device": m.Device("sensor", "3"), "args": ("2",)}),
    ("omaha", "fault reader.board dark", m.FaultLine, {"device": m.Device("reader", "board"), "fault": "dark"}),
]


@pytest.mark.parametrize(("game", "statement", "kind", "fields"), LINES, ids=[line[1] for line in LINES])
def test_a_line_is_read(game: str, statement: str, kind: type[m.Line], fields: dict[str, Any]) -> None:
    line = read(game, statement)
    assert type(line) is kind
    assert (line.number, line.table, line.text) == (2, "", statement)
    assert {name: getattr(line, name) for name in fields} == fields


def test_draw_tells_what_each_card_is() -> None:
    line = read("holdem", "draw Kh ?? ^5c cut 7d+7c 2s+??+^Tc")
    assert isinstance(line, m.DrawLine)
    assert line.tokens == (
        m.Drawn("Kh"),
        m.Unreadable(),
        m.FaceUp("5c"),
        m.CuttingCard(),
        m.Together((m.Drawn("7d"), m.Drawn("7c"))),
        m.Together((m.Drawn("2s"), m.Unreadable(), m.FaceUp("Tc"))),
    )


@pytest.mark.parametrize(
    "role",
    [
        "dealer",
        "supervisor",
        "area-manager",
        "assistant-casino-manager",
        "casino-manager",
        "tournament-director",
        "technician",
        "inspector",
    ],
)
def test_every_role_is_known(role: Role) -> None:
    assert read("casino-war", f"role {role}") == m.RoleLine(2, "", f"role {role}", role)


WIRE = ["unplug", "hang", "split", "drop", "drop 3", "corrupt", "corrupt 1", "duplicate", "duplicate 9"]
WIRE += ["delay 40ms", "babble", "power", "clear"]
FAULTS = {
    "shoe": ("empty", "low", "jam", "misread 4d", "door"),
    "shuffler": ("jam", "stopped", "count-wrong", "count-wrong 51", "mixed-backs", "empty", "door"),
    "display": ("dark", "stuck"),
    "meter": ("offline",),
    "sensor.3": ("dark", "stuck", "unknown-chip red"),
    "console": ("stuck-key settle",),
    "lamps": ("open-circuit 2",),
    "sign": ("dark", "stuck"),
    "reader.4": ("dark", "misread 4d"),
    "reader.board": ("dark", "misread 4d"),
}


@pytest.mark.parametrize("device", FAULTS)
def test_every_device_fails_in_its_own_ways_and_on_the_wire(device: str) -> None:
    for fault in (*WIRE, *FAULTS[device]):
        line = read("holdem", f"fault {device} {fault}")
        assert isinstance(line, m.FaultLine)
        assert [str(line.device), line.fault, *line.args] == [device, *fault.split()]


GAMES = {
    "casino-war": "war tie go-to-war",
    "three-card-poker": "ante pair-plus play",
    "caribbean-stud": "ante bet jackpot",
    "mississippi-stud": "ante third fourth fifth jackpot",
    "ultimate-texas-holdem-nsw": "ante blind trips play jackpot",
    "ultimate-texas-holdem-vic": "ante blind trips play jackpot",
    "wsop-bonus-holdem": "ante flop turn river jackpot",
    **dict.fromkeys(
        ["holdem", "pineapple", "crazy-pineapple", "crazy-pineapple-hi-lo", "holdem-hi-lo", "omaha", "omaha-hi-lo"],
        "red black",
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_spots(game: str) -> None:
    line = read(game, "bet 1 " + " ".join(f"{spot}=5" for spot in GAMES[game].split()))
    assert isinstance(line, m.BetLine)
    assert [reading.spot for reading in line.readings] == GAMES[game].split()


@pytest.mark.parametrize(
    ("game", "statement", "message"),
    [
        ("casino-war", "draw ^Kh+2c", '"^Kh+2c": cards that leave a shoe together lie face down'),
        ("casino-war", "bet 1.10 war=5", '"1.10" is not an area'),
        ("holdem", "seat 1.2", '"1.2" is not a seat'),
        ("casino-war", "expect prompt dealer dealer dealer", 'unknown role or place "dealer"'),
    ],
)
def test_what_no_table_can_have_is_malformed(game: str, statement: str, message: str) -> None:
    with pytest.raises(ScriptError) as bad:
        read(game, statement)
    assert bad.value.message == message


def test_cards_that_a_reader_reads_together_may_lie_face_up() -> None:
    line = read("holdem", "draw ^Kh+2c")
    assert isinstance(line, m.DrawLine)
    assert line.tokens == (m.Together((m.FaceUp("Kh"), m.Drawn("2c"))),)
