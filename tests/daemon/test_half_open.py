"""Hundreds of connections that never say what they want: the table, its API and its shoe go on."""

from __future__ import annotations

import resource
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.daemon.house import House

DESCRIPTORS = 200  # for the daemon, besides as many as we have open ourselves


@contextmanager
def few_descriptors() -> Iterator[int]:
    """Gives how many whatever is started within may have; what we have open ourselves stays."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = DESCRIPTORS + sum(1 for _ in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    try:
        yield few
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    house.config.write_text(house.config.read_text() + '[web]\nlisten = "127.0.0.1:0"\n')
    yield house
    house.close()


def port(house: House) -> int:
    (ready,) = [line for line in house.log if line["event"] == "table.ready"]
    return int(ready["pages"].rpartition(":")[2])


def half_open(port: int) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=20)
    with suppress(OSError):  # it may be shown the door at once
        client.sendall(b"GET /display/limits HTTP/1.1\r\nHost: felt\r\n")
    return client


def test_half_open_requests_take_nothing_from_the_table(house: House) -> None:
    with few_descriptors() as few:
        house.start()
    at, many = port(house), 2 * few
    clients = [half_open(at) for _ in range(many)]
    try:
        house.deal_a_round()
        assert house.status()["trouble"] == []
    finally:
        for client in clients:
            client.close()
    with urllib.request.urlopen(f"http://127.0.0.1:{at}/display/limits", timeout=20) as page:
        assert page.status == 200
    assert len(house.log) < many / 4  # one line for each would fill the disk
    assert house.stop() == 0
