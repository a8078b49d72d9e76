"""felt round: rounds on record, asked from the daemon or read from a journal's file, in a terminal of 80 columns."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.cli.round import command
from tests.cli.conftest import felt
from tests.daemon.house import PATIENCE, House

ROUNDS = 3  # that are dealt at the table of the fixtures


def ask(house: House, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in this process, which spares the start of another one."""
    ran = CliRunner().invoke(command, list(words), env={"FELT_SOCKET": str(house.socket), "COLUMNS": "80"})
    return subprocess.CompletedProcess(words, ran.exit_code, ran.stdout, ran.stderr)


def narrow(text: str) -> None:
    assert all(len(line) <= 80 for line in text.splitlines() if not line.startswith("feltd-anchor")), text


def test_a_list(dealt: House, file: Path) -> None:
    said = ask(dealt, "list")
    assert said.returncode == 0, said.stderr
    heading, *rows = said.stdout.splitlines()
    assert heading.split()[:2] == ["round", "opened"]
    assert [row.split()[0] for row in rows] == ["3", "2", "1"]
    narrow(said.stdout)
    assert felt("round", "list", FELT_SOCKET=str(dealt.socket)).stdout == said.stdout  # as a person types it
    offline = ask(dealt, "list", "--journal", str(file))
    assert offline.stdout == said.stdout
    page = ask(dealt, "list", "-n", "2")
    assert page.stdout.splitlines()[-1].startswith("more: --before ")
    before = page.stdout.split()[-1]
    assert [row.split()[0] for row in ask(dealt, "list", "--before", before).stdout.splitlines()[1:]] == ["1"]
    assert ask(dealt, "list", "--outcome", "void").stdout == "no such round is on record\n"
    assert ask(dealt, "list", "--area", "2").stdout == "no such round is on record\n"


def test_the_same_as_data_from_the_daemon_and_from_the_file(dealt: House, file: Path) -> None:
    for words in (["list", "-n", "2"], ["show", "2"], ["replay", "2"], ["receipt", "2"], ["receipt", "2", "--html"]):
        live = json.loads(ask(dealt, *words, "--json").stdout)
        assert json.loads(ask(dealt, *words, "--json", "--journal", str(file)).stdout) == live, words


def test_a_round_is_told_as_a_person_would(dealt: House, file: Path) -> None:
    said = ask(dealt, "show", "2")
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert lines[0] == "round 2: Casino War, settled"
    assert any(line.startswith("  dealer   ") for line in lines)
    assert lines[-1].startswith("  journal  facts ")
    narrow(said.stdout)
    assert ask(dealt, "show", "2", "--journal", str(file)).stdout == said.stdout


def test_a_replay_at_once(dealt: House) -> None:
    said = ask(dealt, "replay", "1", "--all")
    lines = said.stdout.splitlines()
    assert lines[0].startswith("round 1: Casino War, ") and lines[-1] == "round 1: settled"
    assert any("key settle" in line for line in lines)
    assert sum(line.startswith("          -> ") for line in lines) > 3
    narrow(said.stdout)
    assert ask(dealt, "replay", "1").stdout == said.stdout  # nobody sits at a terminal


def test_a_replay_waits_for_enter_and_ends_with_q(dealt: House) -> None:
    parent, child = pty.openpty()
    code = "import sys; from controller.cli.main import main; sys.exit(main())"
    env = {**os.environ, "FELT_SOCKET": str(dealt.socket), "COLUMNS": "80"}
    process_command = [sys.executable, "-c", code, "round", "replay", "1"]
    with subprocess.Popen(process_command, stdin=child, stdout=child, stderr=child, env=env) as process:
        os.close(child)
        try:
            first = until(parent, "-> ")
            assert "1/" in first and "2/" not in first
            os.write(parent, b"\n")
            assert "2/" in until(parent, "-> ")
            os.write(parent, b"q\n")
            assert process.wait(PATIENCE) == 0
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            os.close(parent)


def until(terminal: int, word: str) -> str:
    """What stands on the terminal until this word has come."""
    said, end = "", time.monotonic() + PATIENCE
    while word not in said and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            said += os.read(terminal, 4096).decode()
    return said


def test_a_receipt_is_written_once_and_its_anchor_verifies(dealt: House, file: Path, tmp_path: Path) -> None:
    said = ask(dealt, "receipt", "2")
    assert said.returncode == 0, said.stderr
    narrow(said.stdout)
    anchor = tmp_path / "anchor"
    anchor.write_text(said.stdout)  # the whole receipt, as it was printed
    for words in ([], [str(file)]):
        verified = felt("journal", "verify", *words, "--anchor", str(anchor), FELT_SOCKET=str(dealt.socket))
        assert (verified.returncode, "the anchor holds" in verified.stdout) == (0, True), verified.stdout
    page = tmp_path / "2.html"
    assert ask(dealt, "receipt", "2", "--html", "-o", str(page)).returncode == 0
    assert page.read_text().startswith("<!DOCTYPE html>")
    for printed in (anchor, page):
        compared = ask(dealt, "receipt", "2", "--compare", str(printed))
        assert (compared.returncode, compared.stdout) == (0, f"{printed}: every word is as on record\n")
    again = ask(dealt, "receipt", "2", "--html", "-o", str(page))
    assert again.returncode == 1 and again.stderr.startswith("receipt.unwritable: ")


def test_a_receipt_whose_words_were_changed_is_told(dealt: House, file: Path, tmp_path: Path) -> None:
    doctored = tmp_path / "doctored"
    said = ask(dealt, "receipt", "2").stdout
    doctored.write_text(said.replace("Outcome: settled", "Outcome: void"))
    for words in ([], ["--journal", str(file)]):
        compared = ask(dealt, "receipt", "2", "--compare", str(doctored), *words)
        assert compared.returncode == 1 and compared.stderr.startswith("receipt.differs: 2 lines of ")
        assert compared.stdout.splitlines()[2:] == ["-Outcome: void", "+Outcome: settled"]
    as_json = ask(dealt, "receipt", "2", "--compare", str(doctored), "--json")
    assert json.loads(as_json.stderr or as_json.stdout)["error"]["code"] == "receipt.differs"
    doctored.write_bytes(b"\xff")
    assert "it is no UTF-8 text" in ask(dealt, "receipt", "2", "--compare", str(doctored)).stderr


def test_mistakes_have_a_code_and_a_step(dealt: House, file: Path, tmp_path: Path) -> None:
    cases: list[tuple[list[str], str]] = [
        (["show", "99"], "round.unknown"),
        (["show", "99", "--journal", str(file)], "round.unknown"),
        (["show", "1", "--opened", "77"], "round.unknown"),
        (["list", "--since", "soon"], "round.filter"),
        (["list", "--since", "soon", "--journal", str(file)], "round.filter"),
        (["show", "1", "--journal", str(tmp_path / "none")], "journal.io"),
    ]
    for words, code in cases:
        said = ask(dealt, *words)
        assert said.returncode == 1 and said.stderr.startswith(f"{code}: "), (words, said.stderr)
        assert said.stderr.splitlines()[1].startswith("  -> "), words
        assert said.stderr.splitlines()[1] != "  -> ", words
        data: dict[str, Any] = json.loads(ask(dealt, *words, "--json").stdout)
        assert data["error"]["code"] == code


@pytest.mark.timeout(240)
def test_killed_at_any_moment_it_is_complete_after_a_restart(tmp_path: Path) -> None:
    """The daemon is killed again and again while rounds end; nothing of it is missing then."""
    house = House(tmp_path)
    try:
        rounds = 0
        for kill in range(4):
            house.start()
            house.deal_a_round()
            rounds += 1
            time.sleep(0.03 * kill)  # before the index knows of it, while it is written, after it
            house.stop(signal.SIGKILL)
        house.start()
        told = [each["number"] for each in house.client.get("/rounds", n=50)["rounds"]]
        assert told == list(range(rounds, 0, -1))
        for number in (1, rounds):
            assert house.client.get(f"/rounds/{number}")["round"]["outcome"] == "settled"
    finally:
        house.close()
