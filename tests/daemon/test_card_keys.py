"""A daemon whose cards are stored hidden: its files, its starts, and who opens what was never turned."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from controller.cards import DECK
from controller.config import TableConfig, cards_key, load_config
from controller.daemon.main import MISCONFIGURED
from controller.service.card_veil import CardVeil
from controller.service.day_keys import DAY
from controller.table.facts import CardOut, CardsOpened, Chips, Key, Spot
from tests.cli.conftest import felt as felt_command
from tests.daemon.house import failed_start, table_toml
from tests.daemon.test_floor import felt, sign_in
from tests.service.clocks import Table, table, until
from tests.service.hidden_table import DEAL, round_of
from tests.service.test_hidden_cards import files, plain_forms

FOLDED = ("king of hearts", "five of diamonds", "two of clubs")


def configured(directory: Path) -> Path:
    path = table_toml(directory, game="three-card-poker")
    keys = f'cards-key = "{directory}/cards.key"\nday-keys = "{directory}/keys/day-keys.json"'
    path.write_text(f"{path.read_text()}\n[journal]\n{keys}\n")
    return path


def with_key(directory: Path) -> TableConfig:
    path = configured(directory)
    if not (directory / "cards.key").exists():
        cards_key.make(directory / "cards.key")
    return load_config(path)


async def deal(t: Table, *, over: bool = True) -> None:
    for fact in round_of(DEAL, over=over):
        await t.engine.submit(fact)


async def test_no_file_of_the_state_directory_has_a_card(tmp_path: Path) -> None:
    async with table(with_key(tmp_path)) as t:
        await deal(t)
        said = await felt(t, "round", "show", "1")
        assert said.exit_code == 0, said.output
        t.engine._snapshot()
        await deal(t, over=False)
        await until(lambda: not t.engine.pending)
        everything = files(tmp_path / "state")
        assert [form for form in plain_forms(DEAL) if form in everything] == []
    assert [form for form in plain_forms(DEAL) if form in files(tmp_path / "state")] == []
    async with table(with_key(tmp_path)) as t:  # and it goes on in the middle of the round
        hands = t.engine.game.cards(t.engine.table).hands
        assert sorted(card for cards in hands.values() for card in cards) == sorted(DEAL)
        assert len([fact for fact in t.facts(CardOut) if fact.card in DECK]) == 18


@pytest.mark.parametrize(
    "words",
    [
        ("round", "list"),
        ("round", "show", "1"),
        ("round", "receipt", "1"),
        ("round", "export", "--csv"),
        ("report",),
        ("report", "round"),
        ("float", "show"),
        ("deck", "list"),
        ("deck", "show", "1"),
    ],
    ids=" ".join,
)
async def test_a_table_toml_that_is_named_has_the_keys_of_a_journal_that_is_read(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    async with table(with_key(tmp_path)) as t:
        await deal(t)
    journal = str(tmp_path / "state" / "journal.db")
    named = (*words, "--journal", journal, "--config", str(tmp_path / "table.toml"))
    said = await asyncio.to_thread(felt_command, *named)
    assert (said.stderr, said.returncode) == ("", 1 if words == ("deck", "list") else 0)  # 1: a deck is to be checked
    assert said.stdout
    closed = await asyncio.to_thread(felt_command, *words, "--journal", journal, "--json")
    assert closed.returncode == 1 and json.loads(closed.stdout)["error"]["code"] == "cards.closed"


async def test_a_supervisor_opens_what_was_never_turned_and_that_is_on_record(tmp_path: Path) -> None:
    async with table(with_key(tmp_path)) as t:
        await deal(t)
        words = ("journal", "open-cards", "1", "--reason", "a dispute about area 1")
        assert json.loads((await felt(t, *words, "--json")).output)["error"]["code"] == "sign-in.needed"
        await sign_in(t, "dealer")
        assert json.loads((await felt(t, *words, "--json")).output)["error"]["code"] == "person.not-supervisor"
        assert t.facts(CardsOpened) == []
        await sign_in(t, "supervisor")
        empty = json.loads((await felt(t, *words[:4], " ", "--json")).output)["error"]
        assert empty["code"] == "cards.request"
        said = (await felt(t, *words)).output
        assert all(card in said for card in FOLDED)
        (fact,) = t.facts(CardsOpened)
        assert (fact.round, fact.reason, fact.person) == (1, words[-1], "simulated supervisor")
        tail = (await felt(t, "journal", "tail", "-n", "100")).output
        assert not any(card in tail for card in FOLDED)  # they stay hidden from everybody else
        assert "the hidden cards of round 1 are opened for supervisor" in tail
        await deal(t, over=False)
        running = json.loads((await felt(t, "journal", "open-cards", "2", "--reason", "x", "--json")).output)["error"]
        assert running["code"] == "cards.round-runs"


async def test_a_card_that_is_held_for_the_next_round_is_not_opened_with_the_last_one(tmp_path: Path) -> None:
    """It came too many, and is the first card of the next deal: then it lies face down in a round that runs."""
    words = ("journal", "open-cards", "1", "--reason", "a dispute about area 1")
    async with table(with_key(tmp_path)) as t:
        told = round_of(DEAL)
        for fact in (*told[:-5], CardOut("As"), *told[-5:]):
            await t.engine.submit(fact)
        assert t.engine.table.held == ["As"]
        await sign_in(t, "supervisor")
        for _ in range(2):
            said = (await felt(t, *words)).output
            assert all(card in said for card in FOLDED) and "ace of spades" not in said
            await deal(t, over=False)
        assert t.engine.table.number == 2
    async with table(with_key(tmp_path)) as t:  # nor behind a restart
        await sign_in(t, "supervisor")
        assert "ace of spades" not in (await felt(t, *words)).output
        for fact in round_of(DEAL)[-5:]:
            await t.engine.submit(fact)
        assert "ace of spades" in (await felt(t, *words)).output


async def test_a_copy_of_the_journal_is_checked_without_its_keys(tmp_path: Path) -> None:
    async with table(with_key(tmp_path)) as t:
        await deal(t)
        checked = (await felt(t, "journal", "verify", "--replay")).output
        assert checked.startswith("sound") and "could not be opened" not in checked
    journal = str(tmp_path / "state" / "journal.db")
    alone = felt_command("journal", "verify", "--replay", journal)
    assert alone.returncode == 0 and "3 cards could not be opened" in alone.stdout
    with_keys = felt_command("journal", "verify", "--replay", journal, "--config", str(tmp_path / "table.toml"))
    assert with_keys.returncode == 0 and "could not be opened" not in with_keys.stdout
    assert "settled again: the index of rounds says the same" in with_keys.stdout


@pytest.mark.parametrize("what", ["key", "other key", "day keys"])
def test_a_start_without_its_keys_is_refused_by_name_and_goes_on_with_them(tmp_path: Path, what: str) -> None:
    asyncio.run(_played(tmp_path))
    gone = tmp_path / ("keys/day-keys.json" if what == "day keys" else "cards.key")
    kept = gone.rename(tmp_path / "kept")
    if what == "other key":
        cards_key.make(gone)
    refused = failed_start(tmp_path / "table.toml")
    code = {"key": "cards.key-missing", "other key": "cards.wrong-key", "day keys": "cards.closed"}[what]
    assert refused.returncode == MISCONFIGURED  # the unit waits for a person
    assert code in refused.stderr and "docs/recovery.md" in refused.stderr
    kept.replace(gone)
    asyncio.run(_goes_on(tmp_path))


async def _played(directory: Path) -> None:
    async with table(with_key(directory)) as t:
        await deal(t, over=False)


async def _goes_on(directory: Path) -> None:
    async with table(with_key(directory)) as t:
        assert t.engine.table.number == 1
        await t.engine.submit(Key("fold", ("1",)))
        await t.engine.submit(Chips(2, (Spot("play", 1, 1000),)))
        await t.engine.submit(Key("settle"))
        assert t.engine.table.round is not None and t.engine.table.round.outcome == "settled"


async def test_a_lost_index_goes_on_behind_a_destroyed_day(tmp_path: Path) -> None:
    async with table(with_key(tmp_path)) as t:
        await deal(t)
        t.engine._snapshot()
        await deal(t)
        veil = t.daemon.journal.veil
        assert isinstance(veil, CardVeil)
        veil.keys.now(t.engine.time() + 2 * DAY)
        t.engine._snapshot()  # under the next day's key
        await until(lambda: not t.engine.pending)
        veil.keys.destroy([veil.keys.all()[0].name])
    (tmp_path / "state" / "rounds.db").unlink()
    async with table(with_key(tmp_path)) as t:
        await deal(t)
        assert (await felt(t, "round", "show", "3")).exit_code == 0
        gone = json.loads((await felt(t, "round", "show", "1", "--json")).output)["error"]
        assert gone["code"] in ("round.unknown", "cards.closed")


# ---- felt table


def real(directory: Path, *, key: bool) -> Path:
    path = configured(directory) if key else table_toml(directory)
    path.write_text(path.read_text().replace("sim://lamps", "serial:///dev/feltd-test-lamps"))
    return path


def test_a_new_table_gets_its_key_with_its_journal(tmp_path: Path) -> None:
    path = real(tmp_path, key=True)
    made = felt_command("table", "init", str(path))
    assert made.returncode == 0, made.stderr
    assert "cards.key: the key of its cards" in made.stdout
    assert len(cards_key.read(tmp_path / "cards.key")) == 32
    again = felt_command("table", "key", str(path))
    assert (again.returncode, again.stdout) == (0, "the table has its key already\n")


def test_no_journal_of_a_real_table_is_made_without_a_key(tmp_path: Path) -> None:
    refused = felt_command("table", "init", str(real(tmp_path, key=False)))
    assert refused.returncode == 1 and "cards.unconfigured" in refused.stderr
    assert not (tmp_path / "state" / "journal.db").exists()
