"""[displays] and [web] in table.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.config.load import load_config
from controller.config.model import LONGEST_ROLL
from controller.daemon.compose import meter_style
from controller.views.meter_face import MeterStyle
from tests.daemon.house import table_toml


def loaded(directory: Path, more: str):  # type: ignore[no-untyped-def]
    path = table_toml(directory)
    path.write_text(path.read_text() + more)
    return load_config(path)


def test_nobody_listens_unless_it_is_written_there(tmp_path: Path) -> None:
    config = loaded(tmp_path, "")
    assert config.web.place is None
    assert meter_style(config.displays) == MeterStyle(roll=LONGEST_ROLL, hit=60_000, turn=4_000)


@pytest.mark.parametrize(
    ("text", "place"),
    [("127.0.0.1:8080", ("127.0.0.1", 8080)), ("[::1]:80", ("::1", 80)), ("0.0.0.0:0", ("0.0.0.0", 0))],
)
def test_where_the_pages_are(tmp_path: Path, text: str, place: tuple[str, int]) -> None:
    assert loaded(tmp_path, f'[web]\nlisten = "{text}"\n').web.place == place


def test_how_displays_move(tmp_path: Path) -> None:
    config = loaded(tmp_path, "[displays]\nroll = 0\nhit = 5\nturn = 2\n")
    assert meter_style(config.displays) == MeterStyle(roll=0, hit=5_000, turn=2_000)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('[web]\nlisten = "localhost:8080"\n', 'web.listen: "localhost:8080" is no address of this computer'),
        ('[web]\nlisten = "127.0.0.1"\n', "web.listen"),
        ('[web]\nlisten = "127.0.0.1:65536"\n', "web.listen"),
        ('[web]\nlisten = "::1:80"\n', "web.listen"),
        ('[web]\nlistne = "127.0.0.1:80"\n', 'web.listne: unknown key: did you mean "listen"?'),
        ("[displays]\nroll = 401\n", "displays.roll: must be 400 or less"),
        ("[displays]\nturn = 1\n", "displays.turn: must be 2 or more"),
        ("[displays]\nrol = 1\n", 'displays.rol: unknown key: did you mean "roll"?'),
        ("web = 3\n", "web"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, more: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, more)
    assert says in caught.value.cause
