"""`python -m hw_sim serve`: a simulated table in a process of its own, on wires that reach others, in real time."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import signal
import sys
from pathlib import Path

from hw_sim.control import SOCKET, ControlServer
from hw_sim.errors import SimError
from hw_sim.models.base import DEALINGS
from hw_sim.replay.capture import Replay, read
from hw_sim.table import SimTable

PUBLIC_KEY = 32  # bytes
WIRES = ("pty", "tcp", "slcan")  # that another process can open


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns the exit status: 0 after an orderly end, 2 when the table could not start."""
    options = _parser().parse_args(arguments)
    # A new process is a new event memory: without a seed given, it must not look like the one before.
    seed = secrets.randbits(63) if options.seed is None else options.seed
    try:
        options.directory.mkdir(parents=True, exist_ok=True)
        table = SimTable(
            seats=options.seats,
            dealing=options.dealing,
            wire=options.wire,
            protocols=dict(options.protocol),
            directory=options.directory,
            seed=seed,
            cards=options.cards,
            signers=options.signer,
            replays=_replays(options.replay, options.withheld),
        )
        asyncio.run(serve(table, options.directory, until_stdin_closes=options.until_stdin_closes))
    except SimError as error:
        print(f"hw_sim: {error}\n  -> {error.next_step}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"hw_sim: {error}", file=sys.stderr)
        return 2
    return 0


async def serve(table: SimTable, directory: Path, *, until_stdin_closes: bool = False) -> None:
    """Keeps the table alive until SIGTERM, SIGINT or, if so wished, the end of standard input."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    if until_stdin_closes:
        _watch_stdin(loop, done)
    server = ControlServer(table, directory / SOCKET)
    try:
        table.start()
        await server.start()
        ready = {
            "ready": True,
            "pid": os.getpid(),
            "control": str(server.path),
            "devices": {name: str(device.path or device.address) for name, device in table.devices.items()},
            "addresses": {name: device.address for name, device in table.devices.items()},
        }
        print(json.dumps(ready), flush=True)
        await done.wait()
    finally:
        table.stop()
        server.close()


def _watch_stdin(loop: asyncio.AbstractEventLoop, done: asyncio.Event) -> None:
    descriptor = sys.stdin.fileno()

    def readable() -> None:
        if not os.read(descriptor, 4096):
            loop.remove_reader(descriptor)
            done.set()

    try:
        loop.add_reader(descriptor, readable)
    except PermissionError:
        raise SimError("standard input is a file: it cannot be waited for, only a pipe can") from None


def _replays(files: list[tuple[str, str]], withheld: list[tuple[str, str]]) -> dict[str, Replay]:
    cards = {name: text.replace(",", " ").split() for name, text in withheld}
    if strange := [name for name in cards if name not in dict(files)]:
        raise SimError(f"cards are told for {strange[0]}, which plays no capture")
    return {name: read(Path(file), cards.get(name, ())) for name, file in files}


def _named(text: str) -> tuple[str, str]:
    name, _, protocol = text.partition("=")
    return name, protocol


def _public_key(text: str) -> bytes:
    key = bytes.fromhex(text)
    if len(key) != PUBLIC_KEY:
        raise ValueError(f"a public key has {PUBLIC_KEY} bytes")
    return key


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hw_sim", description="simulated table hardware")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("serve", help="keep a table's devices alive")
    command.add_argument(
        "--directory", type=Path, required=True, help="for the links to the devices and the control socket"
    )
    command.add_argument(
        "--wire",
        choices=WIRES,
        default=WIRES[0],
        help="a serial line or a TCP port each, or one CAN bus behind an adapter",
    )
    command.add_argument(
        "--protocol",
        type=_named,
        action="append",
        default=[],
        metavar="DEVICE=PROTOCOL",
        help="a device that speaks a vendor's protocol: shoe=angel-eye, display=alpha, sign=alpha",
    )
    command.add_argument(
        "--replay",
        type=_named,
        action="append",
        default=[],
        metavar="DEVICE=FILE",
        help="a device that plays a capture of `felt device NAME trace --save FILE`",
    )
    command.add_argument(
        "--withheld",
        type=_named,
        action="append",
        default=[],
        metavar="DEVICE=CARDS",
        help='the cards that its capture withholds, in their order: shoe="Kh 2c ??"',
    )
    command.add_argument(
        "--signer",
        type=_public_key,
        action="append",
        default=[],
        metavar="KEY",
        help="the devices take firmware that was signed with this key, as `felt firmware keygen` prints it",
    )
    command.add_argument("--seats", type=int, default=7)
    command.add_argument("--dealing", choices=DEALINGS, default="hand")
    command.add_argument("--cards", type=int, default=52, help="in the shuffler")
    command.add_argument("--seed", type=int, help="repeat a table exactly, its event memories included")
    command.add_argument("--until-stdin-closes", action="store_true", help="end with whoever holds standard input")
    return parser


if __name__ == "__main__":
    sys.exit(main())
