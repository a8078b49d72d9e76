"""From the text of a script to its runs: lines, comments, table names, cases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from controller.games import INSTALLED
from controller.script.catalogue import Game, game_named
from controller.script.cups import tournament
from controller.script.errors import Malformed, ScriptError, ScriptMistake, one_of, unknown, unknown_here
from controller.script.expects import expect
from controller.script.model import Line, Run, Script
from controller.script.verbs import VERBS, At, known_at, table

_PREFIX = re.compile(r"\s*([^\W\d_][\w-]*)\s*:")


def parse(text: str, name: str = "<script>") -> Script:
    """Reads a whole script; raises a `ScriptError` with every mistake, the one that was met first at its head.

    >>> parse("table casino-war\\nbet 1 war=10").runs[0].lines[1].text
    'bet 1 war=10'
    """
    reading = _Reading(Path(name).parent)
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if statement := raw.partition("#")[0].strip():
            reading.take(number, statement)
        reading.number = number
    reading.close()
    if reading.mistakes:
        raise ScriptError(name, reading.mistakes)
    return Script(name, tuple(reading.runs))


class _Reading:
    """A script as far as it is read: its runs, and what is wrong with it.

    What only follows from a mistake is none: a case whose one line is malformed is not empty, and what stands at a
    table that could not be read is not looked at.
    """

    def __init__(self, folder: Path) -> None:
        self.number = 0  # of the line read last
        self.runs: list[Run] = []
        self.mistakes: list[ScriptMistake] = []
        self._shared: list[Line] = []
        self._own: list[Line] = []
        self._heading: tuple[int, str] | None = None
        self._opening = self._tables = TableNames(folder)
        self._spoiled = self._spoiled_above = False  # a line of this run is malformed

    def take(self, number: int, statement: str) -> None:
        """Reads one statement; keeps what is wrong with it."""
        try:
            if statement.split()[0] == "case":
                self._begin_case(number, statement.split()[1:])
            elif (line := self._tables.read(number, statement)) is not None:
                (self._own if self._heading else self._shared).append(line)
        except Malformed as error:
            self._complain(number, error)
            self._spoiled = True

    def _complain(self, number: int, error: Malformed) -> None:
        self.mistakes.append(ScriptMistake(number, error.message, error.expected))

    def close(self) -> None:
        """Ends the run that is read: the lines above the first case, and those of its own."""
        if not (self._shared or self._own or self._spoiled):
            line = self._heading[0] if self._heading else max(self.number, 1)
            self._complain(line, Malformed("nothing happens here", 'a line "table GAME"'))
        line, case = self._heading or (1, None)
        self.runs.append(Run(case, (*self._shared, *self._own), line))

    def _begin_case(self, number: int, title: Sequence[str]) -> None:
        if not title:
            self._complain(number, Malformed("a case without a text", "case TEXT"))
        if self._heading:
            self.close()
        else:
            self._opening, self._spoiled_above = self._tables, self._spoiled
        self._heading, self._own = (number, " ".join(title)), []
        self._tables, self._spoiled = self._opening.copy(), self._spoiled_above


class TableNames:
    """The tables that a run has named so far, and which of them the last line was for.

    Of a table whose line is malformed the game may be unknown: then nothing can be said of what happens there.
    """

    def __init__(self, folder: Path = Path()) -> None:
        self._folder = folder  # of the script
        self._games: dict[str, Game | None] = {}
        self._last = ""
        self._cup = False  # a tournament was announced
        self.unsure = False  # a line that may have named a table was malformed

    def copy(self) -> TableNames:
        """Returns an independent copy, for the next case."""
        other = TableNames(self._folder)
        other._games = dict(self._games)
        other._last = self._last
        other._cup = self._cup
        other.unsure = self.unsure
        return other

    def read(self, number: int, statement: str) -> Line | None:
        """Reads one statement, for the table that it names or that of the line before.

        None when nothing can be said of it because of an earlier mistake.
        """
        prefix = _PREFIX.match(statement)
        tokens = statement[prefix.end() :].split() if prefix else statement.split()
        if not tokens:
            raise Malformed("a table's name without a statement", "NAME: VERB ...")
        text = " ".join(tokens)
        if tokens[0] == "case":
            raise Malformed("a case is for all tables", "case TEXT, without a table's name")
        if tokens[0] == "table":
            return self._start(number, text, tokens, prefix[1] if prefix else "")
        if tokens[0] == "tournament":
            return self._announce(number, text, tokens, prefix[1] if prefix else "")
        if not self._games:
            self._check_first(tokens[0])
        if not self._address(prefix[1] if prefix else self._last):
            return None
        game = self._games[self._last]
        if game is None:
            return None
        return _line(At(number, self._last, text), tokens, replace(game, cup=True) if self._cup else game)

    def _address(self, name: str) -> bool:
        """Turns to the table of this name; False when that may be one whose line was malformed."""
        if name in self._games:
            self._last = name
            return True
        if self.unsure:
            return False
        known = [name for name in self._games if name] or ["no name: this table has none"]
        raise unknown("table", name, known)

    def _start(self, number: int, text: str, tokens: Sequence[str], prefix: str) -> Line:
        try:
            if prefix:
                raise Malformed("a table gets its name at the end", f"table GAME as {prefix}")
            line = table(number, text, tokens[1:])
            self._check_name(line.table)
        except Malformed:
            named = tokens[2:3] == ["as"] and len(tokens) > 3
            self._lose(tokens[3] if named else prefix, tokens[1:2])
            raise
        # A name may come again: the table that had it may have been refused. The table itself says so if it was not.
        self._games[line.table] = game_named(line.game)
        self._last = line.table
        return line

    def _check_name(self, name: str) -> None:
        """Complains of a table without a name beside a tournament, and of one with the name of a tournament."""
        if self._cup and not name:
            raise Malformed("a table beside a tournament has a name", "table GAME as NAME")
        game = self._games.get(name)
        if game is not None and game.desk:
            raise Malformed(f'"{name}" is the name of a tournament', "another name")

    def _announce(self, number: int, text: str, tokens: Sequence[str], prefix: str) -> Line:
        self._cup = True
        try:
            if prefix:
                raise Malformed("a tournament gets its name first", "tournament NAME GAME")
            line = tournament(number, text, tokens[1:], self._folder)
            game = self._games.get(line.table)
            if game is not None and not game.desk:
                raise Malformed(f'"{line.table}" is the name of a table', "another name")
        except Malformed:
            self._lose(tokens[1] if len(tokens) > 1 else prefix, ())
            raise
        self._games[line.table] = replace(game_named(line.game), desk=True)
        self._last = line.table
        return line

    def _lose(self, name: str, games: Sequence[str]) -> None:
        """Keeps what is known of a table whose line is malformed: its name, and its game if there is such a game."""
        self.unsure = True
        try:
            self._games[name] = game_named(games[0]) if games else None
        except Malformed:
            self._games[name] = None
        self._last = name

    def _check_first(self, verb: str) -> None:
        """Complains of a line before any table, once."""
        self.unsure = True
        self._games[""] = None
        known = ("table", "tournament", "case", "expect", *VERBS)
        if verb not in known:
            raise unknown("verb", verb, known)
        raise Malformed(
            f'"{verb}" before any table', f'"table GAME" as the first line, with {one_of(INSTALLED.names())}'
        )


def _line(at: At, tokens: Sequence[str], game: Game) -> Line:
    if tokens[0] == "expect":
        return expect(at, tokens[1:], game)
    known = known_at(game)
    if tokens[0] not in known:
        raise unknown_here("verb", tokens[0], game.where, ["table", *known, "expect", "case"], VERBS)
    return VERBS[tokens[0]].read(at, tokens[1:], game)
