"""What a technician wrote in table.toml, checked as a whole before anything acts on it."""

from __future__ import annotations

from controller.config import codes
from controller.config.errors import ConfigError, Problem
from controller.config.load import load_config
from controller.config.model import ApiSection, Device, TableConfig, TableSection

__all__ = ["ApiSection", "ConfigError", "Device", "Problem", "TableConfig", "TableSection", "codes", "load_config"]
