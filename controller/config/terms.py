"""The reader of terms.toml: the items of a tournament's terms as they are written, and every mistake at once."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from controller.config.errors import INVALID, MISSING, SYNTAX, TOO_LARGE, ConfigError, Problem, TermsError, did_you_mean
from controller.config.lines import KeyPath
from controller.config.load import parsed_toml, read_toml
from controller.games import INSTALLED
from controller.table.documents import TournamentRules
from controller.tournament.items import BY_NAME, SWITCH, Item
from controller.tournament.terms import TermsProblem, TermsSheet, TournamentTerms, read, surprises
from controller.tournament.values import START

LONGEST_NAME: Final = 60  # characters
_CUP_NAME: Final = re.compile(rf"[^\W\d_][\w '.-]{{0,{LONGEST_NAME - 1}}}")
_OWN: Final = ("name", "game")  # keys beside the items
_CODES: Final = {
    MISSING: "terms.missing",
    SYNTAX: "terms.syntax",
    TOO_LARGE: "terms.too-large",
    INVALID: "terms.invalid",
}
_DATE: Final = "must be a date, a time and its offset without quotes: 2026-12-05T19:00:00+11:00"
_EPOCH: Final = datetime.fromtimestamp(0, UTC)


class Unfit(ValueError):
    """A value of TOML that no item has."""


@dataclass(frozen=True)
class TermsFile:
    """What a terms.toml has; `findings` is what is wrong with the shape of single values."""

    path: str
    text: str
    name: str
    game: str
    sheet: TermsSheet
    findings: Mapping[str, str]
    lines: Mapping[KeyPath, int]

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, which goes on record with it."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def rules(self) -> TournamentRules | None:
        """What the document of its game says of tournaments; None where there is no such game, or it says nothing."""
        return INSTALLED[self.game].document.tournaments if self.game in INSTALLED else None

    def problem(self, key: str, message: str) -> Problem:
        """Returns a problem at the line of its key; what is missing is one of the whole file."""
        return Problem(self.lines.get((key,), 0), key, message)

    def hints(self, terms: TournamentTerms) -> list[Problem]:
        """Returns what may surprise in these terms although they can be used."""
        surprising = () if self.rules is None else surprises(self.rules, terms)
        return sorted(self.problem(each.item, each.text) for each in surprising)


def open_terms(path: Path) -> TermsFile:
    """Returns what a file has, whether or not it can be used; raises TermsError when it is no TOML."""
    return _shaped(path, lambda: read_toml(path, "start from examples/tournaments"))


def _shaped(path: Path, read_it: Callable[[], tuple[dict[str, Any], dict[KeyPath, int], str]]) -> TermsFile:
    try:
        raw, lines, text = read_it()
    except ConfigError as error:
        raise TermsError(_CODES[error.code], str(path), error.problems) from error
    findings: dict[str, str] = {}
    texts: dict[str, str] = {}
    moments: dict[str, int] = {}
    for key, value in raw.items():
        item = BY_NAME.get(key)
        if key in _OWN:
            continue
        if item is None:
            findings[key] = f"unknown key: {did_you_mean(key, [*_OWN, *BY_NAME])}"
            continue
        try:
            if isinstance(value, datetime):
                moments[key] = _moment(item, value)
            else:
                texts[key] = _text(item, value)
        except Unfit as wrong:
            findings[key] = str(wrong)
    findings |= dict(_own(raw))
    name, game = (str(raw.get(key, "")) for key in _OWN)
    return TermsFile(str(path), text, name, game, TermsSheet(texts, moments), findings, lines)


def load_terms(path: Path) -> tuple[TermsFile, TournamentTerms]:
    """Returns a file and the terms in it; raises TermsError with everything that is wrong with them."""
    return _usable(open_terms(path))


def parsed_terms(text: str, path: Path = Path("terms.toml")) -> tuple[TermsFile, TournamentTerms]:
    """Returns the terms of a text that somebody sent; raises TermsError, as for a file with this path."""
    return _usable(_shaped(path, lambda: parsed_toml(text, path)))


def _usable(file: TermsFile) -> tuple[TermsFile, TournamentTerms]:
    rules = file.rules
    terms: TournamentTerms | tuple[TermsProblem, ...] = () if rules is None else read(rules, file.sheet)
    problems = [file.problem(key, message) for key, message in file.findings.items()]
    if not isinstance(terms, TournamentTerms):
        problems += (file.problem(each.item, _message(each)) for each in terms if each.item not in file.findings)
        raise TermsError(_CODES[INVALID], file.path, problems)
    if problems:
        raise TermsError(_CODES[INVALID], file.path, problems)
    return file, terms


def _message(problem: TermsProblem) -> str:
    return f"{problem.text} (rule {problem.rule})" if problem.rule else problem.text


def _own(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields what is wrong with the name and the game."""
    name, game = raw.get("name"), raw.get("game")
    if not isinstance(name, str) or _CUP_NAME.fullmatch(name) is None:
        letters = f"letters, digits, spaces and '_.-, at most {LONGEST_NAME}, a letter first"
        yield "name", f'must be a name ({letters}): add name = "Spring Cup"'
    if game is None:
        yield "game", 'is missing: add game = "casino-war"'
    elif game not in INSTALLED:
        yield "game", f'unknown game "{game}": {did_you_mean(str(game), INSTALLED.names())}'
    elif INSTALLED[game].document.tournaments is None:
        yield "game", f"the rules of {game} know no tournaments"


def _text(item: Item, value: object) -> str:
    """Returns a value as scripts write it; raises Unfit for one that no file may have."""
    if not item.in_file:
        raise Unfit("is for scripts alone: remove it")
    if item.moment:
        if value != START or item.default != START:
            raise Unfit(_DATE if item.default != START else f'{_DATE}, or "{START}"')
        return START
    if isinstance(value, list) and item.between:
        return item.between.join(_scalar(item, each) for each in value) or "none"
    return _scalar(item, value)


def _scalar(item: Item, value: object) -> str:
    if isinstance(value, bool) and item.form is SWITCH:
        return "on" if value else "off"
    if isinstance(value, bool):
        raise Unfit(f"must be {item.form.expected}")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        raise Unfit(f'must not be a floating-point number: write it in quotes, "{value}"')
    if isinstance(value, str):
        return value
    raise Unfit(f"must be {item.form.expected}")


def _moment(item: Item, value: datetime) -> int:
    if not item.moment:
        raise Unfit(f"must be {item.form.expected}")
    if value.tzinfo is None:
        raise Unfit(f"needs its offset from universal time: {value.isoformat()}+11:00")
    return (value - _EPOCH) // timedelta(milliseconds=1)
