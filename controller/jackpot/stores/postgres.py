"""Prize meters in a PostgreSQL that a floor of tables shares.  Imported only where one is configured."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec
import psycopg
from psycopg import errors

from controller.jackpot.ledger import CONTRIBUTION, Meter, Movement
from controller.jackpot.rules import Terms
from controller.jackpot.stores import chained, migrations
from controller.jackpot.stores.books import NAMES, Books, Row, meter_of
from controller.jackpot.stores.deeds import Deed, MeterDeeds
from controller.jackpot.stores.presence import TESTS, setting
from controller.jackpot.stores.server import Connection, Server, Work, call, sever, severed, unreachable
from controller.jackpot.stores.store import DEADLINE, Recorded, StoreError, failed

T = TypeVar("T")
OPENING = 600.0  # seconds: an update may have to chain what a floor recorded in years
LOCK = 5_703_317_120_517  # advisory: whoever brings the schema up to date
LOOK = 0.5  # seconds between two looks at a meter that others move
SILENT = "f"  # the procedure could notify others, which nobody waits for
CONTRIBUTE = b"CALL jackpot_contribute($1, $2, $3, $4, $5, $6, $7, $8, NULL)"
PROCEDURE = 7  # the step that made it as it is
OURS = "(SELECT current_schema()::regnamespace::oid)"
FOREIGN = (
    "SELECT 'trigger', t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
    f" WHERE NOT t.tgisinternal AND c.relnamespace = {OURS}"
    " UNION ALL SELECT 'rule', r.rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class"
    f" WHERE c.relkind <> 'v' AND c.relnamespace = {OURS}"
    " UNION ALL SELECT 'policy', p.polname FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid"
    f" WHERE c.relnamespace = {OURS} ORDER BY 1, 2"
)
BODY = f"SELECT prosrc FROM pg_proc WHERE proname = 'jackpot_contribute' AND pronamespace = {OURS}"
EQUATIONS = ("meter_equation", "reserve_equation")
CHECKS = f"SELECT count(*) FROM pg_constraint WHERE conname IN {EQUATIONS} AND convalidated AND connamespace = {OURS}"
ODD = "FE001"  # raised by jackpot_contribute
_answer = msgspec.json.Decoder(dict[str, str | int | bool | None])


class PostgresStore(MeterDeeds):
    """A store of prize meters in PostgreSQL; recording order is commit order.

    A meter's row is locked from the first look to the commit.  Every answer to a writer is durable.  A reader may see a
    round a moment before it is: its table has no answer yet, and sends it again should the server crash just then.
    """

    def __init__(self, dsn: str, deadline: float = DEADLINE, unless_for_tests: StoreError | None = None) -> None:
        self._server = Server(dsn, deadline)
        self._unless_for_tests = unless_for_tests  # raised before a database is written that is not marked for tests
        self._last: dict[tuple[str, str], int] = {}  # what the server is believed to know of each table
        self._looking: set[Connection] = set()
        self._open = False

    async def open(self) -> None:
        """Brings the schema up to date; whoever comes first does it, the others wait."""
        try:
            if self._unless_for_tests is not None:
                await self._server.run(self._keep_out, again=True)
            if not await self._server.run(_up_to_date, again=True):
                await self._server.run(_migrate, again=True, within=OPENING)
        except BaseException:
            await self._server.drop()
            raise
        self._open = True

    async def close(self) -> None:
        """Closes all connections; harmless twice."""
        self._open = False
        for conn in self._looking:
            sever(conn)
        await self._server.drop()

    async def join(
        self,
        group: str,
        table: str,
        terms: Terms,
        described: str,
        known_to_table: int = 0,
        ceiling: int | None = None,
        spare: int = 0,
        teller: str = "",
    ) -> Recorded:
        """Makes a table take part; the first creates the meter, with its seed."""
        joined = await super().join(group, table, terms, described, known_to_table, ceiling, spare, teller)
        self._last[group, table] = joined.last
        return joined

    async def record(self, group: str, table: str, movements: Sequence[Movement]) -> Recorded:
        """Records these movements in one transaction; new wagers alone go in one round trip."""
        name = group, table
        done: Recorded | None = None
        everyday = self._unless_for_tests is None and _everyday(movements, self._last.get(name, -1))
        if name in self._last and everyday:
            done = await self._run(lambda conn: self._contribute(conn, group, table, movements), again=True)
        if done is None:
            done = await super().record(group, table, movements)
        self._last[name] = done.last
        return done

    async def _contribute(
        self, conn: Connection, group: str, table: str, movements: Sequence[Movement]
    ) -> Recorded | None:
        """Records new wagers in one round trip.

        Returns None, and has done nothing, when it is not the everyday case after all.
        """
        first = movements[0]
        rounds, wagers = _array([str(m.round) for m in movements]), _array([m.wager for m in movements])
        values = group, table, self._holder, str(first.number), rounds, wagers, str(first.ticks), SILENT
        try:
            answer = await call(conn, b"jackpot_contribute", CONTRIBUTE, values)
        except errors.UniqueViolation:  # such a wager stands already
            return None
        except psycopg.DatabaseError as bad:
            if bad.sqlstate != ODD:
                raise
            return None
        if answer is None:
            return None
        row = _answer.decode(answer)
        meter = meter_of(tuple(row[name] for name in NAMES))
        return Recorded(meter, movements[-1].number, head=str(row["hash"]))

    async def changes(self, group: str) -> AsyncGenerator[Meter, None]:
        """Yields the meter now and after each change, on a connection of its own.

        It looks twice a second: what a table costs the server is then the same however many tables there are, while a
        notification would wake all of them for each round (docs/performance.md).
        """
        loop = asyncio.get_running_loop()
        try:
            conn = await self._server.connect(loop.time() + self._server.deadline)
        except psycopg.Error as bad:
            raise unreachable(bad) from bad
        self._looking.add(conn)
        try:
            seen = None
            while True:
                following = loop.time() + LOOK
                with severed(conn, loop.time() + self._server.deadline):
                    meter = await _books(conn).meter(group)
                if meter != seen:
                    yield (seen := meter)
                await asyncio.sleep(following - loop.time())
        except psycopg.Error as bad:
            raise unreachable(bad) from bad
        finally:
            self._looking.discard(conn)
            await conn.close()

    async def _foreign(self, books: Books) -> list[str]:
        """Looks for triggers, rules and policies on our tables, of which we made none, and at our own procedure."""
        foreign = await books.query(FOREIGN, ())
        problems = [f"the schema has the {kind} {name}, which is not ours" for kind, name in foreign]
        _, _, rest = migrations.steps("postgres")[PROCEDURE].partition("$$")
        kept = await books.query(BODY, ())
        if [body for (body,) in kept] != [rest.rpartition("$$")[0]]:
            problems.append("the procedure jackpot_contribute is not ours")
        ((checks,),) = await books.query(CHECKS, ())
        if checks != len(EQUATIONS):
            problems.append("the schema lacks an equation that every meter must obey")
        return problems

    async def _read(self, deed: Deed[T]) -> T:
        async def work(conn: Connection) -> T:
            async with conn.transaction():
                return await deed(_books(conn))

        return await self._run(work, again=True)

    async def _write(self, deed: Deed[T], again: bool = False) -> T:
        async def work(conn: Connection) -> T:
            async with conn.transaction():
                await self._check_for_tests(conn)
                return await deed(_books(conn))

        return await self._run(work, again)

    async def _keep_out(self, conn: Connection) -> None:
        """Keeps a test table from a live database before its schema is touched; one without a schema has no meters."""
        (known,) = await _one(conn, "SELECT to_regclass('jackpot_settings') IS NOT NULL")
        if known:
            await self._check_for_tests(conn)

    async def _check_for_tests(self, conn: Connection) -> None:
        """Raises what was given where a test would move a live meter; in the transaction that would move it."""
        if self._unless_for_tests is not None and not await setting(_books(conn), TESTS):
            raise self._unless_for_tests

    async def _run(self, work: Work[T], again: bool) -> T:
        if not self._open:
            raise failed("jackpot.unreachable", "the store is not open")
        return await self._server.run(work, again)


def _everyday(movements: Sequence[Movement], last: int) -> bool:
    """Tells whether these are new wagers of one price, numbered on from the last."""
    return bool(movements) and all(
        m.kind == CONTRIBUTION and m.ticks == movements[0].ticks > 0 and not m.flushes and m.number == number
        for number, m in enumerate(movements, last + 1)
    )


def _array(words: list[str]) -> str:
    r"""Returns words as PostgreSQL writes an array.

    >>> print(_array(["1", 'a"\\b']))
    {"1","a\"\\b"}
    """
    quoted = [word.replace("\\", "\\\\").replace('"', '\\"') for word in words]
    return '{"' + '","'.join(quoted) + '"}'


async def _up_to_date(conn: Connection) -> bool:
    """Tells whether the schema is ours: a floor that starts at once need not stand in line."""
    (fsync,) = await _one(conn, "SHOW fsync")
    if fsync != "on":
        raise failed("jackpot.refused", "the server does not wait for its disk: set fsync = on")
    return await _known(conn) and await _version(conn) == max(migrations.steps("postgres"))


async def _known(conn: Connection) -> bool:
    (known,) = await _one(conn, "SELECT to_regclass('jackpot_schema') IS NOT NULL")
    return bool(known)


async def _migrate(conn: Connection) -> None:
    steps, known = migrations.steps("postgres"), await _known(conn)
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        if not known:  # when it was asked: somebody may have been quicker
            columns = "version int PRIMARY KEY, applied timestamptz NOT NULL"
            await conn.execute(f"CREATE TABLE IF NOT EXISTS jackpot_schema ({columns})".encode())
        version = await _version(conn)
        if version > max(steps):
            raise failed("jackpot.newer", f"the server has schema {version}; this feltd knows {max(steps)}")
        try:
            for number, sql in steps.items():
                if number > version:
                    await conn.execute(sql.encode(), prepare=False)
                    if number == migrations.CHAIN:
                        chained.tell_chained(await chained.chain_older_entries(_books(conn)))
                    await conn.execute("INSERT INTO jackpot_schema VALUES (%s, now())", (number,))
        except errors.InsufficientPrivilege as bad:
            cause = f"the schema must be brought from {version} to {max(steps)}, by the role that owns it: {bad}"
            raise failed("jackpot.refused", " ".join(cause.split())) from bad


async def _version(conn: Connection) -> int:
    (version,) = await _one(conn, "SELECT coalesce(max(version), 0) FROM jackpot_schema")
    return int(version)


async def _one(conn: Connection, sql: str) -> Row:
    row = await (await conn.execute(sql.encode())).fetchone()
    assert row is not None
    return row


@lru_cache
def _dialect(sql: str) -> bytes:
    return sql.replace("?", "%s").encode()


def _books(conn: Connection) -> Books:
    async def query(sql: str, parameters: Sequence[object]) -> list[Row]:
        cursor = await conn.execute(_dialect(sql), parameters)
        return await cursor.fetchall() if cursor.description else []

    async def now() -> int:
        (when,) = await _one(conn, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        return int(when)

    return Books(query, now, " FOR UPDATE")
