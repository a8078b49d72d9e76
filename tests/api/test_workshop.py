"""The technician's commands through the API and `felt device`: pair, flash, clear."""

from __future__ import annotations

import asyncio
import io
import json
import os
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.api import technician
from controller.api.technician import QUESTIONS
from controller.cli import service
from controller.cli.demo import dealt_table
from controller.cli.device import command
from controller.cli.devices import command as list_devices
from controller.cli.journal import command as journal
from controller.config.key_file import KeyFile
from controller.config.load import load_config
from controller.errors import FeltError
from firmware_bridge.image import make_image
from hw_sim.table import SimDevice
from tests.api.conftest import PATIENCE, Floor
from tests.daemon.house import table_toml

ANSWERS = (
    *("--name", "technician 7", "--licence", "L-1", "--time", "2026-01-31T14:05+11:00"),
    *("--reason", "reader replaced", "--asset", "A-3"),
)
ENTRY = "by technician 7, licence L-1, at 2026-01-31T14:05+11:00; reader replaced; asset A-3"
SIGNER, STRANGER = bytes([3]) * 32, bytes([4]) * 32
PUBLIC = Ed25519PrivateKey.from_private_bytes(SIGNER).public_key().public_bytes_raw()


def image(directory: Path, signer: bytes = SIGNER) -> str:
    path = directory / "shoe.img"
    path.write_bytes(make_image(signer, "shoe", "sim-shoe", "1.3.0", b"new" * 2000).to_bytes())
    return str(path)


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    path = table_toml(tmp_path)
    serial = 'family = "shoe"\nserial = "SIM-shoe"'
    text = path.read_text().replace('family = "shoe"', serial)
    path.write_text(f'{text}[family.shoe]\nmin-firmware = "1.0.0"\n[firmware]\nkeys = ["{PUBLIC.hex()}"]\n')
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        yield Floor(daemon, sim)


class Eyes(io.RawIOBase):
    """Standard input: somebody who types what the device shows, once it shows something."""

    def __init__(self, device: SimDevice, mistake: bool = False) -> None:
        self._device, self._mistake = device, mistake
        self._typed = b""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        code = self._device.state()["code"]
        if not self._typed and code:
            self._typed = (f"{(int(code) + 1) % 10**6:06d}" if self._mistake else code).encode() + b"\n"
        piece, self._typed = self._typed[: len(room)], self._typed[len(room) :]
        room[: len(piece)] = piece
        return len(piece)


async def felt(floor: Floor, *words: str, eyes: Eyes | None = None, answers: Sequence[str] = ANSWERS) -> Result:
    arguments = [*words, *answers, "--socket", str(floor.daemon.config.api.socket)]
    return await asyncio.to_thread(lambda: CliRunner().invoke(command, arguments, input=cast(IO[bytes] | None, eyes)))


async def told(floor: Floor) -> list[str]:
    """What `felt journal tail` says."""
    await floor.rest()
    arguments = ["tail", "--socket", str(floor.daemon.config.api.socket)]
    said = await asyncio.to_thread(lambda: CliRunner().invoke(journal, arguments))
    return [line.split(None, 4)[4] for line in said.output.splitlines()]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def ready(floor: Floor) -> bool:
    return floor.daemon.service.fleet.devices["shoe"].state.phase == "ready"


async def test_a_device_is_paired_and_the_key_is_kept_but_never_shown(floor: Floor) -> None:
    shoe = floor.sim.device("shoe")
    said = await felt(floor, "shoe", "pair")
    assert said.exit_code == 1 and "pair.refused" in said.stderr and "pairing switch" in said.stderr
    await until(lambda: ready(floor))
    shoe.do("pairing", "on")
    said = await felt(floor, "shoe", "pair", "--json", eyes=Eyes(shoe))
    assert said.exit_code == 0, said.output
    lines = await told(floor)
    assert lines.index(f"shoe: pair {ENTRY}") < lines.index("shoe: paired anew (SIM-shoe)")
    shoe.do("pairing", "off")
    supervisor = floor.daemon.service.fleet.devices["shoe"]
    keys = KeyFile(floor.daemon.config.table.state).read(["SIM-shoe"])
    assert keys == {"SIM-shoe": supervisor.key}
    assert keys["SIM-shoe"].hex() not in said.output
    await until(lambda: not ready(floor))
    await until(lambda: ready(floor))
    table = await asyncio.to_thread(
        lambda: CliRunner().invoke(list_devices, ["--socket", str(floor.daemon.config.api.socket)])
    )
    rows = {line.split()[0]: line.split()[3] for line in table.output.splitlines()[1:6]}
    assert rows["shoe"] == "sealed" and rows["console"] == "internal"


async def test_what_was_paired_is_sealed_from_the_start(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace('family = "shoe"', 'family = "shoe"\nserial = "SIM-shoe"'))
    config = load_config(path)
    keys = KeyFile(config.table.state)
    keys.store("SIM-shoe", bytes(range(32)))
    async with dealt_table(config) as (daemon, sim, _):
        assert daemon.service.fleet.devices["shoe"].encrypted and sim.device("shoe").board.end.keyed
        assert not daemon.service.fleet.devices["console"].encrypted
    keys.path.chmod(0o644)
    with pytest.raises(FeltError) as error:
        async with dealt_table(config):
            pass
    assert error.value.code == "keys.permissions"


async def test_a_device_without_a_serial_number_is_not_paired(floor: Floor) -> None:
    said = await felt(floor, "console", "pair")
    assert said.exit_code == 1 and "pair.no-serial" in said.stderr


async def test_firmware_is_flashed(floor: Floor, tmp_path: Path) -> None:
    said = await felt(floor, "shoe", "flash", image(tmp_path), "--json")
    assert said.exit_code == 0, said.output
    assert json.loads(said.stdout.splitlines()[-1]) == {"device": "shoe", "firmware": "1.3.0", "flashed": True}
    assert floor.sim.device("shoe").board.firmware == "1.3.0"
    lines = await told(floor)
    after = lines[lines.index(f"shoe: flash {ENTRY}") :]
    assert any(line.startswith("shoe: firmware 1.3.0 (") for line in after)
    await until(lambda: ready(floor))
    said = await felt(floor, "shoe", "flash", image(tmp_path))
    assert said.exit_code == 1 and "flash.same" in said.stderr


async def test_firmware_by_a_stranger_is_not_even_sent(floor: Floor, tmp_path: Path) -> None:
    said = await felt(floor, "shoe", "flash", image(tmp_path, STRANGER))
    assert said.exit_code == 1 and "image.signature" in said.stderr
    assert ready(floor)  # nobody touched it
    said = await felt(floor, "shoe", "flash", str(tmp_path / "none"))
    assert said.exit_code == 1 and "image.missing" in said.stderr


async def test_nothing_is_done_while_a_round_is_dealt(floor: Floor, tmp_path: Path) -> None:
    await floor.bet(1, 1000)
    await floor.press("no-more-bets")
    for words in (["pair"], ["flash", image(tmp_path)]):
        said = await felt(floor, "shoe", *words)
        assert said.exit_code == 1 and "device.in-play" in said.stderr
    assert ready(floor)


async def test_tampering_stays_until_it_is_cleared(floor: Floor) -> None:
    said = await felt(floor, "shoe", "clear")
    assert said.exit_code == 1 and "device.not-tampered" in said.stderr
    floor.daemon.service.fleet.tampering.detected("shoe")
    floor.daemon.service.fleet.tampering.detected("shoe")
    await floor.rest()
    status = await floor.get("/status")
    assert [trouble["code"] for trouble in status["trouble"]] == ["link.tampered"]
    assert "cable" in status["trouble"][0]["next_step"]
    shoe = (await floor.get("/devices"))["devices"][0]
    assert (shoe["name"], shoe["phase"], shoe["cause"]["code"]) == ("shoe", "ready", "link.tampered")
    said = await felt(floor, "shoe", "clear")
    assert said.exit_code == 0
    assert (await told(floor))[-2:] == [f"shoe: clear {ENTRY}", "shoe: link.tampered is over"]
    assert not (await floor.get("/status"))["trouble"]


async def test_there_is_no_such_device(floor: Floor) -> None:
    said = await felt(floor, "shoo", "pair")
    assert said.exit_code == 1 and "device.unknown" in said.stderr


async def test_another_code_than_the_device_shows_stores_no_key(floor: Floor) -> None:
    shoe = floor.sim.device("shoe")
    shoe.do("pairing", "on")
    said = await felt(floor, "shoe", "pair", eyes=Eyes(shoe, mistake=True))
    assert said.exit_code == 1 and "pair.code" in said.stderr and "cut its power" in said.stderr
    assert "shoe: not paired (pair.code)" in await told(floor)  # the device may be back by then
    shoe.fault("power")
    shoe.do("pairing", "off")
    assert not KeyFile(floor.daemon.config.table.state).read(["SIM-shoe"]) and not shoe.board.end.keyed
    await until(lambda: ready(floor))


async def test_who_hangs_up_while_the_code_is_awaited_leaves_everything_as_it_was(floor: Floor) -> None:
    shoe = floor.sim.device("shoe")
    shoe.do("pairing", "on")
    what = "/devices/shoe/pair?" + urlencode(dict(zip(QUESTIONS, ANSWERS[1::2], strict=True)))

    def hang_up() -> None:
        lines = floor.client.work(what, b"")
        assert next(lines) == {"device": "shoe", "compare": True}
        lines.close()  # type: ignore[attr-defined]

    await asyncio.to_thread(hang_up)
    shoe.do("pairing", "off")
    await until(lambda: ready(floor))
    with pytest.raises(FeltError) as error:
        await floor.post("/devices/shoe/pair/code", {"code": "123456"})
    assert error.value.code == "pair.not-begun"
    with pytest.raises(FeltError) as error:
        await floor.post("/devices/shoe/pair/code", {"cod": "123456"})
    assert error.value.code == "pair.unread"
    assert not shoe.board.end.keyed


# ---- the service log


@pytest.mark.parametrize("left_out", [name for name in QUESTIONS if name != "time"])
async def test_nothing_is_done_without_all_five_answers(left_out: str, floor: Floor, tmp_path: Path) -> None:
    where = ANSWERS.index(f"--{left_out}")
    answers = (*ANSWERS[:where], *ANSWERS[where + 2 :])
    before = floor.engine.seq
    floor.daemon.service.fleet.tampering.detected("shoe")
    for words in (["pair"], ["flash", image(tmp_path)], ["clear"]):
        said = await felt(floor, "shoe", *words, answers=answers)
        assert said.exit_code == 1 and "service.missing" in said.stderr and f"--{left_out}" in said.stderr
    what = "/devices/shoe/clear?" + urlencode({**dict(zip(QUESTIONS, ANSWERS[1::2], strict=True)), left_out: " "})
    with pytest.raises(FeltError) as error:  # nor by whoever does without the command
        await floor.post(what, {})
    assert error.value.code == "service.missing"
    await floor.rest()
    assert floor.engine.seq == before + 1 and ready(floor)  # the tampering itself


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        (("2026-01-31T14:05+11:00", "yesterday"), "service.time"),
        (("L-1", "1" * 201), "service.long"),
    ],
)
async def test_answers_that_make_no_sense(changed: tuple[str, str], code: str, floor: Floor) -> None:
    floor.daemon.service.fleet.tampering.detected("shoe")
    answers = [changed[1] if answer == changed[0] else answer for answer in ANSWERS]
    said = await felt(floor, "shoe", "clear", answers=answers)
    assert said.exit_code == 1 and code in said.stderr


async def test_the_time_is_filled_in_and_the_rest_is_asked_for(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    floor.daemon.service.fleet.tampering.detected("shoe")
    asked: list[tuple[str, str | None]] = []

    def answer(question: str, default: str | None = None, err: bool = False) -> str:
        asked.append((question, default))
        return default or question.lower()

    monkeypatch.setattr("controller.cli.service.click.prompt", answer)
    monkeypatch.setattr(service, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))
    said = await felt(floor, "shoe", "clear", answers=("--asset", "A-3"))
    assert said.exit_code == 0, said.output
    assert [question for question, _ in asked] == [
        words for name, words in service.QUESTIONS.items() if name != "asset"
    ]
    (time,) = [default for _, default in asked if default]
    entry = (await told(floor))[-2]
    assert f"by your name, licence your licence number, at {time}; component and reason; asset A-3" in entry


# ---- who may


async def test_only_a_technician_may(floor: Floor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    floor.daemon.service.fleet.tampering.detected("shoe")
    monkeypatch.setattr(technician, "caller_of", lambda request: technician.Caller(65_533, frozenset({65_533})))
    for words in (["pair"], ["flash", image(tmp_path)], ["clear"]):
        said = await felt(floor, "shoe", *words)
        assert said.exit_code == 1 and "person.not-technician" in said.stderr and "feltd-technicians" in said.stderr
    with pytest.raises(FeltError) as error:
        await floor.post("/devices/shoe/pair/code", {"code": "123456"})
    assert error.value.code == "person.not-technician"
    assert (await floor.get("/status"))["trouble"]  # looking is allowed; and nothing was cleared


@pytest.mark.parametrize(
    ("uid", "groups", "group", "may"),
    [
        (0, set(), None, True),
        (500, set(), None, True),  # the daemon's own account
        (501, {7}, None, False),  # there is no such group
        (501, {7, 9}, 9, True),
        (501, {7}, 9, False),
    ],
)
def test_who_is_a_technician(uid: int, groups: set[int], group: int | None, may: bool) -> None:
    assert technician.is_technician(technician.Caller(uid, frozenset(groups)), 500, group) is may


def test_the_kernel_says_who_is_at_the_other_end() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        transport = SimpleNamespace(get_extra_info=lambda name: ours)
        caller = technician.caller_of(SimpleNamespace(transport=transport))  # type: ignore[arg-type]
    assert caller.uid == os.getuid()
    assert caller.groups >= {os.getgid(), *os.getgroups()}
    with pytest.raises(technician.Forbidden):
        technician.caller_of(SimpleNamespace(transport=None))  # type: ignore[arg-type]
