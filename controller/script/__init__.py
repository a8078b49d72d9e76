"""The testers' script language: `parse` turns a script's text into frozen data, or says what is wrong with it."""

from __future__ import annotations

from controller.script import codes
from controller.script.errors import ScriptError
from controller.script.model import Run, Script
from controller.script.parse import parse

__all__ = ["Run", "Script", "ScriptError", "codes", "parse"]
