"""The dealer's console: keys, badges and PINs come in, prompts and key lamps go out."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from drivers.driver import Driver
from drivers.families import family
from firmware_bridge import messages as m

SHOWN: Final = 3.0  # seconds that it says who it is


def pressed(words: str) -> m.KeyPressed:
    """Returns what a wired input tells that is named for a key: the key, then what is entered with it.

    >>> pressed("fold 3")
    KeyPressed(key='fold', args=('3',))
    """
    key, *args = words.split() or [""]
    return m.KeyPressed(key, tuple(args))


@family("console", one=True)
class ConsoleDriver(Driver):
    """Reports keys, badges, PINs and its door; shows prompts and lights keys, each list instead of the one before."""

    events = m.SENT_BY["console"]

    def show_prompts(self, lines: Sequence[str]) -> None:
        """Shows these lines and nothing else, the most urgent first."""
        self.want("prompts", tuple(lines))

    def light_keys(self, keys: Iterable[str]) -> None:
        """Lights these keys and darkens all others."""
        self.want("keys", tuple(sorted(keys)))

    async def identify(self, name: str) -> str:
        reply = await self.ask(m.ShowPrompts((f"this is {name}",)))
        await asyncio.sleep(SHOWN)
        self.repeat("prompts")
        return f'it shows "this is {name}" for {SHOWN:g} seconds' if reply.ok else ""

    def commands(self, changed: Mapping[str, tuple[str, ...]]) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        return [
            ((key,), m.ShowPrompts(value) if key == "prompts" else m.KeyLamps(value)) for key, value in changed.items()
        ]
