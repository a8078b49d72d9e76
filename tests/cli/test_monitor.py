"""felt monitor at 80 x 24: what it shows, its keys, a daemon that comes back; and that it shows no hidden card."""

from __future__ import annotations

import asyncio
import queue
import re
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from controller.cli.monitor_app import Monitor
from controller.cli.monitor_watch import DaemonSource
from controller.errors import FeltError
from tests.cli.terminal import Terminal, typed
from tests.daemon.house import PATIENCE, House

Json = Any  # answers of which only what is shown is told


SIZE = (80, 24)


class Canned:
    """A table that answers as a test says."""

    def __init__(self) -> None:
        self.told: queue.Queue[Json | None] = queue.Queue()
        self.gone = False
        self.state: Json = {
            "table": "T7",
            "called": {"round": "round"},
            "game": "ultimate-texas-holdem-nsw",
            "open": True,
            "round": {"number": 12, "phase": "dealing"},
            "waiting": [{"text": "deal two cards to area 3", "rule": "6.1"}],
            "notices": [{"roles": ["dealer"], "place": "3", "text": "look at [area] 3", "rule": "", "code": ""}],
            "trouble": [{"code": "serial.lost", "cause": "the cable is out", "next_step": "Plug it in."}],
            "in_lines": ["round 12: open", "  dealer   ?? ??", "  area 3   ?? ??", "           ante 25"],
            "last": None,
        }
        self.history = [fact(1, "", "the table starts"), fact(2, "sensor.3", "area 3: 25 on ante")]
        self.links = [link("shoe"), link("sensor.3", "lost", cause={"code": "serial.lost", "cause": "cable"})]

    def _answer(self, what: Any) -> Any:
        if self.gone:
            raise FeltError("daemon.unreachable", "nobody listens", "Start it.")
        return what

    def status(self) -> Json:
        return dict(self._answer(self.state))

    def devices(self) -> list[Json]:
        return list(self._answer(self.links))

    def latest(self, count: int) -> list[Json]:
        return list(self._answer(self.history))[-count:]

    def facts(self, after: int) -> Iterator[Json]:
        while (each := self._next()) is not None:
            yield each
        raise FeltError("daemon.unreachable", "it ended", "")

    def _next(self) -> Json | None:
        try:
            return self.told.get(timeout=PATIENCE)
        except queue.Empty:  # the test is long over
            return None

    def frames(self, device: str) -> list[Json]:
        beats = [{"at": "2026-01-02T03:04:05.678+00:00", "way": "out", "text": "PING 1", "kind": "ping"}] * 7
        event = {
            "at": "2026-01-02T03:04:05.999+00:00",
            "way": "in",
            "text": "EVENT 4 (a card, withheld)",
            "kind": "event",
        }
        return list(self._answer([*beats, event]))


def fact(seq: int, device: str, text: str) -> Json:
    return {"seq": seq, "at": f"2026-01-02T03:04:{seq % 60:02}.678+00:00", "device": device, "text": text}


def link(name: str, phase: str = "ready", cause: Json | None = None) -> Json:
    stats = {"frames_in": 3, "frames_out": 4, "errors": {}, "retries": 0}
    more = None if cause is None else {"next_step": "Look at the cable.", **cause}
    about: Json = {"family": name.partition(".")[0], "address": f"sim://{name}", "identity": None, "faults": []}
    return {"name": name, "phase": phase, "cause": more, "stats": stats, **about}


def shown(app: Monitor) -> str:
    """The screen as text: 24 lines of 80 columns, from textual's own picture of it."""
    lines = [[" "] * SIZE[0] for _ in range(SIZE[1])]
    texts = re.finditer(
        r'<text [^>]*?x="([\d.]+)"[^>]*?clip-path="url\(#[^"]*line-(\d+)\)">([^<]*)</text>', picture(app)
    )
    for found in texts:
        column, row, text = (
            round(float(found[1]) / 12.2),
            int(found[2]),
            unescape(found[3]).replace("\xa0", " ").rstrip("\n"),
        )
        assert column + len(text) <= SIZE[0], text
        lines[row][column : column + len(text)] = text
    return "\n".join("".join(line).rstrip() for line in lines)


def picture(app: Monitor) -> str:
    return app.export_screenshot()


async def until(app: Monitor, pilot: Pilot[None], holds: Callable[[str], bool]) -> str:
    deadline = time.monotonic() + PATIENCE
    while not holds(screen := shown(app)):
        assert time.monotonic() < deadline, screen
        await pilot.pause(0.05)
    return screen


async def test_the_whole_screen() -> None:
    app = Monitor(Canned())
    async with app.run_test(size=SIZE) as pilot:
        wanted = ("area 3: 25 on ante", "sensor.3  lost", "q quit")
        screen = await until(app, pilot, lambda text: all(words in text for words in wanted))
    lines = screen.split("\n")
    assert len(lines) == SIZE[1]
    assert lines[0] == "T7  ultimate-texas-holdem-nsw  open  round 12  dealing"
    left = [line[:52].rstrip() for line in lines[1:9]]
    assert left == [
        "-> deal two cards to area 3 (6.1)",
        "! dealer about 3: look at [area] 3",
        "! serial.lost: the cable is out",
        "  Plug it in.",
        "round 12: open",
        "  dealer   ?? ??",
        "  area 3   ?? ??",
        "           ante 25",
    ]
    right = [" ".join(line[52:].split()) for line in lines[1:3]]
    assert right == ["shoe ready", "! sensor.3 lost"]
    assert "03:04:01      1 -         the table starts" in lines
    assert "03:04:02      2 sensor.3  area 3: 25 on ante" in lines
    assert lines[-1].split() == ["q", "quit", "space", "pause", "/", "filter", "?", "help"]


async def test_facts_come_and_are_filtered() -> None:
    source = Canned()
    app = Monitor(source)
    async with app.run_test(size=SIZE) as pilot:
        source.told.put(fact(3, "shoe", "a card left the shoe"))
        await until(app, pilot, lambda text: "a card left" in text)
        await pilot.press("slash", *"SENSOR", "enter")
        screen = await until(app, pilot, lambda text: "only /SENSOR/" in text)
        assert "25 on ante" in screen and "a card left" not in screen and "the table starts" not in screen
        source.told.put(fact(4, "shoe", "another one"))
        source.told.put(fact(5, "sensor.3", "area 3: nothing"))
        screen = await until(app, pilot, lambda text: "area 3: nothing" in text)
        assert "another one" not in screen
        await pilot.press("slash", *["backspace"] * 6, "enter")
        screen = await until(app, pilot, lambda text: "another one" in text)
        assert "only /" not in screen


async def test_a_pause_loses_nothing() -> None:
    source = Canned()
    app = Monitor(source)
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda text: "25 on ante" in text)
        await pilot.press("space")
        source.state = {**source.state, "round": {"number": 12, "phase": "settling"}, "in_lines": ["settled now"]}
        source.told.put(fact(3, "shoe", "meanwhile"))
        screen = await until(app, pilot, lambda text: "settling  PAUSED" in text)
        assert "meanwhile" not in screen and "settled now" not in screen
        await pilot.press("space")
        screen = await until(app, pilot, lambda text: "meanwhile" in text and "settled now" in text)
        assert "PAUSED" not in screen


async def test_a_device_is_looked_into() -> None:
    app = Monitor(Canned())
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda text: "sensor.3  lost" in text and "q quit" in text)
        app.query_one("#devices").focus()
        await pilot.press("down", "enter")
        screen = await until(app, pilot, lambda text: "7 heartbeats" in text)
        assert "sensor.3, sensor: lost at sim://sensor.3" in screen
        assert "serial.lost: cable" in screen and "-> Look at the cable." in screen
        assert "03:04:05.999  in EVENT 4 (a card, withheld)" in screen and "PING" not in screen
        await pilot.press("escape")
        await until(app, pilot, lambda text: "7 heartbeats" not in text)


async def test_help_and_end() -> None:
    app = Monitor(Canned())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        screen = await until(app, pilot, lambda text: "ends it" in text)
        assert "filter the facts" in screen
        await pilot.press("q")  # goes back
        await until(app, pilot, lambda text: "ends it" not in text)
        assert app.is_running
        await pilot.press("q")
        await pilot.pause()
        assert not app.is_running


async def test_a_daemon_that_comes_back() -> None:
    source = Canned()
    app = Monitor(source)
    async with app.run_test(size=SIZE) as pilot:
        await until(app, pilot, lambda text: "25 on ante" in text)
        source.gone = True
        source.told.put(None)
        screen = await until(app, pilot, lambda text: "NO ANSWER (nobody listens)" in text)
        assert "T7" in screen and "25 on ante" in screen  # what was known stays
        source.history.append(fact(3, "", "while nobody looked"))
        source.gone = False
        screen = await until(app, pilot, lambda text: "while nobody looked" in text and "NO ANSWER" not in text)
        assert screen.count("25 on ante") == 1


async def test_a_real_table_in_its_terminal(tmp_path: Path) -> None:
    """The card that lies face down is nowhere on the screen; the daemon is found again after a restart."""
    house = House(tmp_path, game="three-card-poker")
    try:
        await asyncio.to_thread(house.start)
        app = Monitor(DaemonSource(str(house.socket)))
        async with app.run_test(size=SIZE) as pilot:
            await until(app, pilot, lambda text: "T1  three-card-poker  open" in text)

            def deal() -> None:
                with house.devices() as devices:
                    devices.do("sensor.1", "bet", {"ante": 1000})
                    house.wait(lambda: house.status()["round"]["phase"] == "betting")
                    devices.do("console", "press", "no-more-bets")
                    house.wait(lambda: house.status()["round"]["phase"] == "dealing")
                    devices.do("shoe", "draw", "9c")

            await asyncio.to_thread(deal)
            screen = await until(app, pilot, lambda text: "left the shoe" in text and "1 card face down" in text)
            assert "9c" not in screen and "nine" not in screen and "ante 10" in screen
            app.query_one("#devices").focus()
            await pilot.press("enter")
            screen = await until(app, pilot, lambda text: "shoe, shoe:" in text)
            assert "9c" not in screen and "CardDrawn" in screen
            await pilot.press("escape")
            await asyncio.to_thread(house.stop)
            await until(app, pilot, lambda text: "NO ANSWER" in text)
            await asyncio.to_thread(house.start)
            screen = await until(app, pilot, lambda text: "NO ANSWER" not in text and "T1  three-card" in text)
    finally:
        house.close()


def test_typed_at_a_terminal(tmp_path: Path) -> None:
    with Terminal("monitor", "--socket", str(tmp_path / "none")) as terminal:
        terminal.until("NO ANSWER")
        terminal.type("q")
        assert terminal.end() == 0


def test_without_textual(tmp_path: Path) -> None:
    (tmp_path / "textual.py").write_text("raise ModuleNotFoundError('no', name='textual')")
    said = typed("monitor", PYTHONPATH=str(tmp_path))
    assert said.process.returncode == 1
    assert "monitor.missing: textual is not installed" in said.text and "feltd[tui]" in said.text
