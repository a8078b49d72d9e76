"""Pairing with somebody in the cable: whatever they say to either end, the person at the device sees it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

import pytest

from drivers import workshop
from firmware_bridge.encryption import Exchange, agreed_key, half, keep_proof
from firmware_bridge.frame import Frame, Kind, decode_command, decode_reply, encode
from firmware_bridge.framer import Framer
from firmware_bridge.messages import Command, Pair, PairKeep, PairReveal, Reply, SelfTest
from firmware_bridge.transport import Receiver, Transport, TransportError
from hw_sim.loop import run
from hw_sim.pairing import Pairing
from tests.drivers.test_workshop import KEY, bench

SERIAL = "SIM-shoe"
OTHER = bytes([9]) * 32


class Middle:
    """Sits in the cable, is the device to the controller and the controller to the device, and passes the rest on."""

    def __init__(self, inner: Transport) -> None:
        self.inner = inner
        self.receiver: Receiver
        self.to_controller, self.to_device = secrets.token_bytes(32), secrets.token_bytes(32)  # secrets
        self.nonce = secrets.token_bytes(32)
        self.controller = self.device = b""  # their halves
        self.heard: list[str] = []  # commands of the controller
        self.after: Callable[[Reply], Reply] | None = None
        self._down, self._up = Framer(), Framer()

    async def open(self, receiver: Receiver) -> None:
        self.receiver = receiver
        await self.inner.open(self)

    async def close(self) -> None:
        await self.inner.close()

    def lost(self, why: TransportError) -> None:
        self.receiver.lost(why)

    def write(self, data: bytes) -> None:
        for frame in self._down.feed(data):
            assert isinstance(frame, Frame)
            if frame.kind is Kind.COMMAND:
                said = self.commanded(decode_command(frame.body))
                frame = Frame(Kind.COMMAND, frame.number, encode(said))
            self.inner.write(frame.to_wire())

    def received(self, data: bytes) -> None:
        for frame in self._up.feed(data):
            assert isinstance(frame, Frame)
            if frame.kind is Kind.REPLY and self.after is not None:
                said = self.after(decode_reply(frame.body))
                frame = Frame(Kind.REPLY, frame.number, encode(said))
            self.receiver.received(frame.to_wire())

    def commanded(self, command: Command) -> Command:
        self.heard.append(type(command).__name__)
        match command:
            case Pair(theirs):
                self.controller, self.after = theirs, self._begun
                return Pair(half(self.to_device))
            case PairReveal():
                self.after = lambda reply: Reply(True, self.nonce.hex())
                return command  # any nonce is as good: the device's is not known yet
            case PairKeep():
                ours = half(self.to_device)
                return PairKeep(keep_proof(agreed_key(self.to_device, self.device, ours, self.device)))
        return command

    def _begun(self, reply: Reply) -> Reply:
        self.device = bytes.fromhex(reply.detail)[:32]
        ours = half(self.to_controller)
        return Reply(True, (ours + Exchange(SERIAL, self.controller, ours).commitment(self.nonce)).hex())


@pytest.mark.parametrize("key", [None, KEY])
def test_a_man_in_the_middle_gets_no_key_stored(key: bytes | None) -> None:
    async def story() -> None:
        async with bench(key) as b:
            middles: list[Middle] = []

            def tapped() -> Transport:
                middles.append(Middle(b.device.transport()))
                return middles[-1]

            b.supervisor._make_transport, plain = tapped, b.supervisor._make_transport
            b.device.do("pairing", "on")
            b.supervisor.key = None  # they may even speak in the open
            async with b.supervisor.out_of_play():
                with pytest.raises(workshop.WorkshopError) as error:
                    await workshop.pair(b.supervisor, SERIAL, b.shown)
            assert error.value.code == "pair.code"
            assert middles[-1].heard == ["Pair", "PairReveal"]
            assert len(await b.shown()) == 6  # still there, for the person to see that it is not the right one
            b.supervisor._make_transport, b.supervisor.key = plain, key
            b.device.fault("power")
            b.device.do("pairing", "off")
            await b.phase("ready")
            assert b.device.board.end.keyed == (key is not None) == b.supervisor.encrypted

    run(story())


def test_who_opens_another_nonce_than_the_bound_one_is_found() -> None:
    async def story() -> None:
        async with bench(None) as b:

            class Fickle(Middle):
                """Takes another nonce once it has heard the controller's: so it could choose the code."""

                def commanded(self, command: Command) -> Command:
                    said = super().commanded(command)
                    if isinstance(command, PairReveal):
                        self.nonce = OTHER
                    return said

            plain = b.supervisor._make_transport
            b.supervisor._make_transport = lambda: Fickle(b.device.transport())
            b.device.do("pairing", "on")
            async with b.supervisor.out_of_play():
                with pytest.raises(workshop.WorkshopError) as error:
                    await workshop.pair(b.supervisor, SERIAL, b.shown)
            assert error.value.code == "pair.commitment"
            b.supervisor._make_transport = plain
            b.device.do("pairing", "off")
            await b.phase("ready")
            assert not b.device.board.end.keyed

    run(story())


def test_one_code_is_shown_for_each_time_the_switch_is_put_on() -> None:
    device = Pairing(SERIAL, secrets.token_bytes)
    ours = half(OTHER)
    assert device.execute(PairReveal(OTHER)) == device.execute(PairKeep(OTHER)) == Reply(False, "not-begun")
    assert device.execute(Pair(bytes(32))) == Reply(False, "bad-half")
    begun = bytes.fromhex(device.execute(Pair(ours)).detail)
    exchange = Exchange(SERIAL, ours, begun[:32])
    assert device.execute(Pair(ours)) == Reply(False, "pairing-used")
    assert device.execute(PairReveal(b"short")) == Reply(False, "bad-nonce")
    assert device.execute(PairKeep(OTHER)) == Reply(False, "not-begun") and device.code == ""
    theirs = bytes.fromhex(device.execute(PairReveal(OTHER)).detail)
    assert exchange.commits(begun[32:], theirs) and device.code == exchange.code(OTHER, theirs)
    assert device.execute(PairReveal(KEY)) == Reply(False, "not-begun")  # or the code could be chosen
    assert device.execute(PairKeep(OTHER)) == Reply(False, "bad-proof")
    assert device.execute(SelfTest()) == Reply(False, "pairing-switch-on")
    device.restart()
    assert device.code == "" and device.execute(Pair(ours)) == Reply(False, "pairing-used")
    assert device.operated() is None
    begun = bytes.fromhex(device.execute(Pair(ours)).detail)
    device.execute(PairReveal(OTHER))
    key = agreed_key(OTHER, begun[:32], ours, begun[:32])
    assert device.execute(PairKeep(keep_proof(key))).ok
    assert device.operated() == key and device.operated() is None


def test_a_wrong_code_no_code_and_a_device_that_talks_nonsense() -> None:
    async def story() -> None:
        async def wrong() -> str:
            return "000000" if await b.shown() != "000000" else "000001"

        async def never() -> str:
            await asyncio.sleep(1e6)
            return await b.shown()

        async def spaced() -> str:
            code = await b.shown()
            return f" {code[:3]} {code[3:]} "

        async with bench(KEY) as b:
            for read, code in ((wrong, "pair.code"), (never, "pair.no-code")):
                b.device.do("pairing", "on")
                assert await b.not_paired(read) == code
            b.device.do("pairing", "on")
            assert await b.pair(spaced) == b.supervisor.key != KEY
            b.device.do("pairing", "off")
            await b.phase("lost")
            await b.phase("ready")

    run(story())


@pytest.mark.parametrize("detail", ["", "zz", "00" * 64, "11" * 20])
def test_answers_that_make_no_sense(detail: str) -> None:
    async def story() -> None:
        async with bench(None) as b:

            class Mad(Middle):
                def commanded(self, command: Command) -> Command:
                    self.after = lambda reply: Reply(True, detail)
                    return command

            plain = b.supervisor._make_transport
            b.supervisor._make_transport = lambda: Mad(b.device.transport())
            b.device.do("pairing", "on")
            async with b.supervisor.out_of_play():
                with pytest.raises(workshop.WorkshopError) as error:
                    await workshop.pair(b.supervisor, SERIAL, b.shown)
            assert error.value.code == "pair.answer"
            b.supervisor._make_transport = plain

    run(story())


def test_the_power_cut_before_the_switch_leaves_the_old_key() -> None:
    async def story() -> None:
        async with bench(KEY) as b:
            b.device.do("pairing", "on")
            await b.pair()
            b.device.fault("power")
            b.device.do("pairing", "off")
            b.supervisor.key = KEY
            await b.phase("ready")
            assert b.supervisor.encrypted and not b.tampered

    run(story())
