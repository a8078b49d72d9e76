"""Tells the service manager that we are ready, what we do, and that we are alive (the sd_notify protocol)."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Mapping

REPORT_EVERY = 5.0  # seconds between reports when nobody asks for a sign of life


class Notifier:
    """Sends datagrams to NOTIFY_SOCKET; without one it says nothing.  A manager that is gone is no reason to stop."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of the abstract namespace.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._status = ""
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environment.get("WATCHDOG_USEC", "") if for_us else ""
        self.watchdog = int(microseconds) / 1e6 if microseconds.isdigit() and int(microseconds) else None

    def ready(self, status: str) -> None:
        """Says that the daemon is ready, and what it does."""
        self._status = status
        self._send(f"READY=1\nSTATUS={status}")

    def busy(self, status: str, seconds: float) -> None:
        """Says that it takes longer than usual, and how long the manager shall wait for the next word."""
        self._status = status
        self._send(f"EXTEND_TIMEOUT_USEC={round(seconds * 1e6)}\nSTATUS={status}")

    def alive(self) -> None:
        """Sends a sign of life for the watchdog."""
        self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Says what the daemon does, unless that was said last."""
        if text != self._status:
            self._status = text
            self._send(f"STATUS={text}")

    def stopping(self) -> None:
        """Says that the daemon ends."""
        self._send("STOPPING=1\nSTATUS=stopping")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as sender:
            try:
                sender.sendto(message.encode(), self._address)
            except OSError:
                return


async def heartbeat(notifier: Notifier, healthy: Callable[[], bool], status: Callable[[], str]) -> None:
    """Sends signs of life at half the watchdog's time, for as long as this loop turns and `healthy` says so."""
    pause = notifier.watchdog / 2 if notifier.watchdog else REPORT_EVERY
    while True:
        if notifier.watchdog and healthy():
            notifier.alive()
        notifier.status(status())
        await asyncio.sleep(pause)
