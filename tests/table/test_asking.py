"""Asking a table about many keys: a copy that a refused key has left as it was serves again, and no other one does."""

from __future__ import annotations

import pytest

from controller.games import GAMES, asking, find, refusal
from controller.table import follow
from controller.table.facts import Key
from controller.table.keys import keys_of
from controller.table.state import Table, clone, encode
from controller.views.key_ways import Ways
from tests.table.telling import Telling


def tables(game: str) -> list[Table]:
    t = Telling(game, seats="4")
    found = [t.table]
    for deed in ("seat 1", "open-table", "no-more-bets", "shuffled", "close-table"):
        t.do(f"key {deed}")
        found.append(t.table)
    return found


def every_press(table: Table) -> list[Key]:
    rules = find(table.game)
    ways = Ways(table, rules)
    return [
        Key(key.name, words, person="nobody", role="casino-manager", place="page")
        for key in keys_of(rules)
        for words in ways.of(key)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_each_key_is_answered_as_if_it_were_the_only_one(game: str) -> None:
    for table in tables(game):
        before = encode(table)
        many = asking(table)
        for pressed in every_press(table):
            together, alone = many.refusal(pressed), refusal(table, pressed)
            assert (together is None) == (alone is None), pressed
            assert together is None or alone is None or (together.rule, together.why) == (alone.rule, alone.why)
        assert encode(table) == before


def test_refused_keys_share_a_copy_and_a_key_that_is_taken_uses_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[Table] = []

    def counted(table: Table) -> Table:
        copies.append(clone(table))
        return copies[-1]

    t = Telling("casino-war")
    monkeypatch.setattr(follow, "clone", counted)
    many = asking(t.table)
    no_round = Key("settle", person="nobody", role="dealer", place="page")
    assert many.refusal(no_round) is not None and many.refusal(no_round) is not None
    assert len(copies) == 1
    assert many.refusal(Key("seat", ("1",), person="nobody", role="dealer", place="page")) is None
    assert many.refusal(no_round) is not None
    assert len(copies) == 2
