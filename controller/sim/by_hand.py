"""Plays one deed at a simulated table that runs: finds its control channel, and sends the deed in a person's words."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from controller.errors import FeltError
from controller.games import find
from controller.money import cents
from controller.places import JACKPOT
from controller.sim.addresses import runtime_directory
from controller.sim.directory import API, GAME, PREFIX
from controller.table.keys import keys_of
from controller.table.rules import Rules
from controller.tournament.keys import DESK_KEYS, TABLE_KEYS
from hw_sim.control import SOCKET, ControlClient
from hw_sim.errors import SimError, unknown

SERVICE: Final = "/run/feltd"  # where the daemon of this machine has its own
TOKEN: Final = "token:"
NOTHING: Final = "0"  # on any spot
FAULT: Final = "fault"
CLEAR: Final = "clear"


def do(control: Path | None, device: str, deed: str, words: Sequence[str]) -> Path:
    """Does something at a device of a running table, and returns its control channel; FeltError or SimError if not.

    `fault NAME ...` lets the device fail, `clear` ends that; all else is a deed of the device.  Money is in dollars.
    """
    path = control if control is not None else the_running()
    if (rules := _rules(path)) is not None:
        _check(rules, deed, words)
    try:
        with ControlClient(path) as client:
            _send(client, device, deed, words)
    except OSError as error:
        raise FeltError("sim.nobody", f"{path}: {error.strerror or error}") from error
    return path


def the_running() -> Path:
    """Returns the control channel of the one simulated table that runs here; of several, that of FELT_SOCKET."""
    running = [path for path in _channels() if _answers(path)]
    if not running:
        raise FeltError("sim.nobody", "no simulated table runs here, or it is another account's")
    if len(running) > 1:
        wanted = os.environ.get("FELT_SOCKET")
        meant = [path for path in running if wanted and _api(path) == Path(wanted).absolute()]
        if len(meant) != 1:
            each = ", ".join(f"{path} (its daemon: {_api(path) or 'unknown'})" for path in running)
            raise FeltError("sim.several", f"several simulated tables run: {each}")
        return meant[0]
    return running[0]


def _api(control: Path) -> Path | None:
    """Returns the socket of the daemon whose table has this control channel; None when nothing says so."""
    try:
        return (control.parent / API).readlink()
    except OSError:
        return None


def _rules(control: Path) -> Rules | None:
    """Returns the rules of the game that is played there; None when nothing says which it is."""
    try:
        return find((control.parent / GAME).read_text())
    except OSError:
        return None


def _check(rules: Rules, deed: str, words: Sequence[str]) -> None:
    """Refuses a spot or a key that this table has not: devices only carry words, and would take any."""
    if deed == FAULT and words:
        deed, *words = words
    if deed in ("press", "stuck-key"):
        cup = () if rules.document.tournaments is None else (*DESK_KEYS, *TABLE_KEYS)
        _known("key", words[:1], [key.name for key in (*keys_of(rules), *cup)])
    elif deed in ("bet", "lift", "unknown-chip") and list(words) != [NOTHING]:
        jackpot = () if rules.document.jackpot is None else (JACKPOT,)
        spots = [spot for spot in (*rules.spots, *jackpot) if spot not in rules.without_chips]
        _known("spot", [word.partition("=")[0].partition(".")[0] for word in words], spots)


def _known(what: str, names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise unknown(f"{what} of this table", name, dict.fromkeys(known))


def _channels() -> list[Path]:
    places = dict.fromkeys((runtime_directory() or tempfile.gettempdir(), tempfile.gettempdir(), SERVICE))
    return [path for place in places for path in sorted(Path(place).glob(f"{PREFIX}*/{SOCKET}"))]


def _answers(path: Path) -> bool:
    """Tells whether a table listens there: one that was killed leaves its socket behind."""
    try:
        ControlClient(path).close()
    except OSError:
        return False
    return True


def _send(client: ControlClient, device: str, deed: str, words: Sequence[str]) -> None:
    if deed == FAULT:
        if not words:
            raise SimError("fault: say which")
        client.fault(device, *words)
    elif deed == CLEAR:
        client.clear(device)
    elif deed in _ONE_BY_ONE and words:
        for word in words:
            client.do(device, deed, word)
    else:
        client.do(device, deed, *_IN_DOLLARS.get(deed, list)(words))


def _bet(words: Sequence[str]) -> list[Any]:
    """Returns the spots with their cents, and which of them are tokens; `0` takes everything off.

    >>> _bet(["ante=10", "pair-plus=token:2.50"]), _bet(["0"])
    ([{'ante': 1000, 'pair-plus': 250}, ['pair-plus']], [{}, []])
    """
    if list(words) == [NOTHING]:
        return [{}, []]
    spots: dict[str, int] = {}
    tokens: list[str] = []
    for word in words:
        spot, equals, amount = word.partition("=")
        if not equals:
            raise SimError(f"bet: {word!r} is not SPOT=AMOUNT")
        if amount.startswith(TOKEN):
            tokens.append(spot)
        spots[spot] = _cents(amount.removeprefix(TOKEN))
    if not spots:
        raise SimError("bet: say what lies where, as in ante=10")
    return [spots, tokens]


def _push(words: Sequence[str]) -> list[Any]:
    return [_cents(word) for word in words]


def _cents(amount: str) -> int:
    try:
        if (value := cents(amount)) >= 0:
            return value
    except ValueError:
        pass
    raise SimError(f"{amount!r} is not an amount in dollars")


_ONE_BY_ONE: Final = ("draw", "lay")  # cards
_IN_DOLLARS: Final[dict[str, Callable[[Sequence[str]], list[Any]]]] = {"bet": _bet, "push": _push}
