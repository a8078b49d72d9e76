"""The daemon reaches its devices by their addresses alone, whatever the wire; and says what it lacks for one."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
import usb.backend.libusb1

from controller.config import TableConfig
from controller.config.load import load_config
from controller.daemon.compose import running
from controller.errors import FeltError
from controller.sim.addresses import schemes, simulated_table
from tests.daemon.house import table_toml
from tests.firmware_bridge.listener import nothing_leaks


def with_addresses(directory: Path, **addresses: str) -> TableConfig:
    path = table_toml(directory)
    text = path.read_text()
    for name, address in addresses.items():
        assert f'"sim://{name}"' in text
        text = text.replace(f'"sim://{name}"', f'"{address}"')
    path.write_text(text)
    return load_config(path)


async def test_every_device_of_a_table_on_another_wire(tmp_path: Path) -> None:
    config = with_addresses(
        tmp_path, shoe="sim://shoe?wire=usb", console="sim://console?wire=tcp", lamps="sim://lamps?wire=pty"
    )
    with nothing_leaks():
        async with simulated_table(config) as (sim, _):
            async with running(config, schemes(sim)) as daemon:
                assert await daemon.service.all_ready()
                kinds = [sim.device(name).address.partition(":")[0] for name in ("shoe", "console", "lamps")]
                assert kinds == ["usb", "socket", "serial"]
            assert sim.cabling.usb.open_handles == 0


@pytest.mark.parametrize("variable", ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"])
async def test_the_control_socket_is_where_others_can_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """A unit's /tmp is its own; its runtime directory is everybody's."""
    config = with_addresses(tmp_path)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    with tempfile.TemporaryDirectory(prefix="run-") as runtime:  # a socket's path must be short
        monkeypatch.setenv(variable, runtime)
        async with simulated_table(config) as (_, control):
            assert control.is_socket() and str(control.parent.parent) == runtime
        assert list(Path(runtime).iterdir()) == []
    monkeypatch.setenv(variable, str(tmp_path / "none"))
    async with simulated_table(config) as (_, control):
        assert control.is_socket()


async def test_a_wire_that_does_not_exist(tmp_path: Path) -> None:
    config = with_addresses(tmp_path, shoe="sim://shoe?wire=string")
    with pytest.raises(FeltError, match="no wire 'string'; there are: memory, pty, usb, tcp") as failure:
        async with simulated_table(config):
            pass
    assert failure.value.code == "sim.wire"


async def test_a_machine_without_libusb_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    config = with_addresses(tmp_path, shoe="usb://1209:f317/SH-1", console="socket://127.0.0.1:1")
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        async with asyncio.timeout(5):
            while {"shoe", "console"} - set(daemon.service.engine.table.faults):  # noqa: ASYNC110 - two devices
                await asyncio.sleep(0.005)
        assert "cannot be reached" in daemon.status()
        shoe, console = (daemon.service.fleet.devices[name].state for name in ("shoe", "console"))
        assert (shoe.code, console.code) == ("usb.no-backend", "tcp.refused")
        assert "apt install libusb-1.0-0" in shoe.cause
