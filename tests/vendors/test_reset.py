"""Out of a device's error mode by command, when somebody has looked: one shoe can, others say that they cannot."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli.demo import dealt_table
from controller.cli.device import command
from controller.config.load import load_config
from controller.daemon.compose import Daemon
from controller.table.facts import Noted, decode
from firmware_bridge.vendors.angel_eye import clear_error
from hw_sim import loop
from tests.daemon.house import table_toml
from tests.vendors.test_shoe import a_shoe, draw, end


def test_the_command_on_the_wire() -> None:
    assert clear_error(1).to_wire().hex(" ") == "02 4f 50 45 43 30 31 03 31 39"
    assert clear_error(1).to_wire(with_stx=False).hex(" ") == "02 4f 50 45 43 30 31 03 31 42"
    assert clear_error(12).data == "12"


def test_each_error_is_cleared_by_its_number() -> None:
    async def main() -> None:
        async with a_shoe() as bench:
            await draw(bench, "??")
            bench.device.fault("jam")
            end(bench).send_report("E", bytes([0xC0 | 40]))
            end(bench)._errors.add(40)
            await bench.until(lambda: bench.faults == ["shoe.unreadable", "shoe.timeout", "shoe.error-40"])
            for code in ("shoe.timeout", "shoe.error-40", "shoe.unreadable"):
                assert (await bench.driver.clear_fault(code)).ok
                await bench.until(lambda code=code: bench.cleared[-1:] == [code])  # type: ignore[misc]
            assert "operation EC 07" in bench.trace and "operation EC 40" in bench.trace
            reply = await bench.driver.clear_fault("shoe.gap")  # ours, not the shoe's
            assert (reply.ok, reply.detail) == (False, "no-such-fault")
            end(bench).refusals.append(0x14)
            reply = await bench.driver.clear_fault("shoe.unreadable")
            assert not reply.ok and reply.detail.startswith("type ")

    loop.run(main())


async def felt(daemon: Daemon, *words: str) -> Result:
    arguments = [*words, "--socket", str(daemon.config.api.socket)]
    return await asyncio.to_thread(lambda: CliRunner().invoke(command, arguments))


@pytest.mark.parametrize("protocol", ["angel-eye", "native"])
async def test_a_technician_leads_the_shoe_out_of_its_error(protocol: str, tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_text(path.read_text().replace('family = "shoe"\n', f'family = "shoe"\nprotocol = "{protocol}"\n'))
    async with dealt_table(load_config(path)) as (daemon, sim, _):
        said = await felt(daemon, "shoe", "reset")
        assert said.exit_code == 1 and "device.no-fault: shoe reports no fault" in said.stderr
        said = await felt(daemon, "shoo", "reset")
        assert said.exit_code == 1 and "device.unknown" in said.stderr
        sim.device("shoe").fault("jam")
        async with asyncio.timeout(20):
            while not daemon.service.engine.table.faults.get("shoe"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            (code,) = daemon.service.engine.table.faults["shoe"]
            said = await felt(daemon, "shoe", "reset", "shoe.else")
            assert said.exit_code == 1 and "shoe reports no fault shoe.else" in said.stderr
            said = await felt(daemon, "shoe", "reset")
            if protocol == "native":  # the jam is still in it
                assert said.exit_code == 1 and f"device.fault-lasts: shoe does not leave {code}" in said.stderr
                return
            assert (said.exit_code, code in said.stdout) == (0, True), said.output
            while daemon.service.engine.table.faults.get("shoe"):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        notes = [fact for each in daemon.journal if isinstance(fact := decode(each.payload), Noted)]
        assert [note.what.partition(" (account ")[0] for note in notes] == [f"reset from {code}"]
