"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import drivers


@pytest.mark.parametrize("name", [module.name for module in pkgutil.walk_packages(drivers.__path__, "drivers.")])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
