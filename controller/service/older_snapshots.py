"""Snapshots of version 0.1.0, read as tables of today: nothing vouches for them, they are only compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from controller.games import find, restored
from controller.house.state import HouseRound
from controller.table import state
from controller.table.floor import floor_of
from controller.table.keys import CLOSINGS
from controller.table.requests import Decision
from controller.table.state import Table
from firmware_bridge.extensions import ExtensionError

# fields as they were called -> as they are called today
TABLE: Final = {"blind": "unseen", "sealed": "encrypted"}
JACKPOT: Final = {"told": "recorded"}
WAITING: Final = {"seal": "settlement"}
ROUND: Final = {"seals": "settlements"}
HAND: Final = {"early": "pending", "told": "reported", "unheard": "keyed_chips"}
ROOM: Final = {"said": "declared"}
DECIDED_BY_KEY: Final = ("fold", "check", "surrender", "unable")  # everything else was a wager, and kept by its spot


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
    _rename(table, TABLE)
    _first_to_cut(table.get("deck", {}))
    jackpot = _rename(table.get("jackpot", {}), JACKPOT)
    for waiting in jackpot.get("pending", ()):
        _rename(waiting, WAITING)
    for prompt in (*table.get("live", ()), *table.get("prompts", ())):
        prompt.pop("cause", None)  # it was kept as words; nobody asks for it any more
    if talk := table.get("talk"):
        talk["answers"] = [_answers(poll) for poll in talk.get("answers", ())]
        talk["partial"] = _answers(talk.get("partial", {}))
    table["notices"] = [_notice(notice) for notice in table.get("notices", ())]
    if house := table.pop("house", {}):
        table["house"] = msgspec.to_builtins(floor_of(house))
    played = table.get("round")
    if played is not None:
        _pair(_rename(played, ROUND), "wagers")
        played["tokens"] = [at.split(" ") for at in played.get("tokens", ())]
    if "room" in table:
        table["play"] = _kept("Room", _rename(table.pop("room"), ROOM))
        if played is not None and "hand" in played:
            played["play"] = _kept("Hand", _rename(played.pop("hand"), HAND))
    elif played is not None:
        _of_house(played, table["deck"])
    if table.get("opening"):
        table["opening"] = _rewritten(table["opening"])
    return state.FORM + msgspec.msgpack.encode(table)


def _first_to_cut(deck: dict[str, Any]) -> None:
    """Makes an area of a place that was kept as text."""
    if deck.get("begin", "").isdigit():
        deck["begin"] = int(deck["begin"])


def _answers(poll: dict[str, str]) -> dict[str, dict[str, object]]:
    """Takes answers apart that were kept as one text."""
    words = {place: answer.split(" ") for place, answer in poll.items()}
    return {place: {"key": key, "args": args} for place, (key, *args) in words.items()}


def _notice(kept: dict[str, Any]) -> dict[str, object]:
    """Tells a closing from a change of options: it was kept as an option without a value."""
    what: dict[str, str] = kept.pop("what")
    closing = next((CLOSINGS[name] for name in what if name in CLOSINGS), "")
    return {**kept, "changes": {} if closing else what, "closing": closing}


def _kept(name: str, value: object) -> tuple[str, bytes]:
    return name, msgspec.msgpack.encode(value)


def _rename(values: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Gives fields the names that they have today, and returns the same values."""
    for name in names.keys() & values.keys():
        values[names[name]] = values.pop(name)
    return values


def _pair(values: dict[str, Any], name: str) -> None:
    """Takes the keys apart that were kept as one word: place and spot, deal and place."""
    values[name] = {tuple(at.split(" ")): value for at, value in values.get(name, {}).items()}


def _decision(text: str) -> Decision:
    """Takes a decision apart that was kept as one text: a key with what followed its place, or a spot.

    >>> _decision("fold ante"), _decision("play")
    (Decision(key='fold', args=('ante',), spot=''), Decision(key='', args=(), spot='play'))
    """
    key, *args = text.split(" ")
    return Decision(key, tuple(args)) if key in DECIDED_BY_KEY else Decision(spot=text)


def _of_house(played: dict[str, Any], deck: dict[str, Any]) -> None:
    """Puts what only a house game keeps of a round into its own place, and what was a flag into a field."""
    own = {name: played[name] for name in HouseRound.__struct_fields__ if name in played}
    _pair(own, "sensed")
    _pair(own, "given")
    decided = [(at.rpartition(" "), word) for at, word in own.get("choices", {}).items()]
    own["choices"] = {(window, place): _decision(word) for (window, _, place), word in decided}
    own["unseen"] = played.get("blind", [])
    own["exposed"], own["burned"], own["deemed"] = [], [], []
    for flag, rule in played.get("flags", {}).items():
        match flag.split(" "):
            case "exposed", place, n:
                own["exposed"].append((place, int(n)))
            case "burned", place:
                own["burned"].append(place)
            case "deemed", seat, viewed:
                own["deemed"].append((seat, viewed))
            case ["no-hand"]:
                own["no_hand"] = rule
            case ["count-after"]:
                deck["count_after"] = rule
            case ["backs"]:
                deck["next_bad"] = rule
            case [moment]:
                own[moment.replace("-", "_")] = True
    deck["cut_out"] = own.get("cutting") is not None
    played["play"] = _kept("HouseRound", own)
