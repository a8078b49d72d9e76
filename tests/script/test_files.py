"""Whole scripts: comments, cases, several tables, and where malformed lines are reported."""

from __future__ import annotations

import pytest

from controller.script import ScriptError, parse
from controller.script import model as m


def told(run: m.Run) -> list[tuple[int, str, str]]:
    return [(line.number, line.table, line.text) for line in run.lines]


def test_comments_blank_lines_and_spacing_do_not_matter() -> None:
    script = parse("\ufeff# a war\r\n\n  table   casino-war\tmin=5 # low\r\nbet 1 war=10#late\r\n", "war.txt")
    assert script.name == "war.txt"
    assert script.runs[0].case is None
    assert told(script.runs[0]) == [(3, "", "table casino-war min=5"), (4, "", "bet 1 war=10")]


def test_a_script_without_cases_is_one_run() -> None:
    assert len(parse("table casino-war").runs) == 1


CASES = """\
table three-card-poker          # 1
bet 1 ante=10                   # 2

case  he   plays: on            # 4
bet 1 play=10                   # 5
case he does nothing            # 6
case he folds                   # 7
key fold 1                      # 8
"""


def test_each_case_tells_the_lines_above_and_its_own() -> None:
    first, second, third = parse(CASES).runs
    opening = [(1, "", "table three-card-poker"), (2, "", "bet 1 ante=10")]
    assert (first.case, told(first)) == ("he plays: on", [*opening, (5, "", "bet 1 play=10")])
    assert (second.case, told(second)) == ("he does nothing", opening)
    assert (third.case, told(third)) == ("he folds", [*opening, (8, "", "key fold 1")])


def test_cases_may_each_start_their_own_table() -> None:
    script = parse("case war\ntable casino-war\nbet 1 war=5\ncase poker\ntable holdem\nact 1 post 5")
    assert [run.lines[0].text for run in script.runs] == ["table casino-war", "table holdem"]


def test_a_line_without_a_name_goes_to_the_table_of_the_line_before() -> None:
    text = "table casino-war as T1\ntable holdem as T2\nact 1 post 5\nT1: bet 1 war=5\nkey no-more-bets\nT2:act 2 fold"
    assert [line.table for line in parse(text).runs[0].lines] == ["T1", "T2", "T2", "T1", "T1", "T2"]


def test_each_case_goes_on_at_the_table_where_the_lines_above_stopped() -> None:
    text = "table casino-war as A\ntable casino-war as B\nA: seat 1\ncase x\nB: seat 2\ncase y\nseat 3"
    assert [run.lines[-1].table for run in parse(text).runs] == ["B", "A"]


def test_a_table_that_one_case_starts_is_unknown_in_the_next() -> None:
    text = "table casino-war as A\ncase x\ntable casino-war as B\ncase y\nB: seat 2"
    with pytest.raises(ScriptError, match='5: unknown table "B"'):
        parse(text)


def test_after_a_table_that_may_have_been_refused_another_may_take_its_name() -> None:
    lines = parse("table casino-war decks=9\nexpect refused\ntable three-card-poker\nbet 1 ante=5").runs[0].lines
    assert [line.table for line in lines] == ["", "", "", ""]


MALFORMED = [
    ("", 1, "nothing happens", "table GAME"),
    ("# nothing\n\n# at all", 3, "nothing happens", "table GAME"),
    ("bet 1 war=5", 1, '"bet" before any table', "table GAME"),
    ("\nT1: bet 1 war=5", 2, '"bet" before any table', "table GAME"),
    ("betting", 1, 'unknown verb "betting"', "table"),
    ("case a", 1, "nothing happens", "table GAME"),
    ("case a\ncase b\ntable casino-war", 1, "nothing happens", "table GAME"),
    ("case a\ntable casino-war\ncase b", 3, "nothing happens", "table GAME"),
    ("case a\nbet 1 war=5", 2, "before any table", "table GAME"),
    ("case a\ntable casino-war\ncase b\nseat 1", 4, "before any table", "table GAME"),
    ("table casino-war\ncase", 2, "case without a text", "case TEXT"),
    ("table casino-war as A\nA: case x", 2, "case is for all tables", "case TEXT"),
    ("table", 1, "missing", "table GAME"),
    ("table casino_war", 1, 'did you mean "casino-war"', "three-card-poker"),
    ("table Casino-War", 1, 'did you mean "casino-war"', "three-card-poker"),
    ("table casino-war as", 1, "missing", "as NAME"),
    ("table casino-war as 7", 1, "not a name", "a letter"),
    ("table casino-war decs=6", 1, 'did you mean "decks"', "method"),
    ("table casino-war min=5 as T1", 1, 'unknown option "as"', "min"),
    ("A: table casino-war", 1, "gets its name", "table GAME as A"),
    ("table casino-war as A\nA:", 2, "without a statement", "VERB"),
    ("table casino-war as Tom\nTim: seat 1", 2, 'unknown table "Tim" (did you mean "Tom"?)', "Tom"),
    ("table casino-war\nT1: seat 1", 2, 'unknown table "T1"', "no name"),
    ("table casino-war\nbet 1 war=5\nbett 1 war=5\nfoo", 3, 'did you mean "bet"', "draw"),
    ("table casino-war\nBET 1 war=5", 2, 'did you mean "bet"', "draw"),
    ("table casino-war\ncase good\nseat 1\ncase bad\nsaet 1", 5, 'did you mean "seat"', "draw"),
    ("table casino-war\nseat", 2, "missing", "seat PLACES"),
    ("table casino-war\nseat 3-1", 2, "runs backwards", "1-4"),
    ("table casino-war\nseat 1-3,2", 2, "names a place twice", "each place once"),
    ("table casino-war\nseat 1-9999999", 2, "not a seat", "a seat"),
    ("table casino-war\nseat 1 stack=100", 2, '"stack" is not for casino-war', "player"),
    ("table casino-war\nseat 1 add=100", 2, '"add" is not for casino-war', "player"),
    ("table casino-war\nseat 1 player", 2, "not name=value", "seat PLACES"),
    ("table casino-war\nseat 1 player=1", 2, "not a name", "a letter"),
    ("table holdem\nseat 1 stak=5", 2, 'did you mean "stack"', "add"),
    ("table holdem\nseat 1 stack=5 stack=5", 2, "given twice", "once"),
    ("table holdem\nseat 1 stack=5 add=5", 2, "stand alone", "seat SEAT"),
    ("table holdem\nseat 1-2 add=5", 2, "one seat", "seat SEAT"),
    ("table holdem\nseat 1 stack=", 2, "not an amount", "dollars"),
    ("table casino-war\nleave", 2, "missing", "leave PLACE"),
    ("table casino-war\nleave 1 2", 2, "too much", "leave PLACE"),
    ("table casino-war\nmeter 1.00001", 2, "not an amount", "dollars"),
    ("table casino-war\nmeter 1 1", 2, "too much", "meter AMOUNT"),
    ("table casino-war\nbet 1", 2, "missing", "bet AREA"),
    ("table casino-war\nbet 1 war", 2, "has no amount", "war=AMOUNT"),
    ("table casino-war\nbet 1 war=-5", 2, "not an amount", "dollars"),
    ("table casino-war\nbet 1 war=5.005", 2, "finer than a cent", "two decimals"),
    ("table casino-war\nbet 1 war=chip:5", 2, "not an amount", "dollars"),
    ("table casino-war\nbet 1 war=5 war=6", 2, "given twice", "each spot once"),
    ("table casino-war\nbet 1 ante=5", 2, 'spot "ante" is not for casino-war', "war, tie or go-to-war"),
    ("table casino-war\nbet 1 wra=5", 2, 'did you mean "war"', "tie"),
    ("table three-card-poker\nbet 1 ante-bonus=5", 2, "not for three-card-poker", "pair-plus"),
    ("table casino-war\nbet dealer war=5", 2, "not an area", "3.2"),
    ("table casino-war\nbet 1.0 war=5", 2, "not an area", "3.2"),
    ("table casino-war\ndraw", 2, "missing", "draw CARD"),
    ("table casino-war\ndraw 10h", 2, 'did you mean "Th"', "suit"),
    ("table casino-war\ndraw kH", 2, 'did you mean "Kh"', "suit"),
    ("table casino-war\ndraw 7d+", 2, "not a card", "suit"),
    ("table casino-war\ndraw 7d+cut", 2, "not a card", "suit"),
    ("table casino-war\ndraw ^??", 2, "not a card", "suit"),
    ("table casino-war\nact 1 fold", 2, 'verb "act" is not for casino-war', "bet"),
    ("table casino-war\nchips 1 5", 2, 'verb "chips" is not for casino-war', "bet"),
    ("table casino-war\ndiscard 1 5c", 2, 'verb "discard" is not for casino-war', "bet"),
    ("table holdem\ndiscard 1 5c", 2, "nobody discards at holdem", "Pineapple"),
    ("table holdem\nact 1", 2, "missing", "act SEAT"),
    ("table holdem\nact 1 rise 5", 2, 'did you mean "raise"', "all-in"),
    ("table holdem\nact 1 raise", 2, "missing", "act SEAT raise AMOUNT"),
    ("table holdem\nact 1 fold 5", 2, "too much", "act SEAT fold"),
    ("table holdem\nact 1.2 fold", 2, "not a seat", "a seat"),
    ("table holdem\nchips 1 5+", 2, "not an amount", "dollars"),
    ("table holdem\nchips 1 5 say", 2, "missing", "say WORD"),
    ("table holdem\nchips 1 5 say hello", 2, "word to say", "raise"),
    ("table holdem\nchips 1 5 raise", 2, "too much", "say WORD"),
    ("table casino-war\nplay 0", 2, "from 1", "play N"),
    ("table casino-war\nplay 1 1 2", 2, "too much", "play N"),
    ("table casino-war\nrole AM", 2, 'unknown role "AM"', "area-manager"),
    ("table casino-war\nrole dealer supervisor", 2, "too much", "role ROLE"),
    ("table casino-war\nfault", 2, "missing", "fault DEVICE"),
    ("table casino-war\nfault shoo jam", 2, 'did you mean "shoe"', "sensor.AREA"),
    ("table casino-war\nfault shoe.1 jam", 2, "one shoe only", "shoe"),
    ("table casino-war\nfault sensor dark", 2, "not a device", "sensor.AREA"),
    ("table casino-war\nfault sensor.board dark", 2, "not a device", "sensor.AREA"),
    ("table casino-war\nfault reader.1 dark", 2, "not for casino-war", "sensor.AREA"),
    ("table casino-war\nfault shoe dark", 2, "unknown fault of the shoe", "misread"),
    ("table casino-war\nfault shoe misread", 2, "missing", "CARD"),
    ("table casino-war\nfault shoe jam 1", 2, "too much", "fault shoe jam"),
    ("table casino-war\nfault shoe drop few", 2, "from 1", "[N]"),
    ("table casino-war\nfault shoe delay 5", 2, "not a duration", "500ms"),
    ("table casino-war\nfault sensor.1 unknown-chip ante", 2, 'spot "ante"', "war"),
    ("table casino-war\nfault console stuck-key enter", 2, "unknown key", "settle"),
    ("table casino-war\nfault console open-circuit 1", 2, "unknown fault of the console", "stuck-key"),
    ("table casino-war\nwait", 2, "missing", "DURATION"),
    ("table casino-war\nwait 20", 2, "not a duration", "90s"),
    ("table casino-war\nwait 1s1m", 2, "not a duration", "90s"),
    ("table casino-war\nwait 1s 1s", 2, "too much", "DURATION"),
]


@pytest.mark.parametrize(("text", "line", "message", "expected"), MALFORMED, ids=[each[0] for each in MALFORMED])
def test_the_first_malformed_line_is_named_with_what_was_expected(
    text: str, line: int, message: str, expected: str
) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(text, "a.script")
    error = caught.value
    assert error.line == line
    assert message in error.message
    assert expected in error.expected
    assert error.cause == f"a.script:{line}: {error.message}; expected {error.expected}"
    assert error.code == "script.malformed" and error.next_step


EVERY_MISTAKE = [
    ("table casino-war\nbett 1\nseat 1\ndraw 10h\ncase b\nexpect nothing", [2, 4, 6]),
    ("bet 1 war=5\nbet 2 war=5\nkey settle", [1]),  # before any table: said once
    ("tabel casino-war\nbet 1 war=5\ncase a\nbet 1 war=5", [1]),
    ("table casino_war\nbet 1 war=5\nwhatever", [1]),  # nothing is known of that game
    ("table casino-war decs=6\nbet 1 war=5\nbet 1 wra=5", [1, 3]),  # the game is known
    ("table casino_war as A\ntable holdem as B\nA: foo\nB: foo\nC: foo", [1, 4]),  # C may be what A was meant to be
    ("table casino-war as A\nfoo\nC: seat 1", [2, 3]),
    ("table casino-war\ncase\nfoo\ncase b\nbar", [2, 3, 5]),
    ("case a\nfoo\ncase b\ncase c\ntable casino-war", [2, 3]),  # a is not empty, b is
    ("case a\ncase", [2, 1, 2]),
    ("case a\ntable casino-war\nfoo\ncase b\nbar", [3, 5]),
    ("A: table casino-war\nA: foo", [1, 2]),
    ("A:\nfoo\ncase a", [1, 2]),
]


@pytest.mark.parametrize(("text", "lines"), EVERY_MISTAKE, ids=[each[0] for each in EVERY_MISTAKE])
def test_every_mistake_is_told_and_nothing_that_only_follows_from_one(text: str, lines: list[int]) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(text, "a.script")
    assert [mistake.line for mistake in caught.value.mistakes] == lines
