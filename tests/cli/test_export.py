"""felt round export: from the daemon and from a file, read back."""

from __future__ import annotations

import builtins
import csv
import json
import tarfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pokerkit import HandHistory

from controller.cli.report import command as report
from controller.cli.round import command
from tests.daemon.house import House

KEPT = Path(__file__).parents[1] / "kept" / "0.2.0" / "files.tar.xz"


@pytest.fixture(scope="module")
def poker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("kept")
    with tarfile.open(KEPT) as kept:
        kept.extract("holdem.dealt.db", into, filter="data")
    return into / "holdem.dealt.db"


def ask(house: House, *words: str) -> Result:
    return CliRunner().invoke(command, ["export", *words], env={"FELT_SOCKET": str(house.socket)})


def of_file(file: Path, *words: str) -> Result:
    return CliRunner().invoke(command, ["export", *words, "--journal", str(file)])


def test_wagers_for_a_spreadsheet_and_for_programs(dealt: House, file: Path) -> None:
    text = ask(dealt, "--csv").stdout
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["round"], row["spot"], row["win"], row["result"]) for row in rows] == [
        ("1", "war", "10.00", "lose"),
        ("2", "war", "10.00", "lose"),
    ]
    assert of_file(file, "--csv").stdout == text
    lines = [json.loads(line) for line in ask(dealt, "--json").stdout.splitlines()]
    assert [line["theoretical"] for line in lines] == [row["theoretical"] for row in rows]
    (second,) = csv.DictReader(ask(dealt, "2", "--csv").stdout.splitlines())
    assert second["round"] == "2"
    assert ask(dealt, "--csv", "--since", "2100-01-01").stdout.count("\n") == 1


def test_hands_of_poker(poker: Path, tmp_path: Path) -> None:
    history = HandHistory.loads(of_file(poker, "3", "--phh").stdout)
    assert (history.hand, history.variant) == (3, "NT")
    out = tmp_path / "hands.phhs"
    assert of_file(poker, "--phh", "-o", str(out)).stdout == f"{out}: 9 rounds\n"
    assert [each.hand for each in HandHistory.loads_all(out.read_text())] == list(range(1, 10))
    assert "receipt.unwritable" in of_file(poker, "--phh", "-o", str(out)).stderr


def test_what_cannot_be_written(dealt: House, file: Path) -> None:
    for words, code in (
        (("1", "--phh"), "export.phh: round 1: it is no hand of poker"),
        (("7", "--csv"), "export.nothing"),
        ((), "export.form"),
        (("--parquet",), "export.form"),
    ):
        result = ask(dealt, *words)
        assert result.exit_code == 1
        assert code in result.stderr
    every = ask(dealt, "--phh")
    assert (every.exit_code, every.stdout) == (0, "")
    assert "round 1 is left out: it is no hand of poker" in every.stderr


def test_without_pyarrow(dealt: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    result = ask(dealt, "--parquet", "-o", str(tmp_path / "x.parquet"))
    assert result.exit_code == 1
    assert "export.parquet: this takes pyarrow, which is not installed" in result.stderr
    assert "pip install 'feltd[parquet]'" in result.stderr


def test_parquet_reads_back(dealt: House, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: feltd[parquet]")
    wagers, parts = tmp_path / "wagers.parquet", tmp_path / "parts.parquet"
    assert ask(dealt, "--parquet", "-o", str(wagers)).stdout == f"{wagers}: 2 wagers\n"
    read = parquet.read_table(wagers).to_pylist()
    rows = list(csv.DictReader(ask(dealt, "--csv").stdout.splitlines()))
    assert [each["win"] for each in read] == [Decimal(row["win"]) for row in rows]
    assert [each["theoretical"] for each in read] == [row["theoretical"] for row in rows]
    assert [each["at"].isoformat(timespec="milliseconds") for each in read] == [row["at"] for row in rows]
    without = CliRunner().invoke(report, ["--parquet", str(parts)], env={"FELT_SOCKET": str(dealt.socket)})
    assert (without.exit_code, "no BY was given" in without.stderr, parts.exists()) == (1, True, False)
    told = CliRunner().invoke(report, ["game", "--parquet", str(parts)], env={"FELT_SOCKET": str(dealt.socket)})
    assert told.stdout == f"{parts}: 2 rows, all of it the last\n"
    game, total = parquet.read_table(parts).to_pylist()
    assert (game["name"], game["win"], total["win"], total["pace"]) == ("casino-war", Decimal(20), Decimal(20), None)
    assert "receipt.unwritable" in ask(dealt, "--parquet", "-o", str(wagers)).stderr
