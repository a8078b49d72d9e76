"""A journal whose game is not installed: its facts can be read and proved, and nobody can say what they come to."""

from __future__ import annotations

from typing import Final

from controller import games
from controller.errors import FeltError
from controller.table import state
from controller.table.rules import Rules
from controller.table.state import Table
from firmware_bridge.extensions import UNKNOWN, ExtensionError

CODE: Final = "game.missing"
_MEANWHILE: Final = "until then the journal is only read, and nothing is written to it."


class GameMissing(FeltError):
    """The game of a journal is not installed, or its package cannot be used; nothing may be written to the journal."""

    def __init__(self, game: str, why: ExtensionError) -> None:
        reason = "is not installed" if why.code == UNKNOWN else f"cannot be used: {why.cause}"
        step = "" if why.code == UNKNOWN else f"{why.next_step} Then restart feltd; {_MEANWHILE}"
        super().__init__(CODE, f'the journal is of the game "{game}", which {reason}', step)
        self.game = game


def playable(game: str) -> Rules:
    """Returns the rules of a game that a journal names; raises GameMissing."""
    try:
        return games.find(game)
    except ExtensionError as error:
        raise GameMissing(game, error) from error


def restored(snapshot: bytes) -> Table:
    """Returns the table that a snapshot keeps; raises GameMissing, or msgspec.DecodeError for what is no table."""
    try:
        return games.restored(snapshot)
    except ExtensionError as error:
        raise GameMissing(state.decode(snapshot).game, error) from error
