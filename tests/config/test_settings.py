"""A vendor's dataclass is read from table.toml as it stands, and every mistake is told at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import pytest

from controller.config.lines import KeyPath
from controller.config.settings import read_settings


@dataclass(frozen=True, slots=True)
class Pin:
    number: int
    active: Literal["low", "high"] = "high"


@dataclass(frozen=True, slots=True)
class Both:
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Settings:
    name: str = "x"
    fast: bool = False
    wait_for: int | None = None
    pins: Mapping[str, Pin] = field(default_factory=dict)
    pair: Both | None = None

    def __post_init__(self) -> None:
        if self.name == "no":
            raise ValueError("name: may not be no")


def test_what_is_written_is_what_is_declared() -> None:
    raw = {"name": "a", "fast": True, "wait-for": 3, "pins": {"lamp": 17, "door": {"number": 5, "active": "low"}}}
    settings, wrong = read_settings(Settings, raw, ("acme",))
    assert not wrong
    assert settings == Settings("a", True, 3, {"lamp": Pin(17), "door": Pin(5, "low")})
    assert read_settings(Settings, {}, ("acme",)) == (Settings(), [])


@pytest.mark.parametrize(
    ("raw", "path", "says"),
    [
        (3, ("acme",), "must be a table: write [acme]"),
        ({"nam": "a"}, ("acme", "nam"), 'unknown key: did you mean "name"?'),
        ({"name": 3}, ("acme", "name"), "must be text in quotes"),
        ({"fast": 1}, ("acme", "fast"), "must be true or false"),
        ({"wait-for": True}, ("acme", "wait-for"), "must be a whole number without quotes"),
        ({"wait_for": 3}, ("acme", "wait_for"), 'unknown key: did you mean "wait-for"?'),
        ({"name": "no"}, ("acme",), "name: may not be no"),
        ({"pins": 3}, ("acme", "pins"), "must be a table: write [acme.pins]"),
        (
            {"pins": {"a b": "3"}},
            ("acme", "pins", "a b"),
            "must be a whole number without quotes, or a table such as { number = 17 }",
        ),
        ({"pins": {"a": {"active": "low"}}}, ("acme", "pins", "a", "number"), "is missing: add number = 17"),
        (
            {"pins": {"a": {"number": 1, "active": "lo"}}},
            ("acme", "pins", "a", "active"),
            'unknown active "lo": did you mean "low"?',
        ),
        ({"pair": 3}, ("acme", "pair"), "must be a table: write [acme.pair]"),
    ],
)
def test_a_mistake_is_told_where_it_stands(raw: object, path: KeyPath, says: str) -> None:
    assert read_settings(Settings, raw, ("acme",)) == (None, [(path, says)])


def test_every_mistake_is_told_at_once() -> None:
    raw = {"nam": 1, "fast": "x", "pins": {"a": "x", "b": {"active": "x"}}}
    _, wrong = read_settings(Settings, raw, ("acme",))
    assert [path for path, _ in wrong] == [
        ("acme", "nam"),
        ("acme", "fast"),
        ("acme", "pins", "a"),
        ("acme", "pins", "b", "number"),
        ("acme", "pins", "b", "active"),
    ]
