"""A client for tests: it asks whatever path a test names, right or wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urlencode

from controller.cli.daemon_socket import TIMEOUT, DaemonSocket, Json


class Client(DaemonSocket):
    """Asks one daemon, by path."""

    def get(self, what: str, timeout: float | None = TIMEOUT, **query: object) -> Json:
        given = {name: str(value) for name, value in query.items() if value is not None}
        return self.ask("GET", f"{what}?{urlencode(given)}" if given else what, None, timeout)

    def post(self, what: str, body: Json, timeout: float | None = TIMEOUT) -> Json:
        return self.ask("POST", what, json.dumps(body).encode(), timeout)

    def work(self, what: str, body: bytes | None) -> Iterator[Json]:
        return self.lines("POST", what, body)

    def stream(self, what: str, after: int = 0) -> Iterator[Json]:
        return self.listen(what, after)

    def events(self, after: int) -> Iterator[Json]:
        return self.listen("/events", after)
