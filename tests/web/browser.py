"""A browser without a window, spoken to by its debugging protocol: enough to load a page and to look at it."""

from __future__ import annotations

import asyncio
import base64
import itertools
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse

BINARY = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
    "about:blank",
)
PATIENCE = 30.0


class Page:
    """One page that is open."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.complaints: list[str] = []  # what the page logs as an error: also what the security policy blocked

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE):
            while True:
                heard = await self._socket.receive_json()
                if heard.get("id") == number:
                    assert "error" not in heard, heard
                    return dict(heard["result"])
                self._listen(heard)

    def _listen(self, heard: dict[str, Any]) -> None:
        if heard["method"] == "Log.entryAdded" and heard["params"]["entry"]["level"] == "error":
            entry = heard["params"]["entry"]
            self.complaints.append(f"{entry['source']}: {entry['text']}")
        elif heard["method"] == "Runtime.exceptionThrown":
            self.complaints.append(str(heard["params"]["exceptionDetails"]["exception"].get("description")))

    async def open(self, address: str, width: int = 1280, height: int = 720, still: bool = False) -> None:
        await self.ask("Page.enable")
        await self.ask("Runtime.enable")
        await self.ask("Log.enable")
        await self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        await self.ask("Emulation.setEmulatedMedia", features=[motion])
        await self.ask("Page.navigate", url=address)

    async def value(self, expression: str) -> Any:
        answer = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def until(self, expression: str, patience: float = PATIENCE) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        while not await self.value(expression):
            assert loop.time() < deadline, f"never: {expression}; {self.complaints}"
            await asyncio.sleep(0.02)

    async def photograph(self, path: Path) -> None:
        answer = await self.ask("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))


@asynccontextmanager
async def browser(directory: Path) -> AsyncIterator[Page]:
    """A browser of its own, with nothing in its past; it is gone at the end."""
    assert BINARY is not None
    process = await asyncio.create_subprocess_exec(
        BINARY,
        f"--user-data-dir={directory}",
        *FLAGS,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            while b"DevTools listening on" not in (line := await process.stderr.readline()):
                assert line, "the browser did not start"
        port = int(line.decode().split("://")[1].split("/")[0].rpartition(":")[2])
        reading = asyncio.create_task(process.stderr.read())  # or it might stop for want of a reader
        async with ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                pages = [page for page in await answer.json() if page["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=1 << 26) as socket:
                yield Page(socket)
        process.terminate()
        await reading
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
