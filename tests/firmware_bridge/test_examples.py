"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import firmware_bridge


@pytest.mark.parametrize(
    "name", [module.name for module in pkgutil.walk_packages(firmware_bridge.__path__, "firmware_bridge.")]
)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
