"""Junk as the value of every option of every game, by every way in: refused with a reason, never taken, no error."""

from __future__ import annotations

import pytest

from controller.config.options import check
from controller.games import GAMES, defaults, find, step
from controller.script import ScriptError, parse
from controller.table.effects import Defective, Refused
from controller.table.facts import AnyFact, Badge, HouseChanged, Key, Started
from controller.table.options import fields, read
from controller.table.state import Table, encode

JUNK = (
    "two",
    "Z",
    "-1",
    "1e3",
    "0x10",
    "\u0661",
    "..",
    ",",
    ":",
    "%",
    "5%%",
    "1,,2",
    "nan",
    "9" * 40,
    "none,none",
    "on?",
)
MANAGER = Badge("casino-manager")


def junk_of(game: str) -> list[tuple[str, str]]:
    """Every option with every text that it cannot mean."""
    kind = find(game).options
    return [(name, text) for name in fields(kind) for text in JUNK if isinstance(read(kind, {name: text}), list)]


def begun(game: str) -> Table:
    table, _ = step(Table(), 1, 0, Started(game, defaults(game)))
    table, _ = step(table, 2, 0, MANAGER)
    assert table.game == game
    return table


def refused(table: Table, fact: AnyFact) -> tuple[Table, bool]:
    after, effects = step(table, 3, 0, fact)
    assert not any(isinstance(effect, Defective) for effect in effects), fact
    reasons = [effect.why for effect in effects if isinstance(effect, Refused)]
    assert all(reasons)
    return after, bool(reasons)


@pytest.mark.parametrize("game", GAMES)
def test_no_way_in_takes_junk(game: str) -> None:
    table, cases = begun(game), junk_of(game)
    assert len(cases) > 3 * len(fields(find(game).options))
    for name, text in cases:
        assert refused(Table(), Started(game, {**defaults(game), name: text}))[1], (name, text)
        for key in ("set", "notice"):
            after, no = refused(table, Key(key, (f"{name}={text}",)))
            assert no and after.options == table.options and not after.notices, (key, name, text)
        after, _ = refused(table, HouseChanged(name, text))
        assert after.options == table.options, (name, text)


@pytest.mark.parametrize("game", GAMES)
def test_files_tell_the_option_that_is_junk(game: str) -> None:
    for name, text in junk_of(game):
        assert name in [mistake.option for mistake in check(game, {name: text})], (name, text)
        with pytest.raises(ScriptError) as caught:
            parse(f"table {game} {name}={text}\n", "junk.felt")
        assert caught.value.line == 1 and (name in caught.value.message or text in caught.value.message)


@pytest.mark.parametrize("game", GAMES)
def test_every_default_is_allowed_and_written_in_its_one_way(game: str) -> None:
    kind = find(game).options
    assert not isinstance(read(kind, defaults(game)), list)
    assert check(game, defaults(game)) == []
    table = begun(game)
    assert {name: table.options[name] for name in defaults(game)} == defaults(game)
    assert encode(begun(game)) == encode(table)
