"""Packages whose code fails while table.toml is read: what is wrong and whose it is, never a traceback."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from controller.config import wiring
from controller.config.load import load_config
from controller.config.settings import read_settings
from controller.config.wiring import devices
from controller.errors import FeltError
from drivers.vendors.register import vendor
from firmware_bridge import extensions
from firmware_bridge.address import SCHEMES, AddressError, Scheme, parse
from tests.daemon.house import table_toml


@pytest.fixture(autouse=True)
def from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes this module one that the package acme-devices brings."""
    monkeypatch.setitem(extensions._BROUGHT, "tests", "acme-devices")


def fails(*_: object) -> NoReturn:
    raise SystemExit(3)


@dataclass(frozen=True)
class Settings:
    patience: int = 400

    def __post_init__(self) -> None:
        raise KeyError("x")


def test_settings_that_fail_are_a_mistake_that_names_the_package() -> None:
    settings, findings = read_settings(Settings, {}, ("device", "shoe", "acme"))
    assert settings is None
    [(path, sentence)] = findings
    assert path == ("device", "shoe", "acme") and "acme-devices" in sentence and "KeyError" in sentence


def test_settings_that_are_no_dataclass_are_a_broken_package() -> None:
    with pytest.raises(TypeError, match="no dataclass"):
        vendor("acme", families=("shoe",), settings=object)


@pytest.mark.parametrize("scheme", [Scheme("acme://x", fails), Scheme("acme://x", fails, fails)])
def test_a_kind_of_address_whose_code_fails_is_named(scheme: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    items: dict[str, Any] = SCHEMES._items
    monkeypatch.setitem(items, "acme", scheme)
    with pytest.raises(AddressError) as caught:
        parse("acme://x")
    assert caught.value.code == "extension.failed" and "acme-devices" in caught.value.cause
    assert "acme-devices" in caught.value.next_step and "acme-devices" in caught.value.advice


def test_a_protocol_whose_way_to_a_device_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = load_config(table_toml(tmp_path))
    monkeypatch.setattr(wiring, "_spec", fails)
    with pytest.raises(FeltError) as caught:
        devices(config)
    assert caught.value.code == "extension.failed" and "acme-devices" in caught.value.next_step
