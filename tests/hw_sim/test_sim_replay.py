"""Captures as files: what is read from them, what is wrong with them, and devices that play theirs together."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import messages as m
from firmware_bridge.frame import Frame, Kind, encode
from firmware_bridge.framer import Framer
from hw_sim import loop
from hw_sim.__main__ import main
from hw_sim.errors import SimError
from hw_sim.models.shoe import Shoe
from hw_sim.replay.capture import noise, parse, read
from hw_sim.table import SimDevice, SimTable
from hw_sim.wire import MemoryWire
from tests.hw_sim.peer import Peer, until

SHOE = m.Identity("shoe", "S1", "0042", "1.2.0", 7, 0, 1)


def line(second: float, way: str, frame: Frame | None = None, **more: Any) -> str:
    at = f"2026-01-02T03:04:{second:06.3f}+00:00"
    return json.dumps({"at": at, "way": way, **({"hex": frame.to_wire().hex()} if frame else {}), **more})


def greeting(identity: m.Identity = SHOE, second: float = 5.0, nonce: int = 9) -> list[str]:
    hello, answer = Frame(Kind.HELLO, nonce, encode(m.Hello(1))), Frame(Kind.IDENTITY, nonce, encode(identity))
    return [line(second, "out", hello), line(second + 0.01, "in", answer)]


def blank(second: float, number: int, event: m.Event) -> str:
    return line(second, "in", withheld=True, blank=Frame(Kind.EVENT, number, encode(event)).to_wire().hex())


@pytest.mark.parametrize(
    "code", ["frame.long", "frame.cobs", "frame.short", "frame.crc", "frame.version", "frame.kind", "frame.flags"]
)
def test_noise_is_counted_as_what_it_stands_for_and_ends_by_itself(code: str) -> None:
    ping = Frame(Kind.PING, 1)
    found = Framer().feed(noise(code) + ping.to_wire() + noise(code))
    assert [getattr(item, "code", item) for item in found] == [code, ping, code]


def test_cards_are_told_in_the_order_in_which_they_were_withheld() -> None:
    lines = [
        *greeting(),
        blank(6, 1, m.CardDrawn("")),
        blank(6.2, 1, m.CardDrawn("")),  # the same one again
        blank(7, 2, m.SetDispensed(("", ""))),
        blank(8, 3, m.KeyPressed("burn", ("",))),
    ]
    first, again, together, key = parse(lines, ["Kh", "2c", "??"]).sessions[0].steps
    assert first.data == again.data == Frame(Kind.EVENT, 1, encode(m.CardDrawn("Kh"))).to_wire()
    assert together.data == Frame(Kind.EVENT, 2, encode(m.SetDispensed(("2c", "")))).to_wire()
    assert key.data == Frame(Kind.EVENT, 3, encode(m.KeyPressed("burn", ("",)))).to_wire()
    assert parse(lines, ["Kh"]).unread == 2
    with pytest.raises(SimError, match="4 cards are told, but only 3 were withheld"):
        parse(lines, ["Kh", "2c", "3d", "4s"])
    with pytest.raises(SimError, match="'KH' is no card"):
        parse(lines, ["KH"])


def test_what_cannot_be_played_is_counted() -> None:
    lines = [line(1, "in", Frame(Kind.PONG, 1)), *greeting(), line(6, "in", withheld=True, text="report 'D' card")]
    assert parse(lines).left_out == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "x.jsonl:3: this is no line of a capture"),
        ("[]", "x.jsonl:3: this is no line of a capture"),
        ('{"at": "yesterday", "way": "in"}', "x.jsonl:3: this is no line of a capture"),
        ('{"at": "2026-01-02T03:04:05+00:00", "way": "up"}', "x.jsonl:3: this is no line of a capture"),
        (line(6, "in", hex="zz"), "x.jsonl:3: this is no line of a capture"),
        (line(6, "in", hex="0003010702060101 05cbdcc9bb00"), "x.jsonl:3: frame.crc"),
        (line(6, "in", withheld=True, error="frame.bcc"), "x.jsonl:3: no noise is an error 'frame.bcc'"),
    ],
)
def test_a_line_that_is_none(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join([*greeting(), text]))
    with pytest.raises(SimError, match=says.replace(".", r"\.")):
        read(file)


def test_a_file_that_is_no_capture(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for content in (b"", line(1, "in", withheld=True).encode()):
        file.write_bytes(content)
        with pytest.raises(SimError, match="no device introduces itself"):
            read(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(SimError, match="it is no text"):
        read(file)
    with pytest.raises(SimError, match="No such file"):
        read(tmp_path / "none")


def test_a_body_that_nobody_could_read_stays_unreadable() -> None:
    body = Frame(Kind.EVENT, 1, b"\xc1").to_wire().hex()
    (step,) = parse([*greeting(), line(6, "in", withheld=True, blank=body)]).sessions[0].steps
    assert step.data.hex() == body


def test_a_new_replay_is_a_new_event_memory() -> None:
    async def epoch(seed: int) -> int:
        device = SimDevice("shoe", Shoe(), MemoryWire(), seed=seed, replay=parse(greeting()))
        device.start()
        peer = Peer(device.transport())
        task = asyncio.create_task(peer.keep())
        await until(lambda: peer.identity is not None)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        device.stop()
        assert peer.identity is not None and (peer.identity.serial, device.serial) == ("0042", "0042")
        return peer.identity.epoch

    epochs = [loop.run(epoch(seed)) for seed in (1, 2, 1)]
    assert epochs[0] == epochs[2] != epochs[1] and 7 not in epochs


def test_devices_that_play_together_keep_their_order() -> None:
    """The console was greeted two seconds later than the shoe, and pressed between two cards."""
    card, key = m.CuttingCardSeen(), m.KeyPressed("call")
    events = [Frame(Kind.EVENT, number, encode(card)) for number in (1, 2)]
    shoe = [*greeting(), *(line(10 + 4 * n, "in", event) for n, event in enumerate(events))]
    console = greeting(m.Identity("console", "C1", "1", "1", 8, 0, 1), second=7)
    console.append(line(12, "in", Frame(Kind.EVENT, 1, encode(key))))

    async def story() -> list[tuple[int, int]]:
        table = SimTable(seats=1, replays={"shoe": parse(shoe), "console": parse(console)})
        table.start()
        peers = [Peer(table.device(name).transport()) for name in ("shoe", "console")]
        tasks = [asyncio.create_task(peer.keep()) for peer in peers]
        seen = [(0, 0)]
        for _ in range(300):
            await asyncio.sleep(0.1)
            if seen[-1] != (now := (peers[0].counter, peers[1].counter)):
                seen.append(now)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        table.stop()
        return seen

    assert loop.run(story()) == [(0, 0), (1, 0), (1, 1), (2, 1)]


def test_what_keeps_a_served_replay_from_starting_is_said_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "shoe.jsonl"
    capture.write_text("\n".join(greeting()))
    for options, says in (
        (["--replay", "shoe=/none"], "/none cannot be read"),
        (["--replay", f"console={capture}"], "console: the capture is of a shoe, not of a console"),
        (["--replay", f"shoe={capture}", "--withheld", "shoe=Kh 2c"], "2 cards are told, but only 0 were withheld"),
        (["--withheld", "shoe=Kh"], "cards are told for shoe, which plays no capture"),
    ):
        assert main(["serve", "--directory", str(tmp_path / "dev"), *options]) == 2
        said = capsys.readouterr().err
        assert says in said and said.count("\n") == 2 and "\n  -> " in said
