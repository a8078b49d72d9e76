"""Signing in at the console of a whole daemon: order, wrong PINs, waits, idle time; and the PIN is nowhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.config.load import load_config
from controller.errors import FeltError
from controller.people.pins import hashed
from controller.people.roster import Employee, Roster
from controller.service.clock import SYSTEM_CLOCKS
from controller.table.facts import NO_PEOPLE, WRONG_PIN, BadgePresented, Key, SignedIn, SignedOut, SignInFailed
from controller.views.fact_text import tell
from tests.asking import Client
from tests.daemon.house import table_toml
from tests.people.everybody import write_people
from tests.service.clocks import Clocks, Table, table, until

PIN = "85274196"  # no number that is in a journal by chance
DEAR = hashed(PIN, 16 * 1024, 2)
ANN = Employee("Pit One", "0417", ("supervisor",), DEAR)
BEN = Employee("Pit Two", "0418", ("dealer", "technician"), hashed("1379", 8, 1))


def config_of(directory: Path, more: str = "") -> Path:
    path = table_toml(directory)
    path.write_text(path.read_text() + more)
    write_people(directory, Roster((ANN, BEN)))
    return path


@asynccontextmanager
async def house(directory: Path, clocks: Clocks | None = None, more: str = "") -> AsyncIterator[Table]:
    system = SYSTEM_CLOCKS if clocks is None else clocks.system()
    async with table(load_config(config_of(directory, more)), system) as t:
        yield t


def shown(t: Table) -> list[str]:
    prompts: list[str] = t.sim.device("console").state()["view"]["prompts"]
    return prompts


def role(t: Table) -> str:
    return t.engine.table.role


async def test_somebody_signs_in_and_out(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        await t.do("console", "badge", "0417")
        assert shown(t)[0] == "PIN of Pit One"
        await t.do("console", "pin", PIN)
        assert (t.engine.table.role, t.engine.table.name) == ("supervisor", "Pit One")
        assert shown(t)[-1] == "signed in: supervisor Pit One"
        assert t.facts(SignedIn) == [SignedIn("Pit One", "0417", "supervisor", "console", -1, 600_000_000)]
        await t.do("console", "badge", "0417")
        assert (t.engine.table.role, t.engine.table.name) == ("dealer", "")
        assert not any("signed in" in line for line in shown(t))


async def test_what_follows_a_pin_waits_for_it(tmp_path: Path) -> None:
    """All in one breath: the key is pressed by who signs in, and everything is on record in its order."""
    async with house(tmp_path) as t:
        console = t.sim.device("console")
        console.do("badge", "0417")
        console.do("pin", PIN)
        console.do("press", "replaced")
        console.do("badge", "0418")
        console.do("pin", "1379")
        console.do("press", "seat", "1")
        await until(lambda: t.daemon.service.quiet and t.sim.quiet)
        names = [type(fact).__name__ for fact in t.facts((BadgePresented, SignedIn, Key))]
        assert names == ["BadgePresented", "SignedIn", "Key", "BadgePresented", "SignedIn", "Key"]
        assert (t.engine.table.role, t.engine.table.name) == ("dealer", "Pit Two")
        counters = [record.counter for record in t.daemon.journal if record.device == "console"]
        assert counters == sorted(counters) and len(counters) == 6


async def test_an_unplugged_console_tells_it_once(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        console = t.sim.device("console")
        console.do("badge", "0417")
        console.do("pin", PIN)
        console.do("press", "replaced")
        for _ in range(3):
            await asyncio.sleep(0.03)
            console.fault("unplug")
            await asyncio.sleep(0.03)
            console.clear()
        await until(lambda: t.daemon.service.quiet and t.sim.quiet and bool(t.facts(Key)))
        assert [len(t.facts(kind)) for kind in (BadgePresented, SignedIn, SignInFailed, Key)] == [1, 1, 0, 1]


async def test_wrong_pins_are_counted_and_the_wait_outlives_a_restart(tmp_path: Path) -> None:
    clocks = Clocks()
    async with house(tmp_path, clocks) as t:
        await t.do("console", "badge", "0418")
        await t.do("console", "pin", "0000")
        assert shown(t)[0] == "wrong PIN, 4 attempts left; PIN of Pit Two"
        for _ in range(3):
            await t.do("console", "pin", "0000")
        assert shown(t)[0] == "wrong PIN, 1 attempt left; PIN of Pit Two"
        await t.do("console", "pin", "0000")
        assert shown(t)[0].startswith("too many wrong PINs: locked until ")
    async with house(tmp_path, clocks) as t:
        await t.do("console", "badge", "0418")
        await t.do("console", "pin", "1379")
        assert t.facts(SignInFailed)[-1] == SignInFailed("0418", "console", "locked", "Pit Two")
        clocks.passes(61)
        await t.do("console", "pin", "1379")
        assert t.engine.table.name == "Pit Two" and not t.engine.table.attempts


async def test_a_badge_that_nobody_has_looks_like_any_other(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        await t.do("console", "badge", "9999")
        assert shown(t)[0] == "PIN of badge 9999"
        await t.do("console", "pin", PIN)
        assert t.facts(SignInFailed) == [SignInFailed("9999", "console", WRONG_PIN)]
        assert "wrong PIN, 4 attempts left" in shown(t)[0]


async def test_a_pin_without_a_badge(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        await t.do("console", "pin", PIN)
        assert t.facts(SignInFailed) == [SignInFailed("", "console", "no-badge")]
        assert not t.engine.table.attempts


async def test_who_does_nothing_is_signed_out(tmp_path: Path) -> None:
    clocks = Clocks()
    async with house(tmp_path, clocks, '[people]\nidle = "5m"\n') as t:
        await t.do("console", "badge", "0418")
        await t.do("console", "pin", "1379")
        clocks.passes(200)
        await t.press("seat", "1")
        clocks.passes(200)
        await asyncio.sleep(0.05)
        assert t.engine.table.name == "Pit Two"
        clocks.passes(101)
        await until(lambda: t.facts(SignedOut) == [SignedOut("Pit Two", "console", "idle")])
        await until(lambda: t.engine.table.name == "")


async def test_who_is_removed_from_the_file_presses_no_more_keys(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        await t.do("console", "badge", "0418")
        await t.do("console", "pin", "1379")
        await t.press("seat", "1")
        assert t.engine.table.name == "Pit Two"
        write_people(tmp_path, Roster((ANN,)))
        await t.press("seat", "2")
        assert t.facts(SignedOut) == [SignedOut("Pit Two", "console", "removed")]
        assert t.engine.table.name == "" and isinstance(t.facts((SignedOut, Key))[-1], Key)


async def test_a_file_that_breaks_while_the_table_runs_lets_nobody_in_until_it_is_mended(tmp_path: Path) -> None:
    async with house(tmp_path) as t:
        path, keeper = tmp_path / "people.toml", t.daemon.service.doorkeeper
        whole = path.read_text()
        two_of_one_badge = whole.replace("0418", "0417")
        for broken, code in (
            (two_of_one_badge, "people.invalid"),
            ("[[person", "people.invalid"),
            ("", "people.empty"),
            (None, "missing"),
        ):
            token, _ = await keeper.sign_in("0418", "1379", "", "socket", 1000)
            if broken is None:
                path.unlink()
            else:
                path.write_text(broken)
            assert keeper.who(token, "socket", 1000) is None and not len(keeper.sessions)
            trouble = t.daemon.service.sign_in.people.trouble
            assert trouble is not None and trouble.code.endswith(code)
            assert keeper.accounts_suffice == (broken is None)  # a broken file gives no account powers
            for _ in range(6):  # a right PIN, and one more than may be wrong
                with pytest.raises(FeltError) as refused:
                    await keeper.sign_in("0418", "1379", "", "socket", 1000)
                assert refused.value.code == "sign-in.nobody" and str(tmp_path) not in refused.value.cause
            await t.do("console", "badge", "0418")
            await t.do("console", "pin", "1379")
            assert shown(t)[0].startswith("nobody can sign in: people.toml")
            assert not t.engine.table.attempts  # it is nobody's mistake
            path.write_text(whole)
            path.chmod(0o600)
        assert (await keeper.sign_in("0418", "1379", "", "socket", 1000))[1].person == "Pit Two"
        at = [(fact.place, fact.why) for fact in t.facts(SignInFailed)]
        assert at == [("socket", NO_PEOPLE), ("console", NO_PEOPLE)] * 4  # at the socket the first attempt of each
        assert "PIN" not in tell(t.facts(SignInFailed)[0])


async def test_without_people_the_table_says_so_and_takes_only_a_dealer(tmp_path: Path) -> None:
    path = config_of(tmp_path)
    (tmp_path / "people.toml").unlink()
    async with table(load_config(path)) as t:
        told = await asyncio.to_thread(Client(str(t.daemon.config.api.socket)).get, "/status")
        assert [(each["code"], "felt people add" in each["next_step"]) for each in told["trouble"]] == [
            ("people.missing", True)
        ]
        await t.do("console", "badge", "0417")
        await t.do("console", "pin", PIN)
        assert role(t) == "dealer"
        await t.do("sensor.1", "bet", {"war": 1000})
        await t.press("no-more-bets")
        assert t.engine.table.round is not None and t.engine.table.round.closed
        write_people(tmp_path, Roster((ANN,)))
        await t.do("console", "badge", "0417")
        await t.do("console", "pin", PIN)
        assert role(t) == "supervisor"


@pytest.mark.parametrize("whole", [False, True])
async def test_a_pin_is_nowhere(tmp_path: Path, whole: bool, capsys: pytest.CaptureFixture[str]) -> None:
    async with house(tmp_path, more="[simulation]\nwhole-captures = true\n" if whole else "") as t:
        console = t.sim.device("console")
        for pin in (PIN, "9" + PIN):
            await t.do("console", "badge", "0417" if pin == PIN else "0418")
            await t.do("console", "pin", pin)
        console.do("pin", PIN)  # again, while the wire is bad
        console.fault("unplug")
        await asyncio.sleep(0.05)
        console.clear()
        await until(lambda: t.daemon.service.quiet and t.sim.quiet)
        client = Client(str(t.daemon.config.api.socket))

        def asked() -> list[Any]:
            paths = ("/status", "/devices", "/journal/tail", "/devices/console/trace")
            return [client.get(path) for path in paths]

        answers = json.dumps(await asyncio.to_thread(asked))
        assert "PinEntered(withheld)" in answers
        trace = repr(list(t.daemon.service.fleet.devices["console"].trace))
        assert PIN not in answers and PIN.encode().hex() not in answers
        assert PIN not in trace
        for record in t.daemon.journal:
            assert PIN.encode() not in record.payload
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name == "journal.db" for path in files)
    for path in files:
        assert PIN.encode() not in path.read_bytes(), path
    said = capsys.readouterr()
    assert PIN not in said.out + said.err
