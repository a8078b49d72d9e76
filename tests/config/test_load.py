"""table.toml: what is right becomes a TableConfig; what is wrong is told all at once, with line and next step."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config import ConfigError, TableConfig, load_config
from controller.config.load import LARGEST

GOOD = """\
[table]
name = "T1"
game = "casino-war"
[options]
min = "5"
decks = 6
[device.shoe]
family = "shoe"
address = "sim://shoe"
[device.console]
family = "console"
address = "sim://console"
[device."sensor.1"]
family = "bet-sensor"
area = 1
address = "sim://sensor.1"
"""
EXAMPLE = Path(__file__).parents[2] / "examples/tables/casino-war.toml"

Load = Callable[..., TableConfig]


@pytest.fixture
def loaded(tmp_path: Path) -> Load:
    """Load a text as table.toml; the messages then name it without its directory."""

    def load_text(text: str | bytes) -> TableConfig:
        path = tmp_path / "table.toml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return load_config(path)

    return load_text


@pytest.fixture
def complaints(loaded: Load) -> Callable[..., list[str]]:
    """What load has to say against a text, as `table.toml:LINE: KEY: MESSAGE`."""

    def of(text: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            loaded(text)
        assert caught.value.code == "config.invalid"
        assert "felt config check" in caught.value.next_step
        return [problem.at("table.toml") for problem in caught.value.problems]

    return of


def test_the_example_is_good() -> None:
    config = load_config(EXAMPLE)
    assert config.table.game == "casino-war"
    assert {device.family for device in config.devices.values()} == {"shoe", "console", "lamps", "bet-sensor"}
    assert config.devices["shoe"].serial == "SH-0001"


def test_the_floor_of_the_example_is_good(tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    path = tmp_path / "table.toml"
    path.write_text(re.sub(r"^# (\[floor\.tables\]|T\d = )", r"\1", text, flags=re.MULTILINE))
    floor = load_config(path).floor
    assert floor is not None and list(floor.tables) == ["T2", "T3"]
    assert load_config(EXAMPLE).floor is None


def test_a_good_file(loaded: Load) -> None:
    config = loaded(GOOD)
    assert config.options == {"min": "5", "decks": "6"}
    assert list(config.devices) == ["shoe", "console", "sensor.1"]
    assert config.devices["sensor.1"].area == 1
    assert str(config.devices["shoe"].address) == "sim://shoe"


def test_what_may_be_left_out(loaded: Load) -> None:
    config = loaded(GOOD)
    assert config.table.state == Path("/var/lib/feltd")
    assert config.api.socket == Path("/run/feltd/feltd.sock")
    assert config.devices["shoe"].serial is None


def test_option_text_is_kept_exactly(loaded: Load) -> None:
    assert loaded(GOOD.replace('"5"', '"2.50"')).options["min"] == "2.50"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[options]", 'stat = "/x"\n[options]', '4: table.stat: unknown key: did you mean "state"?'),
        ('name = "T1"', "", '1: table.name: is missing: add name = "T1"'),
        ('name = "T1"', "name = 1", "2: table.name: must be text in quotes"),
        ('"T1"', '"1 T"', '2: table.name: "1 T" is no name: use letters, digits and hyphens, a letter first'),
        ('"T1"', f'"{"T" * 33}"', "2: table.name: is too long: at most 32 characters"),
        ('"casino-war"', '"casino-wars"', '3: table.game: unknown game "casino-wars": did you mean "casino-war"?'),
        ('"casino-war"', '"chess"', '3: table.game: unknown game "chess": known are'),
        ("[options]", 'state = "var"\n[options]', "4: table.state: must be an absolute path"),
        ("[options]", "[family.shoo]\n[options]", '4: family.shoo: unknown family "shoo": did you mean "shoe"?'),
        (
            "[options]",
            '[family.shoe]\nfirmware = "1"\n[options]',
            '5: family.shoe.firmware: unknown key: did you mean "min-firmware"?',
        ),
        (
            "[options]",
            '[family.shoe]\nmin-firmware = "new"\n[options]',
            '5: family.shoe.min-firmware: "new" is no version: write it as "1.2.0"',
        ),
        ("[options]", '[firmware]\nkeys = ["12"]\n[options]', "5: firmware.keys.0: is no public key"),
        ("[options]", "[firmware]\nkey = []\n[options]", '5: firmware.key: unknown key: did you mean "keys"?'),
        ("[options]", "state = 5\n[options]", "4: table.state: must be a path in quotes"),
        ("decks", "deks", '6: options.deks: unknown option of casino-war: did you mean "decks"?'),
        (
            "decks = 6",
            "max_payout = 6",
            '6: options.max_payout: unknown option of casino-war: did you mean "max-payout"?',
        ),
        ("decks = 6", "max = 2.5", '6: options.max: must not be a floating-point number: write it in quotes, "2.5"'),
        ("decks = 6", "burn = true", '6: options.burn: must be text: write "on"'),
        ("decks = 6", "burn = false", '6: options.burn: must be text: write "off"'),
        ("decks = 6", "backs = ['red', 'blue']", "6: options.backs: must be text in quotes or a whole number"),
        ('"shoe"', '"sho"', '8: device.shoe.family: unknown family "sho": did you mean "shoe"?'),
        ('"sim://shoe"', '"sim://shoe"\nbaud = 9600', "10: device.shoe.baud: unknown key: known are address, alpha"),
        ('"sim://shoe"', '"sim://shoe"\nserail = "1"', '10: device.shoe.serail: unknown key: did you mean "serial"?'),
        ('"sim://shoe"', '"sim://shoe"\nserial = ""', "10: device.shoe.serial: must not be empty"),
        (
            '"sim://shoe"',
            '"sim://shoe"\narea = 2',
            "10: device.shoe.area: only a bet sensor or a card reader has an area: remove it",
        ),
        ('"sim://shoe"', '"sin://shoe"', "9: device.shoe.address: 'sin' is not a kind of address"),
        ('"sim://shoe"', "1", "9: device.shoe.address: must be text in quotes"),
        ('address = "sim://shoe"', "", "7: device.shoe.address: is missing: add address = "),
        ('"sim://console"', '"sim://shoe"', '12: device.console.address: "shoe" is already at this address'),
        ("area = 1", "area = 0", '15: device."sensor.1".area: must be 1 or more'),
        ("area = 1", 'area = "1"', '15: device."sensor.1".area: must be a whole number without quotes'),
        ("area = 1", "", '13: device."sensor.1": a bet sensor needs its betting area: add area = 1'),
        ("device.shoe", "device.Shoe", '7: device.Shoe: "Shoe" is no name: use lower-case letters'),
        (
            'device."sensor.1"',
            "device.sensor.1",
            '13: device.sensor.1: a name with a dot needs quotes: write [device."',
        ),
        ("[options]", "[optoins]", '4: optoins: unknown key: did you mean "options"?'),
        ("[table]", "api = 1\n[table]", "1: api: must be a table: write [api]"),
        ("[table]", "options = 1\n[table]", None),
        ("[device.shoe]", "[api]\nsocket = 'x'\n[device.shoe]", "8: api.socket: must be an absolute path"),
        ("[device.shoe]", f"[api]\nsocket = '/{'x' * 107}'\n[device.shoe]", "8: api.socket: is too long for a socket"),
    ],
)
def test_one_mistake_one_complaint(
    complaints: Callable[..., list[str]], old: str, new: str, complaint: str | None
) -> None:
    assert old in GOOD
    if complaint is None:
        text = GOOD.replace('[options]\nmin = "5"\ndecks = 6\n', "").replace(old, new)
        complaint = "1: options: must be a table: write [options]"
    else:
        text = GOOD.replace(old, new, 1)
    found = complaints(text)
    assert len(found) == 1, found
    assert found[0].startswith(f"table.toml:{complaint}"), found


@pytest.mark.parametrize(
    ("section", "complaint"),
    [
        ("console", "the dealer's console is missing: add [device.console]"),
        ('"sensor.1"', "there is no bet sensor: add"),
        ("shoe", "nothing reads the cards: add [device.shoe]"),
    ],
)
def test_what_a_table_needs(complaints: Callable[..., list[str]], section: str, complaint: str) -> None:
    head, _, tail = GOOD.partition(f"[device.{section}]\n")
    rest = tail.partition("[")
    (found,) = complaints(head + rest[1] + rest[2])
    assert found.startswith(f"table.toml:7: device: {complaint}"), found


def test_a_table_without_devices(complaints: Callable[..., list[str]]) -> None:
    assert len(complaints(GOOD.partition("[device.shoe]")[0])) == 3


def test_an_empty_file(complaints: Callable[..., list[str]]) -> None:
    assert "table.toml:1: table: is missing: add [table]" in complaints("")


def test_devices_must_be_tables(complaints: Callable[..., list[str]]) -> None:
    assert complaints("device = 1\n" + GOOD.partition("[device.shoe]")[0])[0].startswith(
        "table.toml:1: device: must be a table"
    )
    assert complaints(GOOD + "[device]\nlamps = 1\n")[0] == (
        "table.toml:18: device.lamps: must be a table: write [device.lamps]"
    )


def test_two_of_what_a_table_has_once(complaints: Callable[..., list[str]]) -> None:
    (found,) = complaints(GOOD + '[device.other]\nfamily = "shoe"\naddress = "sim://other"\n')
    assert found == 'table.toml:18: device.other.family: a table has one shoe, and "shoe" is it: remove one of them'


def test_two_sensors_for_one_area(complaints: Callable[..., list[str]]) -> None:
    (found,) = complaints(GOOD + '[device.other]\nfamily = "bet-sensor"\narea = 1\naddress = "sim://other"\n')
    assert found == (
        'table.toml:19: device.other.area: area 1 already has the bet sensor "sensor.1": give each area one'
    )


CROWN = """\
[table]
name = "T1"
game = "holdem"
[options]
seats = 2
[device."reader.2"]
family = "reader"
area = 2
address = "sim://reader.2"
[device.console]
family = "console"
address = "sim://console"
[device."sensor.1"]
family = "bet-sensor"
area = 1
address = "sim://sensor.1"
[device."reader.1"]
family = "reader"
area = 1
address = "sim://reader.1"
[device."reader.board"]
family = "reader"
address = "sim://reader.board"
"""


def test_a_crown_poker_table_reads_its_cards_where_they_lie(loaded: Load) -> None:
    config = loaded(CROWN)
    assert [config.devices[name].area for name in ("reader.1", "reader.board")] == [1, None]


@pytest.mark.parametrize("family", ["shoe", "shuffler"])
def test_no_shoe_and_no_machine_at_crown_poker(complaints: Callable[..., list[str]], family: str) -> None:
    (found,) = complaints(CROWN + f'[device.{family}]\nfamily = "{family}"\naddress = "sim://{family}"\n')
    assert found == (
        f"table.toml:24: device.{family}: cards are dealt from the hand at holdem, never from a {family} (rule 5.2):"
        " remove it"
    )


def test_crown_poker_needs_card_readers_and_no_other_game_has_them(complaints: Callable[..., list[str]]) -> None:
    without = CROWN.replace(CROWN[CROWN.index('[device."reader.2"]') : CROWN.index("[device.console]")], "")
    (found,) = complaints(without.partition('[device."reader.1"]')[0])
    assert found.endswith('nothing reads the cards: add [device."reader.board"] with family = "reader"')
    (found,) = complaints(GOOD + '[device."reader.1"]\nfamily = "reader"\narea = 1\naddress = "sim://reader.1"\n')
    assert found.endswith('device."reader.1": card readers of the layout are for cards dealt from the hand: remove it')


def test_the_same_wire_at_another_speed_is_the_same_wire(complaints: Callable[..., list[str]]) -> None:
    text = GOOD.replace("sim://shoe", "serial:///dev/a?baud=9600").replace("sim://console", "serial:///dev/a")
    (found,) = complaints(text)
    assert '"shoe" is already at this address' in found


def test_two_links_to_one_port_are_the_same_wire(complaints: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyUSB0")
    text = GOOD.replace("sim://shoe", f"serial://{tmp_path}/ttyUSB0").replace(
        "sim://console", f"serial://{tmp_path}/by-id"
    )
    (found,) = complaints(text)
    assert f'"shoe" is already at {tmp_path}/ttyUSB0, where this link leads: give each device its own' in found


def test_no_two_devices_have_one_serial_number(complaints: Callable[..., list[str]]) -> None:
    text = GOOD.replace('"sim://shoe"', '"sim://shoe"\nserial = "A-1"')
    (found,) = complaints(text.replace('"sim://console"', '"sim://console"\nserial = "A-1"'))
    assert 'device.console.serial: "shoe" already has it: no two devices have one serial number' in found


def test_every_mistake_is_told_at_once_in_the_order_of_the_file(complaints: Callable[..., list[str]]) -> None:
    text = GOOD.replace("T1", "1").replace("decks", "deks").replace('"shoe"', '"sho"').replace("area = 1", "area = 0")
    found = complaints(text.replace('min = "5"', 'min = "five"'))
    lines_and_keys = [tuple(complaint.split(": ")[:2]) for complaint in found]
    assert lines_and_keys == [
        ("table.toml:2", "table.name"),
        ("table.toml:5", "options.min"),
        ("table.toml:6", "options.deks"),
        ("table.toml:8", "device.shoe.family"),
        ("table.toml:15", 'device."sensor.1".area'),
    ]


def test_one_mistake_does_not_hide_another(complaints: Callable[..., list[str]]) -> None:
    found = complaints(GOOD.replace("decks = 6", 'decks = 9\nburn = true\nfoo = 1\nmethod = "C"\nmax-payout = "much"'))
    assert [tuple(complaint.split(": ")[:2]) for complaint in found] == [
        ("table.toml:6", "options.decks"),
        ("table.toml:7", "options.burn"),
        ("table.toml:8", "options.foo"),
        ("table.toml:9", "options.method"),
        ("table.toml:10", "options.max-payout"),
    ]


def test_options_that_contradict_each_other_are_told(complaints: Callable[..., list[str]]) -> None:
    assert complaints(GOOD.replace("decks = 6", "max = 1")) == [
        "table.toml:5: options.min: the minimum is above the maximum (rule 6.4)"
    ]


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / "table.toml")
    assert caught.value.code == "config.missing"
    assert str(caught.value).startswith(f"{tmp_path}/table.toml: cannot be read: No such file")


def test_a_directory_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert caught.value.code == "config.missing"


def test_a_file_without_end() -> None:
    with pytest.raises(ConfigError, match="has more than 1048576 bytes") as caught:
        load_config(Path("/dev/zero"))
    assert caught.value.code == "config.too-large"


def test_the_largest_file_is_read(loaded: Load) -> None:
    loaded(GOOD + "#" * (LARGEST - len(GOOD)))
    with pytest.raises(ConfigError, match="has more than"):
        loaded(GOOD + "#" * (LARGEST - len(GOOD) + 1))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[table]\nname = "T1\n', 2),
        ("[table]\n[table]\n", 2),
        ("a = 1\na = 2\n", 2),
        ("a = 1\nb = \xff\n".encode("latin-1"), 2),
        ("a = [", 0),
        (f"a = {'9' * 5000}", 0),
        (f"a = {'[' * 5000}", 0),
    ],
    ids=["quote", "table twice", "key twice", "not utf-8", "unfinished", "endless number", "deep"],
)
def test_what_is_not_toml(loaded: Load, text: str | bytes, line: int) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(text)
    assert caught.value.code == "config.syntax"
    assert [problem.line for problem in caught.value.problems] == [line]


_words = st.sampled_from(
    ["table", "device", "options", "api", "name", "game", "shoe", "family", "address", "area", "x.y"]
)
_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.just("casino-war")
    | st.just("shoe"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=12,
)


def _toml(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f'"{key}" = {_toml(inner)}' for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_toml, value)) + "]"
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case None:
            return "1979-05-27"
        case _:
            return '"' + "".join(f"\\U{ord(char):08x}" for char in str(value)) + '"'


@given(document=st.dictionaries(_words, _values, max_size=4))
def test_whatever_is_written_only_config_error_comes_out(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, object]
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "table.toml"
    path.write_text("".join(f'"{key}" = {_toml(value)}\n' for key, value in document.items()))
    with pytest.raises(ConfigError):
        load_config(path)


@given(data=st.binary(max_size=60))
def test_whatever_bytes_only_config_error_comes_out(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "table.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError):
        load_config(path)


# ---- days and shifts


def test_the_days_of_the_house(loaded: Load) -> None:
    section = '[report]\ntime-zone = "Australia/Sydney"\nday-starts = "06:00"\nshifts = ["06:00", "14:00", "22:00"]\n'
    report = loaded(GOOD + section).report
    assert (report.time_zone, report.day_starts, report.shifts) == (
        "Australia/Sydney",
        "06:00",
        ["06:00", "14:00", "22:00"],
    )
    plain = loaded(GOOD).report
    assert (plain.time_zone, plain.day_starts, plain.shifts) == ("", "00:00", [])


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('time-zone = "Sydney"', '"Sydney" is no time zone of this computer'),
        ('time-zone = "../etc/passwd"', "is no time zone of this computer"),
        ('day-starts = "6:00"', '"6:00" is no time of day: write it as "06:00"'),
        ('shifts = ["06:00", "25:00"]', '"25:00" is no time of day'),
        ('shifts = ["06:00", "06:00"]', "has a time twice"),
    ],
)
def test_days_that_no_house_has(complaints: Callable[..., list[str]], line: str, complaint: str) -> None:
    (wrong,) = complaints(f"{GOOD}[report]\n{line}\n")
    assert complaint in wrong
