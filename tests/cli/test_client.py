"""What `felt` makes of a daemon that hangs up."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from controller.api import routes
from controller.cli.client import Client
from controller.cli.daemon_socket import Unreachable
from controller.errors import FeltError

BODY = bytes(10_000_000)  # more than a socket holds
NO = {"error": {"code": "person.not-technician", "cause": "account 7 is not a technician's", "next_step": "Ask one."}}


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as own:
        own.bind(str(tmp_path / "feltd.sock"))
        own.listen()
        own.settimeout(20)
        yield own


def hang_up(listening: socket.socket, answer: bytes) -> None:
    """Reads the beginning of one request, answers, and is gone."""
    peer, _ = listening.accept()
    with peer:
        peer.recv(1000)
        peer.sendall(answer)


def asked(listening: socket.socket, answer: bytes) -> FeltError:
    other = Thread(target=hang_up, args=(listening, answer))
    other.start()
    with pytest.raises(FeltError) as caught:
        list(Client(listening.getsockname()).work(routes.FLASH, BODY, "shoe"))
    other.join()
    return caught.value


def test_a_refusal_is_heard_though_not_everything_was_sent(listening: socket.socket) -> None:
    body = json.dumps(NO).encode()
    head = f"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    assert asked(listening, head.encode() + body).code == "person.not-technician"


def test_who_hangs_up_without_a_word_cannot_be_reached(listening: socket.socket) -> None:
    error = asked(listening, b"")
    assert isinstance(error, Unreachable) and not error.absent


def test_a_daemon_of_another_version_is_named(listening: socket.socket) -> None:
    body = json.dumps({"anchor": 7}).encode()
    answer = f"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    other = Thread(target=hang_up, args=(listening, answer))
    other.start()
    with pytest.raises(FeltError, match="Expected `str`, got `int`") as caught:
        Client(listening.getsockname()).get(routes.ANCHOR)
    other.join()
    assert caught.value.code == "daemon.answer" and "version" in caught.value.next_step


def test_only_what_is_declared_can_be_asked() -> None:
    assert routes.ROUND.at(7, opened=None) == "/rounds/7"
    assert routes.TRACE.at("a/b", follow=1) == "/devices/a%2Fb/trace?follow=1"
    for route, names, query in ((routes.ROUND, (), {}), (routes.STATUS, ("x",), {}), (routes.ROUND, (7,), {"open": 1})):
        with pytest.raises(ValueError, match=route.path.partition("{")[0]):
            route.at(*names, **query)
