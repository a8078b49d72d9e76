"""The place where a device is tried: sessions with it, what is said in them, and somebody at the device."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Final

from firmware_bridge.conform.line import EncryptedSession, Line
from firmware_bridge.conform.trial import BrokenPromiseError, Deed, Operator, Sight, UntriedError
from firmware_bridge.errors import Coded
from firmware_bridge.frame import (
    VERSION,
    BodyError,
    Frame,
    Kind,
    decode_answer,
    decode_reply,
    encode,
)
from firmware_bridge.messages import Challenge, Hello, Identity, Introduction, Message, Reply
from firmware_bridge.transport import Transport

GREETING: Final = 2.0  # seconds: the protocol's own limits
GREETING_AGAIN: Final = 0.2
REPLY: Final = 1.0
PONG: Final = 0.25
QUIET: Final = 0.4  # seconds in which an answer would have come
EVENT: Final = 2.0  # seconds until an event that happened is reported


class Bench(Line):
    """A device on trial.  `keys` are those that are known, by serial number; `stream`: its wire carries bytes."""

    def __init__(
        self,
        make_transport: Callable[[], Transport],
        operator: Operator,
        *,
        keys: Mapping[str, bytes],
        stream: bool = True,
    ) -> None:
        super().__init__(make_transport)
        self._operator = operator
        self.keys = keys
        self.stream = stream
        self.key: bytes | None = None
        self.waited = 0.0  # seconds for somebody at the device
        self._request = 0
        self.failed_greetings = 0  # in a row
        self._ping = secrets.randbits(16)

    @property
    def family(self) -> str:
        """The device's family; "" until it has introduced itself."""
        return self.watch.identity.family if self.watch.identity is not None else ""

    # ---- sessions

    async def meet(self) -> None:
        """Learns whether the device encrypts its link, and finds its key; Coded when it cannot be tried."""
        if not self.keys:
            answer = await self.hello(Hello(VERSION))
            if isinstance(answer, Introduction):
                cause = f"the device encrypts its link, and no key is known for serial number {answer.serial}"
                raise Coded("conform.key", cause)
            return
        challenged = await self.challenge()
        if challenged is None:
            raise BrokenPromiseError("8.4", f"no answer to a Challenge within {GREETING:g} s")
        _, answer, _ = challenged
        if answer.serial not in self.keys:
            raise Coded("conform.key", f"the file of keys has none for serial number {answer.serial}")
        if not answer.nonce:
            raise Coded("link.unsealed", "the device has no key, and the file of keys has one for it")
        self.key = self.keys[answer.serial]

    async def greet(
        self, epoch: int | None = None, counter: int | None = None, *, nonce: int | None = None
    ) -> Identity:
        """Begins a session and returns who the device is.

        It is told that every event up to `counter` of `epoch` is on disk: those that were acknowledged, if nothing is
        said.
        """
        known = self.watch.identity
        epoch = (known.epoch if known is not None else 0) if epoch is None else epoch
        counter = self.watch.acknowledged if counter is None else counter
        hello = Hello(VERSION, epoch, counter)
        self.failed_greetings += 1
        self.set_speed()
        answer = await (self.hello(hello, nonce) if self.key is None else self._encrypted_hello(hello))
        if not isinstance(answer, Identity):
            raise BrokenPromiseError("4.2", "an Introduction came as the answer to a plain HELLO, not an Identity")
        if known is not None and epoch == known.epoch:
            self.watch.acknowledged = max(self.watch.acknowledged, counter)
        self._request = self.failed_greetings = 0
        self.watch.introduced(answer)
        return answer

    async def hello(self, hello: Hello, nonce: int | None = None) -> Identity | Introduction:
        """Returns the answer to a HELLO, which is repeated as a controller does; BrokenPromiseError when none comes."""
        nonce = secrets.randbits(32) if nonce is None else nonce
        self.expect(Kind.IDENTITY, nonce)
        deadline = self.now + GREETING
        strange: Frame | None = None
        while self.now < deadline:
            self.send(Frame(Kind.HELLO, nonce, encode(hello)))
            for_now = min(deadline, self.now + GREETING_AGAIN)
            while (frame := await self.find(Kind.IDENTITY, None, for_now - self.now)) is not None:
                if frame.number != nonce:
                    strange = frame
                    continue
                answer = _answer(frame)
                if isinstance(answer, Identity) or self._encryption is None:  # else the Challenge was answered twice
                    return answer
        if strange is not None:
            raise BrokenPromiseError("2.1", f"IDENTITY {strange.number} came, the nonce of the HELLO is {nonce}")
        raise BrokenPromiseError("4.2", f"no IDENTITY within {GREETING:g} s")

    async def challenge(
        self, number: int | None = None, nonce: bytes | None = None
    ) -> tuple[int, Introduction, bytes] | None:
        """Returns number, answer and our nonce of a challenge; None when nobody answers it."""
        number = secrets.randbits(32) if number is None else number
        nonce = secrets.token_bytes(32) if nonce is None else nonce
        self.expect(Kind.IDENTITY, number)
        deadline = self.now + GREETING
        while self.now < deadline:
            self.write(Frame(Kind.HELLO, number, encode(Challenge(VERSION, nonce))).to_wire())
            frame = await self.find(Kind.IDENTITY, number, GREETING_AGAIN)
            if frame is not None:
                answer = _answer(frame)
                if isinstance(answer, Identity):
                    raise BrokenPromiseError(
                        "8.7", "an Identity came as the answer to a Challenge, not an Introduction"
                    )
                return number, answer, nonce
        return None

    async def _encrypted_hello(self, hello: Hello) -> Identity | Introduction:
        from firmware_bridge.encryption import proves, session_keys

        assert self.key is not None
        challenged = await self.challenge()
        if challenged is None:
            raise BrokenPromiseError("8.4", f"no Introduction within {GREETING:g} s of a Challenge")
        number, answer, ours = challenged
        try:
            keys = session_keys(self.key, ours, answer.nonce)
        except ValueError as error:
            raise BrokenPromiseError("8.5", f"the nonce of the Introduction is unfit: {error}") from None
        if not proves(keys, number, answer.serial, answer.proof):
            raise BrokenPromiseError("8.3", "the proof of the Introduction is not that of the key")
        self._encryption = EncryptedSession(keys, number, ours)
        return await self.hello(hello, number)

    # ---- what is said in a session

    async def ping(self, within: float = PONG) -> float | None:
        """Returns how long the answer to a PING took; None when none came in time."""
        number = self.new_ping()
        began = self.now
        self.send(Frame(Kind.PING, number))
        return self.now - began if await self.find(Kind.PONG, number, within) is not None else None

    def new_ping(self) -> int:
        """Returns a number for a PING that none had before."""
        self._ping += 1
        self.expect(Kind.PONG, self._ping)
        return self._ping

    async def alive(self, paragraph: str, after: str) -> None:
        """Checks that the session goes on; BrokenPromiseError with this paragraph when it does not."""
        if await self.ping(REPLY) is None:
            raise BrokenPromiseError(paragraph, f"no PONG came after {after}")

    def new_request(self) -> int:
        """Returns the next request id of this session."""
        self._request += 1
        self.expect(Kind.REPLY, self._request)
        return self._request

    async def ask(self, command: Message | bytes, number: int | None = None, paragraph: str = "6.4") -> Reply:
        """Returns the reply to a command; BrokenPromiseError when none comes in time, or one comes late."""
        number = self.new_request() if number is None else number
        self.expect(Kind.REPLY, number)
        body = command if isinstance(command, bytes) else encode(command)
        self.send(Frame(Kind.COMMAND, number, body))
        frame = await self.find(Kind.REPLY, number, REPLY)
        if frame is not None:
            return _reply(frame)
        late = await self.find(Kind.REPLY, number, 2 * REPLY)
        if late is not None:
            raise BrokenPromiseError("6.2", f"the reply came after more than {REPLY:g} s")
        raise BrokenPromiseError(paragraph, f"no reply within {3 * REPLY:g} s")

    async def silent(self, paragraph: str, kind: Kind, number: int, what: str) -> None:
        """Checks that nothing answers; BrokenPromiseError with this paragraph when something does."""
        self.expect(kind, number)
        if await self.find(kind, number, QUIET) is not None:
            raise BrokenPromiseError(paragraph, f"{kind.name} {number} came as an answer to {what}")

    # ---- events

    def acknowledge(self, counter: int) -> None:
        """Tells the device that every event up to this one is on disk."""
        self.watch.acknowledged = max(self.watch.acknowledged, counter)
        self.send(Frame(Kind.ACK, counter))

    async def acknowledge_all(self) -> None:
        """Takes every event that the device keeps, until it has none left or says nothing more."""
        await self.during(0.05)
        for _ in range(64):
            await self.settle()
            if not self.watch.kept:
                return
            self.acknowledge(self.watch.next_event - 1)
            if await self.find(Kind.EVENT, None, 0.05) is None:
                return

    async def settle(self) -> None:
        """Asks for an event that is missing, and notes it when it never comes."""
        await self.during(0)
        if self.watch.missing:
            self.send(Frame(Kind.RESEND, self.watch.next_event))
            await self.during(QUIET)
            while self.watch.missing:
                self.watch.skipped()

    async def event(self) -> int:
        """Returns the counter of an event that nobody has acknowledged: one that is kept, or one that is let happen."""
        if self.watch.kept:
            return self.watch.kept[0]
        await self.do(Deed.EVENT)
        if await self.find(Kind.EVENT, None, EVENT) is None:
            raise UntriedError(f"nothing was reported within {EVENT:g} s")
        await self.settle()
        if not self.watch.kept:
            raise BrokenPromiseError("5.6", "what happened was reported with a counter that was acknowledged before")
        return self.watch.kept[0]

    # ---- somebody at the device

    async def done(self, deed: Deed) -> bool:
        """Lets somebody do something at the device, and returns whether it was done."""
        began = self.now
        done = await self._operator.do(deed, self.family)
        self.waited += self.now - began
        return done

    async def seen(self, sight: Sight, detail: str = "") -> bool | None:
        """Lets somebody look at the device; None when nobody does."""
        began = self.now
        seen = await self._operator.sees(sight, detail)
        self.waited += self.now - began
        return seen

    async def do(self, deed: Deed) -> None:
        """Lets somebody do something at the device; UntriedError when nobody does."""
        if not await self.done(deed):
            raise UntriedError(f"nobody did this: {deed.value[0].lower()}{deed.value[1:]}")


def _answer(frame: Frame) -> Identity | Introduction:
    try:
        return decode_answer(frame.body)
    except BodyError as error:
        raise BrokenPromiseError("3.3", f"the body of IDENTITY is malformed: {error.cause}") from None


def _reply(frame: Frame) -> Reply:
    try:
        return decode_reply(frame.body)
    except BodyError as error:
        raise BrokenPromiseError("3.1", f"the body of REPLY is malformed: {error.cause}") from None
