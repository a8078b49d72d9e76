"""The commands that need no daemon, and what the others say without one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner

from controller.cli.group import cli
from controller.cli.main import COMMANDS, help_text
from controller.games import GAMES
from controller.journal import Entry, Journal
from tests.cli.conftest import felt
from tests.daemon.house import PATIENCE, table_toml


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.mark.parametrize(
    "words", [("status",), ("devices",), ("journal", "tail"), ("journal", "verify"), ("journal", "anchor")]
)
def test_without_a_daemon(tmp_path: Path, words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(cli, [*words, "--socket", str(tmp_path / "none.sock")])
    assert result.exit_code == 1
    assert "daemon.unreachable" in result.output and "systemctl status feltd" in result.output
    result = CliRunner().invoke(cli, [*words, "--json", "--socket", str(tmp_path / "none.sock")])
    assert json.loads(result.output)["error"]["code"] == "daemon.unreachable"


def test_help_needs_nothing_and_says_what_click_would() -> None:
    fast = felt("--help")
    assert (fast.returncode, fast.stdout.strip()) == (0, help_text())
    assert CliRunner().invoke(cli, ["--help"]).output.strip() == help_text()
    for name in COMMANDS:
        assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0
    assert CliRunner().invoke(cli, ["statsu"]).exit_code == 2


def test_help_does_not_import_what_it_does_not_need() -> None:
    code = "import sys; import controller.cli.main; print(sorted({'click', 'asyncio', 'typing'} & set(sys.modules)))"
    said = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, timeout=20)
    assert said.stdout.strip() == "[]"


def test_the_client_is_the_standard_library() -> None:
    code = "import sys; import controller.cli.status; print({'aiohttp', 'rich', 'structlog'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=20)
    assert said.stdout.strip() == "set()"


# ---- journals of stopped tables


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    journal = Journal.open(path, table="T1")
    journal.append([Entry(n, b"fact %d" % n) for n in range(1, 6)])
    journal.close()
    return path


def test_a_stopped_tables_journal(journal: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["journal", "verify", str(journal)])
    assert (result.exit_code, result.output) == (0, "sound: 5 records\n")
    anchor = CliRunner().invoke(cli, ["journal", "anchor", str(journal)]).output
    kept = tmp_path / "anchor"
    kept.write_text(anchor)
    result = CliRunner().invoke(cli, ["journal", "verify", str(journal), "--anchor", str(kept)])
    assert (result.exit_code, "the anchor holds" in result.output) == (0, True)


def test_an_altered_journal(journal: Path) -> None:
    data = bytearray(journal.read_bytes())
    data[data.index(b"fact 3")] ^= 1
    journal.write_bytes(data)
    result = CliRunner().invoke(cli, ["journal", "verify", str(journal)])
    assert result.exit_code == 1
    assert "NOT SOUND at record 3: record.altered" in result.output and "  -> " in result.output
    assert "2 records before it are sound" in result.output


@pytest.mark.parametrize(("text", "code"), [(None, "anchor.unreadable"), ("nonsense", "anchor.invalid")])
def test_an_anchor_that_is_none(journal: Path, tmp_path: Path, text: str | None, code: str) -> None:
    kept = tmp_path / "anchor"
    if text is not None:
        kept.write_text(text)
    result = CliRunner().invoke(cli, ["journal", "verify", str(journal), "--anchor", str(kept)])
    assert (result.exit_code, code in result.output) == (1, True)


def test_a_journal_that_is_none(tmp_path: Path) -> None:
    for words in (["verify"], ["anchor"]):
        result = CliRunner().invoke(cli, ["journal", *words, str(tmp_path / "none.db")])
        assert (result.exit_code, "journal.io" in result.output) == (1, True)


# ---- configuration


def test_config_check(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    result = CliRunner().invoke(cli, ["config", "check", str(path)])
    assert (result.exit_code, result.output) == (0, f"{path} can be used: table T1, casino-war, 5 devices\n")
    path.write_text(path.read_text().replace("seats = 2", "seats = 12"))
    result = CliRunner().invoke(cli, ["config", "check", str(path)])
    assert result.exit_code == 1
    assert f"{path}:6: options.seats: a table has places for nine players or fewer (rule 2.1)" in result.output
    result = CliRunner().invoke(cli, ["config", "check", "--json", str(path)])
    assert json.loads(result.output)["problems"][0]["line"] == 6


def test_config_check_tells_what_may_surprise(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("seats = 2", "seats = 4").replace("sim://lamps", "serial:///dev/ttyUSB0"))
    result = CliRunner().invoke(cli, ["config", "check", str(path)])
    assert (result.exit_code, "can be used" in result.output) == (0, True)
    assert "areas 3, 4 of 4 have no bet sensor" in result.output
    assert "seats = 2" in result.output
    assert "device.lamps.address: /dev/ttyUSB0 is whichever adapter was found first" in result.output
    found = json.loads(CliRunner().invoke(cli, ["config", "check", "--json", str(path)]).output)
    assert [hint["key"] for hint in found["hints"]] == ["device", "device", "device", "device.lamps.address"]
    assert "lamps: not used before `felt device NAME pair`" in result.output
    lines = path.read_text().splitlines()
    assert "/dev/ttyUSB0" in lines[found["hints"][3]["line"] - 1]


def test_config_check_tells_of_lamps_that_the_game_never_lights(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    pins = '"gpio://mock"\n[device.lamps.gpio]\noutputs = { bets = 1, "decide:2" = 2, "act:1" = 3, jackpot = 4 }\n'
    path.write_text(path.read_text().replace('"sim://lamps"', pins))
    found = json.loads(CliRunner().invoke(cli, ["config", "check", "--json", str(path)]).output)["hints"]
    unlit = {hint["key"]: hint["message"] for hint in found if "never lights" in hint["message"]}
    assert list(unlit) == ['device.lamps.gpio.outputs."act:1"', "device.lamps.gpio.outputs.jackpot"]
    assert unlit.popitem()[1].startswith("casino-war never lights it here")


def test_config_check_tells_of_a_port_behind_an_adapter_and_of_simulated_devices_among_real_ones(
    tmp_path: Path,
) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://lamps", "can:///dev/ttyACM1/0x21?interface=slcan"))
    said = CliRunner().invoke(cli, ["config", "check", str(path)]).output
    assert "device.lamps.address: /dev/ttyACM1 is whichever adapter was found first" in said
    assert "shoe, console, sensor.1, sensor.2 are simulated devices among real ones" in said


@pytest.mark.parametrize(
    ("listen", "told"),
    [
        ("192.0.2.11:8080", True),
        ("0.0.0.0:8080", True),
        ("[::]:8080", True),
        ("127.0.0.1:8080", False),
        ("[::1]:80", False),
    ],
)
def test_config_check_says_that_pages_on_a_network_are_not_encrypted(tmp_path: Path, listen: str, told: bool) -> None:
    path = table_toml(tmp_path)
    path.write_text(f'{path.read_text()}[web]\nlisten = "{listen}"\n')
    found = json.loads(CliRunner().invoke(cli, ["config", "check", "--json", str(path)]).output)
    lines = path.read_text().splitlines()
    said = [
        lines[hint["line"] - 1] for hint in found["hints"] if "insecure: pages are not encrypted" in hint["message"]
    ]
    assert said == ([f'listen = "{listen}"'] if told else [])


def test_config_check_never_proposes_a_table_that_loses_a_sensor(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    text = path.read_text().replace("seats = 2", "seats = 4")
    path.write_text(text.replace('"sensor.1"', '"sensor.3"').replace("area = 1", "area = 3"))
    said = CliRunner().invoke(cli, ["config", "check", str(path)]).output
    assert "areas 1, 4 of 4 have no bet sensor" in said and "seats =" not in said


def test_config_check_knows_where_a_scraper_cannot_go(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    plain = path.read_text()
    path.write_text(plain + 'read-socket = "/run/feltd/read.sock"\n')
    said = CliRunner().invoke(cli, ["config", "check", str(path)]).output
    assert (
        "api.read-socket: only root and the group feltd may enter /run/feltd: write /run/feltd-read/read.sock" in said
    )
    path.write_text(plain + 'read-socket = "/run/feltd-read/feltd.sock"\n')
    assert "read-socket" not in CliRunner().invoke(cli, ["config", "check", str(path)]).output


# ---- the table that deals itself


def test_sim_deals_and_sums_up(tmp_path: Path) -> None:
    said = felt("sim", "--rounds", "5", "--seed", "4", "--state", str(tmp_path))
    assert (said.returncode, said.stderr) == (0, "")
    assert "felt status --socket /" in said.stdout
    assert "casino-war on 8 simulated devices" in said.stdout  # as many as `felt devices` has
    assert re.findall(r"^round (\d+): settled", said.stdout, re.M) == ["1", "2", "3", "4", "5"]
    assert re.search(r"^  area \d +[2-9TJQKA][shdc]\n +(tie .*\n +)?war \d+ lose \S+ \(5\.\d", said.stdout, re.M)
    assert re.search(r"^ +war \d+ win \+\d+, pays 1 to 1 \(5\.\d", said.stdout, re.M)
    summary = said.stdout.splitlines()[-1]
    assert re.fullmatch(r"5 rounds, (\d+) facts; journal verified, \1 records: sound", summary)

    again = CliRunner().invoke(cli, ["sim", "--rounds", "1", "--state", str(tmp_path)])
    assert "round 6: settled" in again.output  # the same journal goes on


def test_sim_shows_compared_hands_with_names_and_odds_and_hides_folded_ones() -> None:
    said = CliRunner().invoke(cli, ["sim", "--rounds", "6", "--seed", "1", "--game", "caribbean-stud"]).output
    assert re.search(r"^  dealer   (\w\w ){5} (pair|\w+ high).*; (qualifies|does not qualify) \(8\.2\)$", said, re.M)
    assert re.search(r"^  area \d   (\w\w ){5} (pair|two pair|\w+ high).*  bets$", said, re.M)
    assert re.search(
        r"^           bet \d+ win \+\d+, (pair|high card|two pair) pays [12] to 1, table 1 \(8\.4\.4", said, re.M
    )
    assert set(re.findall(r"^  area \d   (.*)  folds$", said, re.M)) == {"5 cards face down"}
    assert "??" not in said


def test_sim_the_same_seed_deals_the_same_cards() -> None:
    def story(seed: str) -> list[str]:
        said = CliRunner().invoke(cli, ["sim", "--rounds", "3", "--seed", seed])
        return [line for line in said.output.splitlines() if line.startswith(("round", "  area", "  dealer"))]

    assert story("7") == story("7") != story("8")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_sim_deals_every_game(game: str) -> None:
    said = CliRunner().invoke(cli, ["sim", "--game", game, "--rounds", "2", "--seed", "5"])
    assert said.exit_code == 0, said.output
    assert "2 rounds" in said.output and "sound" in said.output


def test_sim_ends_when_nobody_reads_on() -> None:
    code = "import sys; from controller.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "sim", "--speed", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as dealing:
        assert dealing.stdout is not None and dealing.stderr is not None
        assert dealing.stdout.readline().startswith("table demo")
        dealing.stdout.close()
        assert dealing.wait(PATIENCE) == 0
        assert dealing.stderr.read() == ""


def test_sim_names_the_command_so_that_it_can_be_called() -> None:
    felt_command = Path(sys.executable).with_name("felt")
    environment = {**os.environ, "PATH": os.defpath}
    said = subprocess.run([str(felt_command), "sim", "--rounds", "0"], capture_output=True, text=True, env=environment)
    assert f"from another terminal:  {felt_command} status --socket /" in said.stdout


def test_sim_which_game() -> None:
    said = CliRunner().invoke(cli, ["sim", "--game", "bridge"])
    assert (said.exit_code, 'there is no game "bridge"' in said.output) == (2, True)
    said = CliRunner().invoke(cli, ["sim", "--game", "holdem", "--config", "table.toml"])
    assert (said.exit_code, "the file of --config says which game" in said.output) == (2, True)


def test_sim_ends_at_ctrl_c_and_answers_meanwhile(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    code = "import sys; from controller.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "sim", "--speed", "20", "--config", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        assert any(line.startswith("round 2") for line in table.stdout)
        assert "table T1: casino-war" in felt("status", "--socket", str(tmp_path / "feltd.sock")).stdout
        table.send_signal(2)
        *_, summary = table.stdout
        assert "sound" in summary
        assert table.wait(20) == 0


def test_sim_wants_simulated_devices(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace("sim://shoe", "serial:///dev/null"))
    said = CliRunner().invoke(cli, ["sim", "--rounds", "1", "--config", str(path)])
    assert (said.exit_code, "sim.real-device: not simulated: shoe" in said.output) == (1, True)
    path.write_text("")
    assert CliRunner().invoke(cli, ["sim", "--rounds", "1", "--config", str(path)]).exit_code == 2
