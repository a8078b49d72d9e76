"""From the text of a script to its runs: lines, comments, table names, cases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controller.games import INSTALLED
from controller.script.catalogue import Game, game_named
from controller.script.errors import Malformed, ScriptError, one_of, unknown, unknown_here
from controller.script.expects import expect
from controller.script.model import Line, Run, Script
from controller.script.verbs import VERBS, At, known_at, table

_PREFIX = re.compile(r"\s*([^\W\d_][\w-]*)\s*:")


def parse(text: str, name: str = "<script>") -> Script:
    """Reads a whole script; the first malformed line, in whichever case, is a `ScriptError`.

    >>> parse("table casino-war\\nbet 1 war=10").runs[0].lines[1].text
    'bet 1 war=10'
    """
    shared: list[Line] = []
    runs: list[Run] = []
    opening = floor = _Floor()
    heading: tuple[int, str] | None = None
    own: list[Line] = []
    number = 0

    def close() -> None:
        if not shared and not own:
            line = heading[0] if heading else max(number, 1)
            raise ScriptError(name, line, "nothing happens here", 'a line "table GAME"')
        runs.append(Run(heading[1] if heading else None, (*shared, *own)))

    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        statement = raw.partition("#")[0]
        tokens = statement.split()
        if not tokens:
            continue
        try:
            if tokens[0] == "case":
                if len(tokens) == 1:
                    raise Malformed("a case without a text", "case TEXT")
                if heading:
                    close()
                else:
                    opening = floor
                heading, own, floor = (number, " ".join(tokens[1:])), [], opening.copy()
                continue
            line = floor.read(number, statement)
        except Malformed as error:
            raise ScriptError(name, number, error.message, error.expected) from None
        (own if heading else shared).append(line)
    close()
    return Script(name, tuple(runs))


class _Floor:
    """The tables that a run has named so far, and which of them the last line was for."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._last = ""

    def copy(self) -> _Floor:
        """Returns an independent copy, for the next case."""
        other = _Floor()
        other._games = dict(self._games)
        other._last = self._last
        return other

    def read(self, number: int, statement: str) -> Line:
        """Reads one statement, for the table that it names or that of the line before."""
        prefix = _PREFIX.match(statement)
        tokens = statement[prefix.end() :].split() if prefix else statement.split()
        if not tokens:
            raise Malformed("a table's name without a statement", "NAME: VERB ...")
        text = " ".join(tokens)
        if tokens[0] == "case":
            raise Malformed("a case is for all tables", "case TEXT, without a table's name")
        if tokens[0] == "table":
            return self._start(number, text, tokens, prefix[1] if prefix else "")
        if not self._games:
            self._check_first(tokens[0])
        if prefix:
            if prefix[1] not in self._games:
                known = [name for name in self._games if name] or ["no name: this table has none"]
                raise unknown("table", prefix[1], known)
            self._last = prefix[1]
        return _line(At(number, self._last, text), tokens, self._games[self._last])

    def _start(self, number: int, text: str, tokens: Sequence[str], prefix: str) -> Line:
        if prefix:
            raise Malformed("a table gets its name at the end", f"table GAME as {prefix}")
        line = table(number, text, tokens[1:])
        # A name may come again: the table that had it may have been refused. The table itself says so if it was not.
        self._games[line.table] = game_named(line.game)
        self._last = line.table
        return line

    def _check_first(self, verb: str) -> None:
        known = ("table", "case", "expect", *VERBS)
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
        raise unknown_here("verb", tokens[0], game.name, ["table", *known, "expect", "case"], VERBS)
    return VERBS[tokens[0]].read(at, tokens[1:], game)
