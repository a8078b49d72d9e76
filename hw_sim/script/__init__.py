"""The testers' script language: `parse` turns a script's text into frozen data, or says what is wrong with it."""

from __future__ import annotations

from hw_sim.script.errors import ScriptError
from hw_sim.script.model import Run, Script
from hw_sim.script.parse import parse

__all__ = ["Run", "Script", "ScriptError", "parse"]
