"""Whatever the text, reading it ends with a script or with a `ScriptError`."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games import GAMES, every_key
from controller.script import ScriptError, parse
from controller.script.catalogue import FAMILIES, RESULTS, ROLES, every_lamp, every_spot
from controller.script.engines import ENGINES
from controller.script.expects import FORMS
from controller.script.options import every_option
from controller.script.verbs import VERBS

ACTS = [act for engine in ENGINES.values() for act in engine.acts]

GOOD = """\
table caribbean-stud as T1 jackpot=nsw min=10 jackpot-rate=57.22%
table crazy-pineapple as T2 blinds=5,10 rake=2:3,5:5 bonus=royal-flush:50
seat 1-3,5 stack=200 player=W1
act 3 raise 40
chips 2 25+5 say raise
discard 1 5c
expect prompt dealer 3 offers all-in by 6.18|s66(2)
T1: bet 2 ante=10 jackpot=token:5
draw Kh ?? ^5c cut 7d+7c
key reconstruct 1=Kh,2d dealer=5c
fault sensor.3 unknown-chip ante
case one
wait 19m59s
expect 2 ante win 10 stake=10 token=kept by 4.1
case two
T2: expect lamp button 3 off
"""


def never_crashes(text: str) -> None:
    try:
        script = parse(text, "any")
    except ScriptError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert error.cause.startswith(f"any:{error.line}: ")
    else:
        assert all(run.lines for run in script.runs)


@settings(deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    never_crashes(text)


@settings(deadline=None)
@given(st.text(), st.sampled_from(sorted(GAMES)))
def test_any_text_after_a_table(text: str, game: str) -> None:
    never_crashes(f"table {game}\n{text}")


@settings(deadline=None)
@given(st.data())
def test_a_good_script_with_something_else_in_it(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, min(len(GOOD), start + 12)))
    never_crashes(GOOD[:start] + data.draw(st.text(max_size=8)) + GOOD[end:])


WORDS = sorted(
    {*GAMES, *ROLES, *ACTS, *FAMILIES, *every_lamp(), *RESULTS, *every_option(), *VERBS, *FORMS}
    | {key.name for key in every_key()}
    | every_spot()
    | {
        "1",
        "0",
        "3.2",
        "1-4",
        "10",
        "-5",
        "Kh",
        "??",
        "^5c",
        "cut",
        "7d+7c",
        "by",
        "9.5",
        "none",
        "on",
        "all",
        "=",
        ":",
    }
    | {"min=5", "ante=10", "1=Kh", "sensor.1", "reader.board", "90s", "W1", "offers", "say", "as", "close-table", "²"}
)


@settings(deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.sampled_from(["expect", "key", *VERBS]), st.lists(st.sampled_from(WORDS)))
def test_known_words_in_any_order(game: str, verb: str, found: list[str]) -> None:
    never_crashes(f"table {game}\n{' '.join([verb, *found])}")


def test_the_good_script_is_good() -> None:
    assert [run.case for run in parse(GOOD).runs] == ["one", "two"]
