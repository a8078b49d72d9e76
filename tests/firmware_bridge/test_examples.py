"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import firmware_bridge


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(firmware_bridge.__path__)])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"firmware_bridge.{name}")).failed == 0
