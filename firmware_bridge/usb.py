"""A USB device as a transport: its own threads do the blocking transfers, the event loop hears and says bytes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVarTuple, Unpack

from firmware_bridge.transport import Receiver, TransportError
from firmware_bridge.usb_device import WAIT, UsbPipe, UsbPlace, open_pipe

MAX_UNSENT: Final = 64 * 1024
PATIENCE: Final = 5  # transfers in which a device takes nothing, until it counts as stalled
READS_AHEAD: Final = 64  # reads that the loop may be behind

_Ts = TypeVarTuple("_Ts")


class UsbTransport:
    """One device.  `backend` is pyusb's; libusb, loaded with the first opening, unless another is given.

    One transfer takes at most `wait` milliseconds, and so does `close`.  After a loss its threads let go of the device
    by themselves; `close` and the next `open` wait for that.
    """

    def __init__(
        self,
        vendor: int,
        product: int,
        serial: str = "",
        *,
        port: str = "",
        interface: int | None = None,
        backend: Any = None,
        max_unsent: int = MAX_UNSENT,
        wait: int = WAIT,
    ) -> None:
        self.place = UsbPlace(vendor, product, serial, port, interface)
        self._backend = backend
        self._max_unsent = max_unsent
        self._wait = wait
        self._line: _Line | None = None

    async def open(self, receiver: Receiver) -> None:
        """Finds and claims the device; TransportError when that fails."""
        if self._line is not None:
            if self._line.alive:
                raise self.place.error("usb.busy", "opened already")
            await self._line.ended.wait()
        line = self._line = _Line(self.place, self._backend, receiver, self._max_unsent, self._wait)
        try:
            await line.opened
        except asyncio.CancelledError:
            line.stop()
            raise

    def write(self, data: bytes) -> None:
        """Queues bytes for the device; one that takes nothing is `usb.stalled`."""
        if self._line is not None:
            self._line.write(data)

    async def close(self) -> None:
        """Releases the device and ends its threads; unsent bytes are dropped."""
        line, self._line = self._line, None
        if line is not None:
            line.stop()
            await line.ended.wait()


class _Line:
    """One opening of the device.  The thread that opens it reads it and lets it go; a second one writes.

    The event loop owns `_receiver` and the futures; `_turn` guards what the threads share with it.
    """

    def __init__(self, place: UsbPlace, backend: Any, receiver: Receiver, max_unsent: int, wait: int) -> None:
        self._place = place
        self._backend = backend
        self._receiver: Receiver | None = receiver
        self._max_unsent = max_unsent
        self._wait = wait
        self._loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = self._loop.create_future()
        self.ended = asyncio.Event()
        self._turn = threading.Condition()
        self._unsent = bytearray()
        self._over = False
        self._room = threading.BoundedSemaphore(READS_AHEAD)  # so that a flood waits in the device, not in memory
        self._reader = threading.Thread(target=self._live, name=f"{place} in", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet."""
        return not self._over

    # ---- in the loop

    def write(self, data: bytes) -> None:
        """Queues bytes for the writing thread."""
        with self._turn:
            if self._over:
                return
            self._unsent += data
            waiting = len(self._unsent)
            self._turn.notify_all()
        if waiting > self._max_unsent:
            self._lose(self._stalled(waiting))

    def stop(self) -> None:
        """Ends the threads without telling the receiver."""
        self._receiver = None
        if self._finish() and not self.opened.done():
            self.opened.set_exception(self._place.error("usb.closed", "closed while it was being opened"))

    def _pass_on(self, data: bytes) -> None:
        self._room.release()
        if self._receiver is not None:
            self._receiver.received(data)

    def _report_open(self) -> None:
        if not self.opened.done():
            self.opened.set_result(None)

    def _report_lost(self, why: TransportError) -> None:
        receiver, self._receiver = self._receiver, None
        if not self.opened.done():
            self.opened.set_exception(why)
        elif receiver is not None:
            receiver.lost(why)

    def _threads_ended(self) -> None:
        self._reader.join()  # it has nothing left to do
        self.ended.set()

    # ---- in the threads

    def _live(self) -> None:
        try:
            pipe = open_pipe(self._place, self._backend, self._wait)
        except Exception as error:  # whatever a backend may raise: nobody else would hear of it
            self._lose(self._why(error))
        else:
            self._guarded(self._serve, pipe)
            self._finish()
            self._guarded(UsbPipe.close, pipe)
        self._call(self._threads_ended)

    def _serve(self, pipe: UsbPipe) -> None:
        name = f"{self._place} out"
        writer = threading.Thread(target=self._guarded, args=(self._write, pipe), name=name, daemon=True)
        writer.start()
        self._call(self._report_open)
        self._guarded(self._read, pipe)
        self._finish()
        writer.join()

    def _guarded(self, work: Callable[[UsbPipe], None], pipe: UsbPipe) -> None:
        try:
            work(pipe)
        except Exception as error:  # a thread never dies in silence
            self._lose(self._why(error))

    def _read(self, pipe: UsbPipe) -> None:
        while not self._over:
            if not self._room.acquire(timeout=self._wait / 1000):
                continue
            data = b""
            try:
                data = pipe.read()
            finally:
                if not data:
                    self._room.release()
            if data:
                self._call(self._pass_on, data)

    def _write(self, pipe: UsbPipe) -> None:
        in_vain = 0
        while data := self._next():
            sent = pipe.write(data)
            with self._turn:
                del self._unsent[:sent]
                waiting = len(self._unsent)
            in_vain = 0 if sent else in_vain + 1
            if in_vain >= PATIENCE:
                raise self._stalled(waiting)

    def _next(self) -> bytes:
        """Waits for bytes to be sent and returns them; nothing at the end."""
        with self._turn:
            self._turn.wait_for(lambda: self._over or self._unsent)
            return b"" if self._over else bytes(self._unsent)

    # ---- the end

    def _finish(self) -> bool:
        """Tells the threads to end; returns True only for the first caller."""
        with self._turn:
            first, self._over = not self._over, True
            self._unsent.clear()
            self._turn.notify_all()
        return first

    def _lose(self, why: TransportError) -> None:
        """Ends the line with a cause; the first one counts.

        The receiver learns it from the loop, for it may be in the middle of a `write`.
        """
        if self._finish():
            self._call(self._report_lost, why)

    def _stalled(self, waiting: int) -> TransportError:
        return self._place.error("usb.stalled", f"it does not take data, {waiting} bytes wait to be sent")

    def _why(self, error: Exception) -> TransportError:
        return error if isinstance(error, TransportError) else self._place.explained(error)

    def _call(self, callback: Callable[[Unpack[_Ts]], object], *args: *_Ts) -> None:
        try:
            self._loop.call_soon_threadsafe(callback, *args)
        except RuntimeError:
            self._finish()  # the loop is closed: nobody is left to hear it
