"""The trial of pairing, with somebody at the device's switch; the device keeps the key that it has."""

from __future__ import annotations

import secrets
from typing import Final

from firmware_bridge.conform.bench import Bench
from firmware_bridge.conform.trial import BrokenPromiseError, Deed, Sight, UntriedError, trial
from firmware_bridge.messages import Message, Pair, PairKeep, PairReveal, SelfTest

_KEY: Final = 32


@trial(
    "pairing",
    "8.12",
    "8.13",
    "8.14",
    "8.15",
    "8.16",
    "8.17",
    "8.18",
    promised="With its switch on, the device agrees on a key: one exchange, bound by a commitment, shown as a code.",
    done="Pair, PairReveal and PairKeep, each also out of order and with wrong bytes; the code is not accepted.",
    greeted=False,
)
async def pairing(bench: Bench) -> str:
    before = bench.key
    await bench.do(Deed.PAIRING_ON)
    try:
        bench.key = None
        await bench.reopen()
        await bench.greet()
        came = await _exchange(bench)
    finally:
        bench.key = before
        await bench.do(Deed.PAIRING_OFF)
        await bench.reopen()
    await bench.greet()  # with the key that it had
    return came


async def _exchange(bench: Bench) -> str:
    from firmware_bridge.encryption import Exchange, half

    identity = bench.watch.identity
    assert identity is not None
    ours, nonce = half(secrets.token_bytes(_KEY)), secrets.token_bytes(_KEY)
    await _refused(bench, SelfTest(), "8.12", "pairing-switch-on")
    await _refused(bench, PairReveal(nonce), "8.18", "not-begun")
    await _refused(bench, Pair(b"\0" * _KEY), "8.18", "bad-half")
    answer = await _bytes(bench, Pair(ours), 2 * _KEY, "8.13")
    await _refused(bench, Pair(ours), "8.18", "pairing-used")
    await _refused(bench, PairReveal(b"\1"), "8.18", "bad-nonce")
    theirs = await _bytes(bench, PairReveal(nonce), _KEY, "8.14")
    exchange = Exchange(identity.serial, ours, answer[:_KEY])
    if not exchange.commits(answer[_KEY:], theirs):
        raise BrokenPromiseError("8.14", "the nonce does not belong to the commitment")
    await _refused(bench, PairReveal(nonce), "8.18", "not-begun")
    shown = await bench.seen(Sight.CODE, exchange.code(nonce, theirs))
    if shown is None:
        raise UntriedError("nobody read the code from the device")
    if not shown:
        raise BrokenPromiseError("8.15", "the device does not show the code")
    await _refused(bench, PairKeep(b"\0" * _KEY), "8.16", "bad-proof")
    return "one exchange, the right commitment and code, seven refusals; the old key stays"


async def _bytes(bench: Bench, command: Message, size: int, paragraph: str) -> bytes:
    reply = await bench.ask(command)
    try:
        answer = bytes.fromhex(reply.detail) if reply.ok else b""
    except ValueError:
        answer = b""
    if len(answer) != size:
        words = "done" if reply.ok else f"refused with {reply.detail!r}"
        raise BrokenPromiseError(paragraph, f"{type(command).__name__} was {words}, without {2 * size} digits")
    return answer


async def _refused(bench: Bench, command: Message, paragraph: str, why: str) -> None:
    reply = await bench.ask(command)
    if reply.ok or reply.detail != why:
        words = "done" if reply.ok else f"refused with {reply.detail!r}"
        raise BrokenPromiseError(paragraph, f"{type(command).__name__} was {words}; {why} was due")
