"""Writes the journals and prize meter stores that this version of feltd leaves behind, and what it says of them.

Run once for each released version, with that version:  python -m tests.kept.keep tests/kept/NUMBER
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import lzma
import shutil
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import structlog

from controller.cli.demo import DealPlan, deal, dealt_table, demo_config
from controller.config import TableConfig
from controller.games import GAMES
from controller.house.game import HouseGame
from controller.house.state import HouseRound
from controller.jackpot.stores.sqlite import SqliteStore
from controller.journal.store import Journal
from controller.poker.state import hand_in
from controller.script import model, parse
from controller.script.play import play
from controller.service import engine as engines
from controller.sim import floor as floors
from controller.sim.dealer import LivelyDealer
from controller.sim.dealers import DEALERS, Dealers
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact
from controller.table.state import Table
from tests.kept.telling import journal_says, meters_say
from tests.service.kept import ROYAL, Kept

RULES = Path(__file__).parent.parent / "rules"
LONG = 230  # facts of a table that was dealt at, so that there is a snapshot
EACH = 2  # journals of scripts, for each game
TRIED = 8  # scripts with the most lines that are played for them
JACKPOTS = {
    "caribbean-stud": "nsw",
    "mississippi-stud": "nsw",
    "ultimate-texas-holdem-nsw": "nsw",
    "wsop-bonus-holdem": "vic",
    "ultimate-texas-holdem-vic": "vic",
}


# ---- scripts: rounds with everything that can go wrong


class _Opener:
    """Stands where the floor finds its journals: they go into files."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.made: list[Path] = []

    def open(self, _: None, *, table: str) -> Journal:
        path = self.directory / f"{len(self.made)}.db"
        self.made.append(path)
        return Journal.open(path, table=table)


def scripts(directory: Path) -> None:
    """For each game the longest stories, with a snapshot at nearly every end of a round."""
    engines.SNAPSHOT_EVERY = 12
    found: dict[str, list[tuple[int, str, Path]]] = {game: [] for game in GAMES}
    with tempfile.TemporaryDirectory() as name:
        opener = _Opener(Path(name))
        vars(floors)["Journal"] = opener
        for story, run, game in _stories():
            before = len(opener.made)
            played = play(story, run)
            if len(opener.made) != before + 1 or played.failed:
                continue
            journal = Journal.inspect(opener.made[-1])
            found[game].append((journal.head.seq, story, opener.made[-1]))
            journal.close()
        for game, kept in found.items():
            for _, story, path in sorted(kept, reverse=True)[:EACH]:
                shutil.copy(path, directory / f"{game}.{story}.db")


def _stories() -> list[tuple[str, model.Run, str]]:
    """For each game the runs at one table with the most lines, as (document.script.number of the case, run, game)."""
    found: dict[str, list[tuple[str, model.Run, str]]] = {game: [] for game in GAMES}
    for path in sorted(RULES.rglob("*.felt")):
        document = path.relative_to(RULES).parts[0]
        for number, run in enumerate(parse(path.read_text(encoding="utf-8"), path.name).runs, start=1):
            tables = [line for line in run.lines if isinstance(line, model.TableLine)]
            if len(tables) == 1:
                found[tables[0].game].append((f"{document}.{path.stem}.{number}", run, tables[0].game))
    return [story for of_a_game in found.values() for story in sorted(of_a_game, key=_lines, reverse=True)[:TRIED]]


def _lines(story: tuple[str, model.Run, str]) -> int:
    return len(story[1].lines)


# ---- the daemon: long journals, cut in the middle of a round as a power cut leaves them


class _Dealer(LivelyDealer):
    def wagers(self, place: str) -> Mapping[str, int]:
        jackpot = {"jackpot": 500} if self._table.options.typed.jackpot is not None else {}
        return {**super().wagers(place), **jackpot}


def _config(directory: Path, game: str) -> TableConfig:
    config = demo_config(directory, directory / "state", game)
    jackpot = {"jackpot": JACKPOTS[game]} if game in JACKPOTS else {}
    return config.model_copy(update={"options": {**config.options, **jackpot}})


async def _dealt(directory: Path, game: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "state").mkdir()
        async with dealt_table(_config(home, game)) as (daemon, sim, _):
            stop = asyncio.Event()
            cut = directory / f"{game}.cut.db"

            def heard(seq: int, fact: AnyFact, table: Table, effects: list[AnyEffect]) -> None:
                r = table.round
                if seq < LONG or cut.exists() or r is None or r.outcome:
                    return
                hand = hand_in(r)
                dealt = r.play.read(HouseRound)
                if (dealt is not None and len(dealt.tape) >= 3) or (
                    hand is not None and hand.street >= 0 and hand.betting is not None
                ):
                    with daemon.journal._lock:
                        shutil.copy(home / "state/journal.db", cut)
                        shutil.copy(home / "state/journal.db-wal", f"{cut}-wal")

            daemon.service.engine.listeners.append(heard)
            seed = 0
            while not cut.exists():
                seed += 1
                await deal(daemon, sim, DealPlan(rounds=3, seed=seed), stop)
        shutil.copy(home / "state/journal.db", directory / f"{game}.dealt.db")
        if game in JACKPOTS:
            shutil.copy(home / "state/jackpot.db", directory / f"{game}.meters.db")


def daemons(directory: Path) -> None:
    engines.SNAPSHOT_EVERY = 60
    DEALERS[HouseGame] = Dealers(_Dealer, _Dealer)
    for game in GAMES:
        asyncio.run(_dealt(directory, game))
        print(game, flush=True)


# ---- a meter that two tables share


async def _shared(directory: Path) -> None:
    path = directory / "shared.meters.db"
    for name in ("T1", "T2"):
        async with Kept(directory, SqliteStore(path), name=name, jackpot_group="floor") as table:
            await table.round()
            await table.round(ROYAL)
            await table.registered()
            await table.told()
        (directory / f"{name}.db").rename(directory / f"caribbean-stud.shared-{name}.db")


# ---- all of it


def packed(directory: Path, target: Path) -> None:
    """One archive, and beside it what this version says of each file."""
    said: dict[str, Any] = {}
    for path in sorted(directory.glob("*.db")):
        with tempfile.TemporaryDirectory() as name:  # what looks at a file may change it
            copy = Path(shutil.copy(path, name))
            if (wal := path.with_name(path.name + "-wal")).exists():
                shutil.copy(wal, name)
            said[path.name] = meters_say(copy) if ".meters." in path.name else journal_says(copy)
    target.mkdir(parents=True, exist_ok=True)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for path in sorted(directory.iterdir()):
            entry = tarfile.TarInfo(path.name)
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                archive.addfile(entry, file)
    (target / "files.tar.xz").write_bytes(lzma.compress(raw.getvalue(), preset=9 | lzma.PRESET_EXTREME))
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(what)}" for name, what in said.items())
    (target / "said.json").write_text("{\n" + lines + "\n}\n")


def main(target: Path) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory(), processors=[lambda *_: ""])
    with tempfile.TemporaryDirectory() as name:
        scripts(Path(name))
        daemons(Path(name))
        asyncio.run(_shared(Path(name)))
        packed(Path(name), target)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(prog="python -m tests.kept.keep", description=__doc__.splitlines()[0])
    arguments.add_argument("target", type=Path, help="the new folder, tests/kept/NUMBER")
    main(arguments.parse_args().target)
