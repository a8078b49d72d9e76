"""A package that nobody here knows brings a vendor, its simulated device, a family and a wire: all of it is played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.daemon.house import table_toml
from tests.docs.blocks import blocks
from tests.docs.toml_parts import whole_table
from tests.examples.installing import EXAMPLES, FELT, felt, made_up, python
from tests.system.a_round import LINES

SHOE = 'family = "shoe"\n'
SWITCH = '[device.switch]\nfamily = "foot-switch"\naddress = "sim://switch"\n'
PLAY = """\
import asyncio, json, sys
from pathlib import Path
from controller.config.load import load_config
from controller.daemon.compose import running
from controller.sim.addresses import schemes, simulated_table
from tests.system.a_round import DEEDS

async def main():
    config = load_config(Path(sys.argv[1]))
    async with simulated_table(config) as (sim, _), running(config, schemes(sim)) as daemon:
        service = daemon.service
        assert await service.all_ready(30.0)
        for device, verb, args in DEEDS:
            if args == ("no-more-bets",):
                device, verb = "switch", "step"
            before = service.engine.seq
            sim.device(device).do(verb, *args)
            async with asyncio.timeout(30):
                while not (service.engine.seq > before and sim.quiet and service.quiet):
                    await asyncio.sleep(0.01)
        table = service.engine.table
        lines = {f"{x.place} {x.spot}": [x.result, x.net, x.rule] for x in table.round.lines}
        result = [table.round.outcome, lines, sorted(table.faults)]
    print(json.dumps(result))

asyncio.run(main())
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = table_toml(tmp_path, seats=3)
    shoe = SHOE + 'protocol = "acme-shoe"\nacme-shoe = { patience = 300 }\n'
    path.write_text(path.read_text().replace(SHOE, shoe) + SWITCH)
    return path


def test_a_round_with_a_shoe_and_a_switch_from_outside(site: Path, table: Path) -> None:
    played = python(site, "-c", PLAY, str(table))
    assert played.returncode == 0, played.stderr
    outcome, lines, faults = json.loads(played.stdout.splitlines()[-1])
    assert outcome == "settled"
    assert lines == {f"{place} {spot}": list(line) for (place, spot), line in LINES.items()}
    assert not faults


def test_a_table_with_it_deals_itself(site: Path, table: Path) -> None:
    dealt = python(site, "-c", FELT, "sim", "--config", str(table), "--rounds", "3", "--speed", "0")
    assert dealt.returncode == 0, dealt.stdout + dealt.stderr
    assert "round 3: settled" in dealt.stdout
    assert "sound" in dealt.stdout


def test_its_configuration_is_checked_like_ours(site: Path, table: Path) -> None:
    assert (good := felt(site, "config", "check", str(table))).returncode == 0, good.stdout + good.stderr
    text = table.read_text().replace("patience = 300", "patiance = 300, dialect = 3")
    table.write_text(text.replace("sim://switch", "acme://ttyX"))
    wrong = felt(site, "config", "check", str(table))
    told = wrong.stdout + wrong.stderr
    assert wrong.returncode != 0
    assert 'device.shoe.acme-shoe.patiance: unknown key: did you mean "patience"?' in told
    assert "device.shoe.acme-shoe.dialect: must be text in quotes" in told
    assert "device.switch.address: 'ttyX' is no port of ours; for example acme://ttyACME0" in told


def test_without_the_package_its_words_are_unknown(tmp_path: Path, table: Path) -> None:
    told = felt(tmp_path, "config", "check", str(table))
    assert 'unknown protocol "acme-shoe"' in told.stdout + told.stderr
    assert 'unknown family "foot-switch"' in told.stdout + told.stderr


def test_its_codes_are_explained(site: Path) -> None:
    told = felt(site, "explain", "foot-switch.stuck")
    assert "The pedal does not come up." in told.stdout, told.stderr


def test_a_package_that_breaks_is_named_and_harms_nobody_else(tmp_path: Path, table: Path) -> None:
    site = tmp_path / "broken"
    points = "[feltd.vendors]\nacme-shoe = acme\n[feltd.families]\nfoot-switch = acme\n"
    made_up(site, "acme", "raise RuntimeError('no licence')", points)
    checked = felt(site, "config", "check", str(table))
    text = checked.stdout + checked.stderr
    assert "Traceback" not in text
    assert 'device.shoe.protocol: acme, which brings the protocol "acme-shoe", cannot be loaded: RuntimeError' in text
    ours = table_toml(table.parent, seats=3)
    assert felt(site, "config", "check", str(ours)).returncode == 0


def test_the_wire_of_the_example_carries_its_shoe(site: Path, table: Path) -> None:
    text = table.read_text()
    table.write_text(text.replace("sim://shoe", "acme://ttyACME0"))
    checked = felt(site, "config", "check", str(table))
    assert "device.shoe.address" not in checked.stdout + checked.stderr
    assert "sim://shoe" in text


def test_what_its_readme_shows_can_be_used(site: Path, tmp_path: Path) -> None:
    [part] = [block.text for block in blocks(EXAMPLES / "acme_devices" / "README.md") if block.kind == "toml"]
    file = tmp_path / "table.toml"
    file.write_text(whole_table(part, "casino-war", tmp_path))
    checked = felt(site, "config", "check", str(file))
    assert checked.returncode == 0, checked.stdout
