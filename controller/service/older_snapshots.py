"""Snapshots of version 0.1.0, read as tables of today: nothing vouches for them, they are only compared with."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.games import find, restored
from controller.table import state
from controller.table.state import Table
from firmware_bridge.extensions import ExtensionError


def read(payload: bytes) -> Table | None:
    """Returns the table of a snapshot that version 0.1.0 took; None when it cannot be read."""
    try:
        table = restored(_rewritten(payload))
        if table.game:
            find(table.game).belongings(table)  # reads what the game keeps
    except (msgspec.MsgspecError, ExtensionError, KeyError, TypeError, AssertionError):
        return None
    return table


def _rewritten(payload: bytes) -> bytes:
    """Returns the snapshot with what the game keeps at its present place."""
    table: dict[str, Any] = msgspec.msgpack.decode(payload)
    if "room" in table:
        table["play"] = ("Room", msgspec.msgpack.encode(table.pop("room")))
    played = table.get("round")
    if played is not None:
        _apart(played)
        if "hand" in played:
            played["play"] = ("Hand", msgspec.msgpack.encode(played.pop("hand")))
    if table.get("opening"):
        table["opening"] = _rewritten(table["opening"])
    return state.FORM + msgspec.msgpack.encode(table)


def _apart(played: dict[str, Any]) -> None:
    """Takes apart what version 0.1.0 kept as one word: place and spot, deal and place, window and place."""
    for name in ("wagers", "sensed", "given"):
        if name in played:
            played[name] = {tuple(at.split(" ")): value for at, value in played[name].items()}
    if "tokens" in played:
        played["tokens"] = [at.split(" ") for at in played["tokens"]]
    if "choices" in played:
        kept = [(at.rpartition(" "), word) for at, word in played["choices"].items()]
        played["choices"] = {(window, place): word for (window, _, place), word in kept}
