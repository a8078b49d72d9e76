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

DESCRIPTORS = 200  # for the daemon
MANY = 400


@contextmanager
def few_descriptors() -> Iterator[None]:
    """What is started within gets no more; what we have open ourselves stays."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    house.config.write_text(house.config.read_text() + '[web]\nlisten = "127.0.0.1:0"\n')
    with few_descriptors():
        house.start()
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
    at = port(house)
    clients = [half_open(at) for _ in range(MANY)]
    try:
        house.deal_a_round()
        assert house.status()["trouble"] == []
    finally:
        for client in clients:
            client.close()
    with urllib.request.urlopen(f"http://127.0.0.1:{at}/display/limits", timeout=20) as page:
        assert page.status == 200
    assert len(house.log) < MANY / 4  # one line for each would fill the disk
    assert house.stop() == 0
