"""A device of the reference firmware as a process on a pseudo-terminal, and the hand that uses it."""

from __future__ import annotations

import asyncio
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Final, Self

from firmware_bridge.conform.trial import Deed, Sight
from firmware_bridge.messages import CARDS

PATIENCE: Final = 20.0  # seconds; a busy machine makes nothing fail
MANY: Final = 20
CUT: Final = 7  # the status of a device whose power was cut in the middle of a write
COMPLAINTS: Final = ("Sanitizer", "runtime error", "flash: ")  # valgrind tells its own by the status


class EndedError(Exception):
    """A device has ended by itself; these are the last lines that it printed."""


class Reference:
    """One device.  Its flash is a file, so it is the same device when it is started again."""

    def __init__(self, command: list[str], family: str, folder: Path, **options: str) -> None:
        self.family = family
        self.port = folder / f"{options.get('serial', family)}.port"
        self.flash = folder / f"{options.get('serial', family)}.flash"
        self.lines: list[str] = []
        self._command = [*command, family, "--flash", str(self.flash)]
        self._options = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
        self._news = threading.Condition()
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self._silent = True

    @property
    def address(self) -> str:
        return f"serial://{self.port}"

    def start(self, *more: str) -> Self:
        """Returns when it is ready; `more` are options of this start alone."""
        before = len(self.lines)
        words, handed = self._wire()
        self._launch([*self._command, *words, *self._options, *more], handed)
        self.wait(lambda lines: "ready" in lines[before:])
        return self

    def _wire(self) -> tuple[list[str], list[int]]:
        """Returns the options that say what its wire is, and the descriptors that they name."""
        return ["--port", str(self.port)], []

    def _handed(self, number: int) -> list[str]:
        """Returns the options by which its wire is this descriptor."""
        return ["--wire", str(number)]

    def _launch(self, words: list[str], handed: list[int]) -> None:
        assert self._process is None
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            pass_fds=handed,
        )
        self._silent = False
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            with self._news:
                self.lines.append(line.rstrip())
                self._news.notify_all()
        with self._news:
            self._silent = True
            self._news.notify_all()

    def wait(self, holds: Callable[[list[str]], bool]) -> None:
        """Returns when this holds of all lines that it has printed; EndedError when it has ended before."""
        deadline = time.monotonic() + PATIENCE
        with self._news:
            while not holds(self.lines):
                left = deadline - time.monotonic()
                if self._silent:
                    raise EndedError("\n".join(self.lines[-40:]))
                assert left > 0, "this never came about:\n" + "\n".join(self.lines[-40:])
                self._news.wait(left)

    def hand(self, line: str, answer: str = "done") -> str:
        """Does something at the device and returns its answer, the line that begins so."""
        assert self._process is not None and self._process.stdin is not None
        before = len(self.lines)

        def answers() -> list[str]:
            return [said for said in self.lines[before:] if said.startswith(answer)]

        self._process.stdin.write(line + "\n")
        self.wait(lambda _: bool(answers()))
        return answers()[0]

    def told(self) -> dict[str, int]:
        """What the device says of itself: `last`, `kept`, `greeted`, `sealed`."""
        words = self.hand("tell", "device").split()
        return {name: int(value) for name, value in zip(words[1:9:2], words[2:9:2], strict=True)}

    async def happen(self, line: str) -> None:
        """Does something at the device and returns once it has stored an event of it."""
        before = self.told()["last"]
        self.hand(line)
        deadline = time.monotonic() + PATIENCE
        while self.told()["last"] == before:
            assert time.monotonic() < deadline, f"no event came of {line!r}"
            await asyncio.sleep(0.005)

    def kill(self) -> None:
        """Takes its power away: `kill -9`."""
        if self._process is not None:
            assert self._process.poll() is None, "it has ended by itself:\n" + "\n".join(self.lines[-40:])
            self._process.kill()
            self._end()

    def cut(self) -> None:
        """Returns once its power was cut in the middle of the write that `--cut` has named."""
        assert self._end() == CUT, "\n".join(self.lines[-40:])

    def put_away(self) -> None:
        """Ends it with the test, which fails when something was wrong inside the device."""
        if self._process is not None:
            status = self.stop()
            assert status == 0, "\n".join(self.lines[-40:])
        assert not [line for line in self.lines if any(word in line for word in COMPLAINTS)], self.lines

    def stop(self) -> int:
        """Ends it in order, and returns its status: what a sanitizer found makes that one differ from 0."""
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        return self._end()

    def _end(self) -> int:
        process, reader = self._process, self._reader
        assert process is not None and reader is not None and process.stdout is not None
        self._process = None
        status = process.wait(PATIENCE)
        reader.join(PATIENCE)
        process.stdout.close()
        if process.stdin is not None and not process.stdin.closed:
            process.stdin.close()
        return status

    def lit(self) -> set[int]:
        """The lamps that are lit."""
        lit: set[int] = set()
        for line in list(self.lines):
            match line.split():
                case ["lamp", channel, "on"]:
                    lit.add(int(channel))
                case ["lamp", channel, "off"]:
                    lit.discard(int(channel))
                case ["ready"]:
                    lit.clear()
        return lit


class Hand:
    """Does at a device of the reference firmware what the suite asks a person to do."""

    def __init__(self, device: Reference) -> None:
        self._device = device
        self._happenings = happenings(device.family)

    async def do(self, deed: Deed, family: str) -> bool:
        match deed:
            case Deed.RESTART:
                self._device.hand("restart", "ready")
            case Deed.EVENT:
                await self._device.happen(next(self._happenings))
            case Deed.EVENTS:
                for _ in range(MANY):
                    await self._device.happen(next(self._happenings))
            case Deed.PAIRING_ON:
                self._device.hand("pairing on")
            case Deed.PAIRING_OFF:
                self._device.hand("pairing off")
        await asyncio.sleep(0.02)  # the device looks at its switches; no hand is faster
        return True

    async def sees(self, sight: Sight, detail: str = "") -> bool | None:
        self._device.told()  # all that it had printed before has come
        if sight is Sight.CODE:
            codes = [line for line in self._device.lines if line.startswith("code ")]
            return bool(codes) and codes[-1] == f"code {detail}"
        return not self._device.lit()


def happenings(family: str) -> Iterator[str]:
    """Yields what a hand can do so that one event comes of it."""
    for number, card in enumerate(cycle(sorted(CARDS)), start=1):
        match family:
            case "lamps":
                yield f"door {'open' if number % 2 else 'shut'}"
            case "console":
                yield f"press {('deal', 'settle')[number % 2]}"
            case "bet-sensor":
                yield f"chips ante 500x{number % 9 + 1}"
            case _:
                yield f"lay {card}" if number % 2 else "lift"
