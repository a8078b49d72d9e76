"""A wire between a client and PostgreSQL that can be cut or go silent."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path

SOCKET = ".s.PGSQL.5432"


class Relay:
    """Passes bytes on; `async with` it."""

    def __init__(self, server: Path) -> None:
        self._server = server / SOCKET
        self._directory = tempfile.TemporaryDirectory(prefix="wire.")
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.eat_answers = False  # what the server says is lost, and then the line

    @property
    def host(self) -> str:
        return self._directory.name

    async def __aenter__(self) -> Relay:
        self._listener = await asyncio.start_unix_server(self._accept, Path(self.host) / SOCKET)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        self._open.set()
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._directory.cleanup()

    def cut(self) -> None:
        """Every connection ends; new ones are possible."""
        for writer in self._writers:
            writer.close()

    def silence(self) -> None:
        """Nothing passes any more, and nobody is told."""
        self._open.clear()

    def resume(self) -> None:
        self._open.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_unix_connection(self._server)
        except OSError:  # the server is not there
            writer.close()
            return
        self._writers |= {writer, back}
        for source, sink, answers in ((reader, back, False), (there, writer, True)):
            task = asyncio.create_task(self._pump(source, sink, answers))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, answers: bool) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                await self._open.wait()
                if answers and self.eat_answers:
                    self.eat_answers = False
                    self.cut()
                    break
                sink.write(data)
                await sink.drain()
        sink.close()
        self._writers.discard(sink)
