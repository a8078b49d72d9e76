"""What every device family shares: which events it may send, and outputs that are sent by difference.

An output is a key and a wanted value.  The owner only says what it wants; the supervisor calls `sync`, which sends
what the device does not show yet, one command at a time, so an older value can never overtake a newer one.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from firmware_bridge import messages as m
from firmware_bridge.frame import BodyError
from firmware_bridge.link import LinkError

if TYPE_CHECKING:
    from drivers.families import Family

_NEVER: Final = object()
_REASON: Final = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Channel:
    """What the supervisor lends to a driver while the device is there."""

    request: Callable[[m.Command], Awaitable[m.Reply]]
    report: Callable[[m.Event], None]  # what a command's answer tells; it has no counter
    wake: Callable[[], None]  # there is something to sync
    begin: Callable[[m.Command], asyncio.Future[m.Reply]] | None = None  # sends at once; None: this link cannot


class _Begun(NamedTuple):
    """A command that was sent before anybody waited for its reply."""

    keys: tuple[Hashable, ...]  # the outputs that it sets
    changed: dict[Hashable, Any]  # and to what
    reply: asyncio.Future[m.Reply]


class Driver:
    """One device of a family.  Subclasses name their events and their outputs."""

    about: ClassVar[Family]  # set by its decorator
    events: ClassVar[tuple[type[m.Event], ...]] = ()  # beside those that every family sends

    def __init__(self) -> None:
        self._channel: Channel | None = None
        self._wanted: dict[Hashable, Any] = {}
        self._shown: dict[Hashable, Any] = {}
        self._due: dict[Hashable, None] = {}  # outputs that the device does not show yet, in the order they changed
        self._refused: dict[Hashable, str] = {}  # fault codes by output
        self._syncing = False
        self._begun: _Begun | None = None

    @classmethod
    def at_table(cls, seats: int) -> Driver:
        """Returns the driver of one such device at a table with so many areas."""
        return cls()

    @property
    def family(self) -> str:
        """The name of its family."""
        return self.about.name

    @property
    def settled(self) -> bool:
        """Whether the device shows what is wanted, or is not there to show it."""
        return self._channel is None or not self._due

    # ---- events

    def read(self, event: m.Event) -> m.Event:
        """Returns the event, or a fault in its place when this family does not send it or it cannot be true."""
        if not isinstance(event, (*m.SENT_BY_ALL, *self.events)):
            return m.Fault("device.unexpected", f"a {self.family} does not send {type(event).__name__}")
        if isinstance(event, m.FaultCleared):
            self._try_again(event.code)
        return event.defect or event

    # ---- commands

    async def ask(self, command: m.Command) -> m.Reply:
        """Sends one command that is a deed, not a state, and returns the reply; LinkError when it ends without one."""
        if self._channel is None:
            raise LinkError("link.lost", "the device is not there")
        return await self._channel.request(command)

    async def self_test(self) -> m.Reply:
        """Lets the device check itself and returns its reply."""
        return await self.ask(m.SelfTest())

    async def identify(self, name: str) -> str:
        """Lets a person find the device among others; returns what they see there, "" when it can show nothing.

        Afterwards it shows again what it should.
        """
        return ""

    async def clear_fault(self, code: str) -> m.Reply:
        """Tells the device that somebody has put this fault right, and that it shall go on."""
        return await self.ask(m.ClearFault(code))

    async def keep_note(self, note: bytes) -> m.Reply:
        """Gives the device some bytes to keep for the controller; refused by one that has no room for that."""
        return await self.ask(m.KeepNote(note))

    async def tell_note(self) -> m.Reply:
        """Returns the reply with what the device keeps for the controller, in hexadecimal digits."""
        return await self.ask(m.TellNote())

    # ---- outputs

    def want(self, key: Hashable, value: Any) -> None:
        """Sets what the device shall show, now or as soon as it is there."""
        self._wanted[key] = value
        if self._shown.get(key, _NEVER) == value:
            self._due.pop(key, None)
            return
        self._due[key] = None
        if self._channel is not None:
            self._channel.wake()

    def hurry(self) -> None:
        """Sends what is due at once, in its first command, unless something is under way; `sync` does the rest."""
        channel = self._channel
        if channel is None or channel.begin is None or self._syncing or self._begun is not None:
            return
        changed = {key: self._wanted[key] for key in self._due}
        for keys, command in self.commands(changed) if changed else ():
            try:
                reply = channel.begin(command)
            except (BodyError, LinkError):
                return  # `sync` meets the same, and tells it
            self._unknown(keys)
            self._begun = _Begun(keys, changed, reply)
            return

    def repeat(self, key: Hashable) -> None:
        """Sends an output again, although the device said that it shows it."""
        if key in self._wanted:
            self._shown.pop(key, None)
            self.want(key, self._wanted[key])

    def commands(self, changed: Mapping[Any, Any]) -> Iterable[tuple[tuple[Hashable, ...], m.Command]]:
        """Returns the commands that bring these outputs about, each with the outputs that it sets."""
        raise NotImplementedError(f"a {self.family} has no outputs")

    def label(self, key: Any) -> str:
        """Returns the name of an output for people."""
        return str(key)

    def make_safe(self) -> None:
        """Sets every output to its declared safe state; most families have none."""

    def attach(self, channel: Channel) -> None:
        """Begins to serve a device that is there; nothing is known of what it shows."""
        self._channel = channel
        self.show_again()

    def show_again(self) -> None:
        """Makes every output due again: what the device shows is not known any more.  Not while `sync` runs."""
        self._shown.clear()
        self._due = dict.fromkeys(self._wanted)

    def detach(self) -> None:
        """Stops serving a device that is gone."""
        self._channel = None
        if self._begun is not None:
            self._begun.reply.cancel()  # nobody waits for it any more
            self._begun = None

    async def sync(self) -> None:
        """Sends what differs, and once more what changed meanwhile; LinkError when the device does not answer.

        What changes then is still due: an output that never rests must not look like one that hangs.
        """
        self._syncing = True
        try:
            if self._begun is not None:
                keys, changed, reply = self._begun
                self._begun = None
                await self._answered(keys, changed, await reply)
            for _ in range(2):
                changed = {key: self._wanted[key] for key in self._due}
                for keys, command in self.commands(changed) if changed else ():
                    await self._send(keys, command, changed)
        finally:
            self._syncing = False

    async def _send(self, keys: tuple[Hashable, ...], command: m.Command, changed: dict[Hashable, Any]) -> None:
        self._unknown(keys)
        try:
            reply = await self.ask(command)
        except BodyError as error:
            reply = m.Reply(False, f"too-long {error.cause}")
        await self._answered(keys, changed, reply)

    def _unknown(self, keys: tuple[Hashable, ...]) -> None:
        """Forgets what these outputs show until the device answers: what is wanted back now must be sent too."""
        for key in keys:
            self._shown.pop(key, None)

    async def _answered(self, keys: tuple[Hashable, ...], changed: dict[Hashable, Any], reply: m.Reply) -> None:
        """Takes the device's reply to a command that sets these outputs."""
        if not reply.ok and len(keys) > 1:  # one of them is to blame: find it, and serve the others
            for key in keys:
                for single, again in self.commands({key: changed[key]}):
                    await self._send(single, again, changed)
            return
        for key in keys:
            self._shown[key] = changed[key]  # also when refused: asking again would not help
            if self._wanted[key] == changed[key]:
                self._due.pop(key, None)
            self._note(key, None if reply.ok else reply.detail)

    def _note(self, key: Hashable, refusal: str | None) -> None:
        """Reports a refused output once, and its end once no output has that fault."""
        code = None
        if refusal is not None:
            reason = refusal.partition(" ")[0]
            code = f"{self.about.called}.{reason if _REASON.fullmatch(reason) else 'refused'}"
        before = self._refused.pop(key, None)
        if code is not None:
            self._refused[key] = code
        if self._channel is None or code == before:
            return
        if before is not None and before not in self._refused.values():
            self._channel.report(m.FaultCleared(before))
        if code is not None:
            self._channel.report(m.Fault(code, f"{self.label(key)}: {refusal or 'no reason given'}"))

    def _try_again(self, code: str) -> None:
        again = [key for key, refused in self._refused.items() if refused == code]
        for key in again:
            del self._refused[key]
            self._shown.pop(key, None)
            self._due[key] = None
        if again and self._channel is not None:
            self._channel.wake()
