"""What is wrong with a configuration: all of it at once, each problem with its line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.errors import Coded

if TYPE_CHECKING:
    from controller.config.model import TableConfig

INVALID = "config.invalid"
MISSING = "config.missing"
SYNTAX = "config.syntax"
TOO_LARGE = "config.too-large"


@dataclass(frozen=True, order=True)
class Problem:
    """One thing to correct: where it stands, and what to write instead."""

    line: int  # 0: the file as a whole
    key: str
    message: str

    def at(self, path: str) -> str:
        """Returns the problem as a person and an editor read it: `table.toml:15: device.shoe.address: ...`."""
        where = f"{path}:{self.line}" if self.line else path
        return ": ".join(_on_one_line(part) for part in (where, self.key, self.message) if part)


def _on_one_line(text: str) -> str:
    """Returns text whose control characters are written out: one problem is one line, whatever the file has."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


class ConfigError(Coded):
    """The error of a configuration that cannot be used.

    `code` is stable; `problems` has every mistake, in the order of the file.
    """

    check = "felt config check"  # what tells whether it is mended

    def __init__(self, code: str, path: str, problems: Sequence[Problem]) -> None:
        self.path = path
        self.problems = tuple(sorted(problems))
        cause = "\n".join(problem.at(path) for problem in self.problems)
        super().__init__(code, cause, f"Correct this and run `{self.check} {path}`.")

    def __str__(self) -> str:
        return self.cause


class GameUnknown(ConfigError):
    """Nothing is wrong but the game, which is not installed; `config` is the rest."""

    def __init__(self, path: str, problems: Sequence[Problem], config: TableConfig) -> None:
        super().__init__(INVALID, path, problems)
        self.config = config


class TermsError(ConfigError):
    """The error of a terms.toml that cannot be used."""

    check = "felt tournament check"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns the end of a message about an unknown word: the nearest known one, or all of them.

    >>> did_you_mean("sho", ["shoe", "console"])
    'did you mean "shoe"?'
    >>> did_you_mean("x", ["shoe", "console"])
    'known are console, shoe'
    """
    words = sorted(known)
    near = difflib.get_close_matches(word.lower().replace("_", "-"), words, n=1)
    return f'did you mean "{near[0]}"?' if near else f"known are {', '.join(words)}"
