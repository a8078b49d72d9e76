"""Who is at the device: a person on the terminal, who does what is asked for, or nobody."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.conform.trial import Deed, Sight

SKIP: Final = "s"
_HOW: Final[Mapping[str, str]] = MappingProxyType(
    {
        "shoe": "draw one card",
        "shuffler": "let one card out, or put a deck in",
        "bet-sensor": "put a chip on a spot, or take one away",
        "console": "press one key",
        "reader": "lay one card on it",
        "lamps": "take one lamp out, or put it back",
        "display": "let it report a fault, or end one",
    }
)


class Nobody:
    """Nobody is at the device."""

    async def do(self, deed: Deed, family: str) -> bool:
        """Returns False: it is not done."""
        return False

    async def sees(self, sight: Sight, detail: str = "") -> bool | None:
        """Returns None: nobody looks."""
        return None


class TerminalOperator:
    """Somebody on the terminal; `before` is called before each question."""

    def __init__(self, before: Callable[[], None]) -> None:
        self._before = before
        self._gone = False  # the input has ended

    async def do(self, deed: Deed, family: str) -> bool:
        """Asks for it, and returns whether it was done."""
        how = f" ({_HOW[family]})" if deed in (Deed.EVENT, Deed.EVENTS) and family in _HOW else ""
        answer = await self._ask(f"{deed.value}{how}, then press Enter; {SKIP} skips it: ")
        return answer is not None and answer.lower() != SKIP

    async def sees(self, sight: Sight, detail: str = "") -> bool | None:
        """Asks whether it can be seen; None when nobody looked."""
        question = f"{sight.value} {detail}".strip()
        while (answer := await self._ask(f"{question}? y, n or {SKIP} to skip it: ")) is not None:
            match answer.lower():
                case "y" | "yes":
                    return True
                case "n" | "no":
                    return False
                case "s":
                    return None
        return None

    async def _ask(self, question: str) -> str | None:
        """Returns the line that was typed; None when the input has ended."""
        if self._gone:
            return None
        self._before()
        print(f"==> {question}", end="", file=sys.stderr, flush=True)
        loop = asyncio.get_running_loop()
        typed: asyncio.Future[str] = loop.create_future()

        def readable() -> None:
            if not typed.done():
                typed.set_result(sys.stdin.readline())

        loop.add_reader(sys.stdin, readable)
        try:
            line = await typed
        finally:
            loop.remove_reader(sys.stdin)
        self._gone = not line
        return line.strip() if line else None
