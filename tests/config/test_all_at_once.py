"""Every mistake of a table.toml is told at once, each at its line, with what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.config import ConfigError, load_config
from controller.config.errors import SYNTAX, GameUnknown
from tests.daemon.house import table_toml

Wrong = Callable[..., dict[str, str]]
LAMPS = '[device.lamps]\nfamily = "lamps"\naddress = "sim://lamps"\n'


@pytest.fixture
def wrong(tmp_path: Path) -> Wrong:
    """Returns what is told of a table, by key; each is told at the line where its key stands."""

    def told(
        old: str = "", new: str = "", *, more: str = "", game: str = "casino-war", options: str = ""
    ) -> dict[str, str]:
        path = table_toml(tmp_path, game=game, options=options)
        assert old in path.read_text()
        text = path.read_text().replace(old, new, 1) + more
        path.write_text(text)
        with pytest.raises(ConfigError) as caught:
            load_config(path)
        problems = caught.value.problems
        for problem in problems:
            assert problem.key.rpartition(".")[2].strip('"') in text.splitlines()[problem.line - 1], problem
        assert len({(problem.key, problem.message) for problem in problems}) == len(problems), problems
        return {problem.key: problem.message for problem in problems}

    return told


def pins(lines: str) -> tuple[str, str]:
    return LAMPS, f'[device.lamps]\nfamily = "lamps"\naddress = "gpio://mock"\n[device.lamps.gpio]\n{lines}\n'


def test_every_pin_is_looked_at(wrong: Wrong) -> None:
    outputs = '[device.lamps.gpio.outputs]\nbets = 99\nnonsense = 1\n"decide:77" = 2\nshuffle = 3\njackpot = 3\n'
    inputs = (
        '[device.lamps.gpio.inputs]\nfoo = 4\n"fold 99" = 5\n"set min=x" = 6\nfold = 7\nsettle = { pin = 8, foo = 1 }\n'
        'no-more-bets = "x"\ndoor = { pin = 9, pull = "sideways", debounce = -1 }\n'
    )
    told = wrong(*pins(outputs + inputs))
    at = "device.lamps.gpio."
    assert told[f"{at}outputs.bets"] == "a pin is a number from 0 to 27"
    assert told[f"{at}outputs.nonsense"].startswith('there is no lamp "nonsense": known are')
    assert told[f'{at}outputs."decide:77"'].startswith('there is no lamp "decide:77": did you mean "decide:')
    assert told[f"{at}outputs.jackpot"] == "pin 3 stands twice: connect one thing to it"
    assert told[f"{at}inputs.foo"].startswith('there is no key "foo"')
    assert told[f'{at}inputs."fold 99"'] == "area 99 is not on this table: it has 2 seats"
    assert told[f'{at}inputs."set min=x"'] == 'min: "x" must be an amount of dollars, such as "10" or "2.50"'
    assert told[f"{at}inputs.fold"].startswith("fold does not come alone: write fold AREA")
    assert told[f"{at}inputs.settle.foo"].startswith("unknown key: known are")
    assert told[f"{at}inputs.no-more-bets"].startswith("must be a whole number without quotes, or a table")
    assert told[f"{at}inputs.door.pull"].startswith('unknown pull "sideways"')
    assert told[f"{at}inputs.door.debounce"] == "must be 0 to 1000 milliseconds"
    assert len(told) == 12


def test_every_point_of_a_module_is_looked_at(wrong: Wrong) -> None:
    module = (
        '[device.lamps]\nfamily = "lamps"\nprotocol = "cia401"\naddress = "can://can0/0x21"\n[device.lamps.cia401]\n'
        'heartbeat = "x"\n[device.lamps.cia401.outputs]\nbets = 64\nshuffle = 1\njackpot = 1\n'
        "[device.lamps.cia401.inputs]\ndoor = -1\nfoo = 0\n"
    )
    told = wrong(LAMPS, module)
    assert told == {
        "device.lamps.cia401.heartbeat": "must be a whole number without quotes",
        "device.lamps.cia401.outputs.bets": "must be 0 to 63",
        "device.lamps.cia401.outputs.jackpot": "1 stands twice: connect one thing to it",
        "device.lamps.cia401.inputs.door": "must be 0 to 63",
        "device.lamps.cia401.inputs.foo": told["device.lamps.cia401.inputs.foo"],
    }


def test_a_misspelt_game_hides_none_of_its_options(wrong: Wrong) -> None:
    told = wrong(game="casino-wr", options='decks = 9\nmim = 3\nburn = "maybe"\n')
    assert list(told) == ["table.game", "options.decks", "options.mim", "options.burn"]


def test_a_game_that_is_missing_says_nothing_of_its_devices(tmp_path: Path) -> None:
    path = table_toml(tmp_path, game="holdem-plus", options='stakes = "low"\n')
    with pytest.raises(GameUnknown) as caught:  # so that its journal can still be looked at
        load_config(path)
    assert [problem.key for problem in caught.value.problems] == ["table.game", "options.stakes"]


def test_what_does_not_fit_is_told_beside_what_cannot_be_read(wrong: Wrong) -> None:
    told = wrong('"sensor.2"', '"right"', options='decks = "x"\nshoe = "csm"\n', more='technicians = ""\n')
    assert list(told) == ["options.decks", "options.shoe", "device.right", "api.technicians"]
    assert told["options.shoe"] == 'shoe = "csm" needs a shuffler: add [device.shuffler]'


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("chip = true", 'must be an amount of dollars, such as "10" or "2.50"'),
        ("min = nan", 'must be an amount of dollars, such as "10" or "2.50"'),
        ("min = inf", 'must be an amount of dollars, such as "10" or "2.50"'),
        ("decks = 4.0", "must be a whole number, 1 or more"),
        ("decks = true", "must be a whole number, 1 or more"),
        ("min = 2.5", 'must not be a floating-point number: write it in quotes, "2.5"'),
        ("burn = true", 'must be text: write "on"'),
        ("mim = true", 'unknown option of casino-war: did you mean "min"?'),
    ],
)
def test_what_to_write_instead_of_a_value_can_be_written(wrong: Wrong, option: str, says: str) -> None:
    assert list(wrong(options=f"{option}\n").values()) == [says]


def test_an_amount_that_is_none(wrong: Wrong) -> None:
    more = "[jackpot]\nceiling = nan\nreserve = true\n"
    told = wrong(game="caribbean-stud", options='jackpot = "nsw"\n', more=more)
    text = "must be text in quotes or a whole number; several values go into one text, separated by commas"
    assert told == {"jackpot.ceiling": text, "jackpot.reserve": text}


@pytest.mark.parametrize(
    ("old", "new", "more", "told"),
    [
        ('"sim://lamps"', '"sim://lamps"\nsealed = "yes"', "",
         ("device.lamps.sealed", "must be true or false, without quotes")),
        ('"sim://lamps"', '"sim://lamps"\nsealed = true', "",
         ("device.lamps.sealed", 'the key belongs to a serial number: add serial = "..."')),
        ("", "", '[simulation]\nwhole-captures = "yes"\n',
         ("simulation.whole-captures", "must be true or false, without quotes")),
        ("", "", '[firmware]\nkeys = "zz"\n', ("firmware.keys", 'must be a list: write ["..."]')),
        ('"sim://lamps"', '"sim://lamps"\n[device.lamps.gpio]\noutputs = { bets = 1 }', "",
         ("device.lamps.gpio", "settings of gpio, which is spoken over gpio://: correct the address, or remove them")),
        ('"sim://shoe"', '"sim://shoe"\n[device.shoe.gpio]\noutputs = { bets = 1 }', "",
         ("device.shoe.gpio", "settings of gpio, which this device does not speak: remove them")),
        ('"sim://shoe"', '"sim://shoe"\n[device.shoe.angel-eye]\nlook = 9', "",
         ("device.shoe.angel-eye", 'settings of another protocol: add protocol = "angel-eye", or remove them')),
    ],
)  # fmt: skip
def test_a_mistake_says_what_fits(wrong: Wrong, old: str, new: str, more: str, told: tuple[str, str]) -> None:
    assert list(wrong(old, new, more=more).items()) == [told]


def test_two_doors_at_one_place(wrong: Wrong, tmp_path: Path) -> None:
    told = wrong(more=f'read-socket = "{tmp_path}/./feltd.sock"\n')
    assert list(told) == ["api.read-socket"] and "the daemon's own socket has this path" in told["api.read-socket"]


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert caught.value.code == SYNTAX
    assert caught.value.problems[0].message.startswith("begins with a byte order mark (BOM)")


JUNK = ("true", "1", "-1", "1.5", "nan", '"x"', '""', "[]", "[1]", "{}", "{ a = 1 }", "2020-01-01", '["a", 1]')


@pytest.mark.parametrize("junk", JUNK)
def test_every_key_answers_junk_in_words(tmp_path: Path, junk: str) -> None:
    keys = {
        "table": ("name", "game", "state"),
        "api": ("socket", "read-socket", "technicians", "supervisors", "managers"),
        "jackpot": ("store", "dsn-file", "ceiling", "reserve"),
        "simulation": ("whole-captures",),
        "displays": ("roll", "hit", "turn"),
        "web": ("listen",),
        "firmware": ("keys",),
        "family.shoe": ("min-firmware",),
        "device.shoe": ("family", "address", "serial", "sealed", "area", "protocol", "angel-eye"),
    }
    sections = "".join(f"[{name}]\n" + "".join(f"{key} = {junk}\n" for key in each) for name, each in keys.items())
    path = tmp_path / "table.toml"
    path.write_text(sections)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    for problem in caught.value.problems:
        assert not problem.message.lower().startswith(("input should", "value error")), problem


def test_every_table_of_the_floor_is_looked_at(wrong: Wrong) -> None:
    tables = (
        '[floor]\nevery = 1\n[floor.tables]\nT1 = "http://192.0.2.1:8080"\nT2 = "https://192.0.2.2:8080"\n'
        'T3 = "http://table-3:8080"\nT4 = "/run/feltd-4/read.sock"\nT5 = "/run/feltd-4/read.sock"\nT6 = 7\n'
        'T7 = "http://192.0.2.7:8080/status"\nT8 = "http://192.0.2.8:0"\n9 = "http://[fd00::9]:8080"\n'
        f'T10 = "/{"x" * 110}"\n'
    )
    told = wrong(more=tables)
    assert told["floor.every"].startswith("unknown key: known are")
    assert told["floor.tables.T1"] == "this table is always on its own floor: remove it"
    for table in ("T2", "T3", "T7", "T8"):
        assert "is no read-only door of a table: write its pages' port in digits" in told[f"floor.tables.{table}"]
    assert told["floor.tables.T5"] == '"T4" is already at this address: give each table its own'
    assert told["floor.tables.T6"] == "must be text in quotes"
    assert "is no name" in told["floor.tables.9"]
    assert "too long for a socket" in told["floor.tables.T10"]
    assert set(told) == {
        "floor.every",
        *(f"floor.tables.{n}" for n in ("T1", "T2", "T3", "T5", "T6", "T7", "T8", "9", "T10")),
    }


def test_a_floor_has_an_end(wrong: Wrong) -> None:
    tables = "".join(f'A{n} = "http://192.0.2.1:{n + 1000}"\n' for n in range(101))
    assert wrong(more=f"[floor.tables]\n{tables}") == {"floor.tables": "has too many: at most 100"}
