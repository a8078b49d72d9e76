"""The pytest plugin of feltd: `pytest --felt` plays scripts as tests, and gives tests simulated tables.

Every pytest of a machine with feltd loads this module, so nothing else of feltd is loaded before it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--felt` and `--felt-strict`, and the same in the configuration."""
    group = parser.getgroup("felt", "simulated gaming tables")
    group.addoption("--felt", action="store_true", help="play .felt scripts; fixtures table, floor and devices")
    group.addoption("--felt-strict", action="store_true", help="a refusal that no line of a script expects fails")
    parser.addini("felt", "play .felt scripts; fixtures table, floor and devices", type="bool", default=False)
    parser.addini("felt_strict", "a refusal that no line of a script expects fails", type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Loads the rest when it is asked for."""
    if config.getoption("felt") or config.getini("felt"):
        from controller.testing import plugin

        config.pluginmanager.register(plugin, "felt")
