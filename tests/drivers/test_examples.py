"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import drivers


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(drivers.__path__)])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"drivers.{name}")).failed == 0
