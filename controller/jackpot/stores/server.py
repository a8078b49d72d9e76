"""A connection to PostgreSQL that comes back by itself, and on which every call ends in time."""

from __future__ import annotations

import asyncio
import logging
import random
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection, errors, generators
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from controller.jackpot.stores.store import StoreError, failed

logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # a lost connection is named here, by its code

T = TypeVar("T")
Connection = AsyncConnection[tuple[Any, ...]]
Work = Callable[[Connection], Awaitable[T]]
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 1.0  # seconds between two tries
IDLE = 0.4  # of the deadline: a client that stops in the middle must not keep the meter from all others


class Server:
    """A client of one PostgreSQL: one connection at a time, one call at a time."""

    def __init__(self, dsn: str, deadline: float) -> None:
        self._dsn, self.deadline = dsn, deadline
        self._conn: Connection | None = None
        self._turn = asyncio.Lock()

    async def run(self, work: Work[T], again: bool, within: float | None = None) -> T:
        """Runs this work on the connection; after a lost connection once more, if it may be done `again`.

        It ends within the deadline; work that begins in time has `within` so many seconds where that is given.
        """
        loop = asyncio.get_running_loop()
        end, pause = loop.time() + self.deadline, FIRST_PAUSE
        await self._my_turn(end)
        try:
            while True:
                began = False
                try:
                    conn = await self._connected(end)
                    began = True
                    with severed(conn, end if within is None else loop.time() + within):
                        return await work(conn)
                except psycopg.Error as bad:
                    if not _lost(bad):
                        raise _named(bad) from bad
                    await self.drop()
                    if began and not again:
                        cause = f"nobody knows if it was done: look before you do it again ({_words(bad)})"
                        raise failed("jackpot.unreachable", cause) from bad
                    rest = random.uniform(pause / 2, pause)  # so that the tables do not all come back at once
                    if loop.time() + rest >= end:
                        raise failed("jackpot.unreachable", _words(bad)) from bad
                    await asyncio.sleep(rest)
                    pause = min(4 * pause, LONGEST_PAUSE)  # a floor that lost its server must not keep it busy
        finally:
            self._turn.release()

    async def _my_turn(self, end: float) -> None:
        if not self._turn.locked():
            await self._turn.acquire()  # at once
            return
        try:
            async with asyncio.timeout_at(end):
                await self._turn.acquire()
        except TimeoutError:
            raise failed("jackpot.unreachable", "the calls before this one did not end") from None

    async def _connected(self, end: float) -> Connection:
        if self._conn is None or self._conn.closed:
            self._conn = await self.connect(end)
        return self._conn

    async def connect(self, end: float) -> Connection:
        """Opens and returns a connection of its own, with the limits of time set."""
        try:
            async with asyncio.timeout_at(end):
                conn = await AsyncConnection.connect(
                    self._dsn, autocommit=True, prepare_threshold=0, client_encoding="UTF8"
                )
        except TimeoutError:
            raise psycopg.OperationalError("no connection in time") from None
        longest = int(self.deadline * 1_000)  # milliseconds
        idle = int(longest * IDLE)
        try:
            with severed(conn, end):
                await conn.execute(
                    f"SET default_transaction_isolation = 'read committed'; SET lock_timeout = {longest};"
                    f" SET statement_timeout = {longest}; SET idle_in_transaction_session_timeout = {idle};"
                    " SELECT set_config('synchronous_commit', 'on', false)"
                    " WHERE current_setting('synchronous_commit') = 'off'",
                    prepare=False,
                )
        except BaseException:
            await conn.close()
            raise
        return conn

    async def drop(self) -> None:
        """Closes the connection; the next call makes another."""
        conn, self._conn = self._conn, None
        if conn is not None:
            await conn.close()


async def call(conn: Connection, name: bytes, sql: bytes, values: Sequence[str]) -> bytes | None:
    """Runs a prepared statement and returns the one value of its answer.

    A cursor of psycopg would take a quarter more of the client's time.
    """
    words = [value.encode() for value in values]
    conn.pgconn.send_query_prepared(name, words)
    try:
        result = await _result(conn)
    except errors.InvalidSqlStatementName:  # a new connection, or psycopg forgot all its statements after a rollback
        conn.pgconn.send_prepare(name, sql)
        await _result(conn)
        conn.pgconn.send_query_prepared(name, words)
        result = await _result(conn)
    return result.get_value(0, 0)


async def _result(conn: Connection) -> PGresult:
    results: list[PGresult] = await conn.wait(generators.execute(conn.pgconn))
    (result,) = results
    if result.status == ExecStatus.FATAL_ERROR:
        raise errors.error_from_result(result, encoding="utf-8")
    return result


@contextmanager
def severed(conn: Connection, end: float) -> Iterator[None]:
    """Cuts the line at this time, so that whoever waits for the server learns that it is gone."""
    timer = asyncio.get_running_loop().call_at(end, sever, conn)
    try:
        yield
    finally:
        timer.cancel()


def sever(conn: Connection) -> None:
    """Cuts the line: the way to wake libpq without waiting for a server that may never answer."""
    if conn.closed:
        return
    with socket.socket(fileno=socket.dup(conn.fileno())) as line:
        try:
            line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it was cut already


def _lost(bad: psycopg.Error) -> bool:
    """Tells whether another connection, or another try, may help."""
    return isinstance(bad, psycopg.OperationalError | psycopg.InterfaceError | errors.IdleInTransactionSessionTimeout)


def _named(bad: psycopg.Error) -> StoreError:
    if isinstance(bad, errors.CheckViolation | errors.DataCorrupted | errors.IndexCorrupted):
        return failed("jackpot.corrupt", _words(bad))
    return failed("jackpot.refused", _words(bad))


def unreachable(bad: psycopg.Error) -> StoreError:
    """Returns the error for whatever went wrong on a line."""
    return failed("jackpot.unreachable", _words(bad)) if _lost(bad) else _named(bad)


def _words(bad: psycopg.Error) -> str:
    """Returns the message on one line; the server's own words hold no password."""
    return " ".join(str(bad).split()) or type(bad).__name__
