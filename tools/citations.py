"""Finds the rules that code and scripts name: which document, which number, where.

Code is named by file and symbol, not by line, so that an ordinary edit leaves the finding as it is.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Any

from tools import tournament_terms

CODE = ("hands", "house", "jackpot", "poker", "table", "tournament", "views")  # of controller
SCRIPTS = "tests/rules"

Places = dict[str, dict[str, set[str]]]  # document -> number as cited -> where

BELOW = re.compile(r"\.(\d(?:\.\d)?(?:\([a-z]{1,4}\))*)")  # a number below a chapter that documents number alike
RULE = re.compile(r"(?<![\w.$])\d{1,2}(?:\.\d{1,2}){1,2}(?:\([a-z]{1,4}\))*(?![\w%])(?!\.\d)|\btable-\d+")
TABLES = re.compile(r"\bTables? (\d+(?:(?:, | and )\d+)*)")
DOCUMENT = re.compile(r"(?<![\w.,])00[0-4]\b")
COMMENT = re.compile(r"""^(?:[^#"']|"[^"]*"|'[^']*')*?#(.*)""")
EXPECTED = re.compile(r"^(?:\w+: *)?expect .*\bby (\S+)")
CASE = re.compile(r"^case +(.+)", re.MULTILINE)
FILE_NAME = re.compile(r"^(table-\d+|\d+(?:\.\d+)*)([a-z]?)([a-z]*)_")
PARTS = re.compile(r"(\w*Citations|\w*Powers|\w*Policy|_citations|_powers|_policy)")  # what makes a part of a document
READ = ("cites", "citations", "policy", "powers", "jackpot", "judged")  # where code finds the parts


def covers(rule: str, cited: str) -> bool:
    """Tells whether the cited number is this rule, or one below it.

    >>> covers("9.7", "9.7.1(a)"), covers("9.7", "9.7"), covers("9.1", "9.10"), covers("9.7.1", "9.7")
    (True, True, False, False)
    """
    return cited == rule or cited.startswith((f"{rule}.", f"{rule}("))


def spelled(cited: str) -> str:
    """Returns a number as documents write it: Table 6, where scripts say table-6."""
    return cited.replace("table-", "Table ")


def cited_in(text: str) -> Iterator[tuple[str, str]]:
    """Yields the rules that a text names, each with the document named before it, or none.

    >>> list(cited_in("11.4, 12.4; 003, Tables 4, 5 and 8"))
    [('', '11.4'), ('', '12.4'), ('003', 'Table 4'), ('003', 'Table 5'), ('003', 'Table 8')]
    """
    matches = [(m.start(), m[0], "") for m in RULE.finditer(text)]
    matches += [(m.start(), f"Table {n}", "") for m in TABLES.finditer(text) for n in re.findall(r"\d+", m[1])]
    matches += [(m.start(), "", m[0]) for m in DOCUMENT.finditer(text)]
    document = ""
    for _, cited, named in sorted(matches, key=lambda one: one[0]):
        document = named or document
        if cited:
            yield document, spelled(cited)


def listed_rows(listed: Mapping[str, Any], number: str) -> list[dict[str, Any]]:
    """Returns the rows of a document in a list of rules: its own, and those of chapters that it shares.

    >>> chapter = {"of": {"002": "14", "004": "10"}, "rows": [{"rules": [".1"]}, {"rules": [".9"], "only": ["004"]}]}
    >>> listed_rows({"document": [{"number": "002", "rows": []}], "chapter": [chapter]}, "002")
    [{'rules': ['14.1']}]
    """
    rows = [dict(row) for document in listed["document"] if document["number"] == number for row in document["rows"]]
    for chapter in listed.get("chapter", ()):
        above = chapter["of"].get(number)
        shared = [row for row in chapter["rows"] if above and number in row.get("only", [number])]
        rows += [{**row, "rules": [above + below for below in row["rules"]]} for row in shared]
    return [{key: value for key, value in row.items() if key != "only"} for row in rows]


# ---- code


@dataclass(frozen=True)
class Area:
    """Which parts of which documents a source file speaks of; no parts named: all of them."""

    documents: Mapping[str, list[str]] = field(default_factory=dict)
    short_for: Mapping[str, str] = field(default_factory=dict)

    def read(self, cited: str, only: set[str]) -> Iterator[tuple[str, str]]:
        """Yields the documents and numbers that a citation without a document stands for."""
        for document, parts in self.documents.items():
            if only and document not in only:
                continue
            if not parts or any(covers(part, cited) for part in parts):
                yield document, cited
            elif document in self.short_for and not cited.startswith("Table"):
                yield document, f"{self.short_for[document]}.{cited}"


class Source:
    """One Python file: its citations, each with the name of what it stands in."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.tree = ast.parse(text)

    @cached_property
    def symbols(self) -> list[str]:
        """The innermost function, class, constant or entry of a constant on each line; line 1 is at 1."""
        out = [""] * (len(self.lines) + 2)

        def visit(body: list[ast.stmt], above: str) -> None:
            for node in body:
                match node:
                    case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                        symbol = above + node.name
                    case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                        symbol = above + ast.unparse(target)
                    case _:
                        continue
                lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                out[lines.start : lines.stop] = [symbol] * len(lines)
                if isinstance(node, ast.ClassDef):
                    visit(node.body, f"{symbol}.")
                for line, entry in entries(node):
                    out[line] = symbol + entry

        visit(self.tree.body, "")
        return out

    def citations(self) -> Iterator[tuple[str, str, str]]:
        """Yields (symbol, document or "", number) of every citation.

        These are strings that are a number, and what docstrings and comments name.
        """
        docstrings = {id(docstring(node)) for node in ast.walk(self.tree)}
        for node in ast.walk(self.tree):
            match node:
                case ast.Constant(value=str(text)) if id(node) in docstrings:
                    yield from ((self.symbols[node.lineno], *one) for one in cited_in(text.partition(">>>")[0]))
                case ast.Constant(value=str(text)) if RULE.fullmatch(text):
                    yield self.symbols[node.lineno], "", spelled(text)
                case ast.Call(func=ast.Attribute(attr="at"), args=[ast.Constant(value=str(text))]) if text.isdecimal():
                    yield self.symbols[node.lineno], "", text  # doc.at("2"): rule 2 of its chapter
                case ast.Call(func=ast.Attribute(attr="at" | "rule"), args=[ast.Constant(value=str(text))]) if (
                    below := BELOW.fullmatch(text)
                ):
                    yield self.symbols[node.lineno], "", below[1]  # cup.rule(".2.3"): 2.3 of its chapter
        for at, line in enumerate(self.lines, 1):
            comment = COMMENT.match(line)
            if comment and not comment[1].startswith(" ----"):  # a heading implements nothing
                yield from ((self.symbols[self.code_line(at)], *one) for one in cited_in(comment[1]))

    def code_line(self, at: int) -> int:
        """Returns the line of which a comment speaks: on a line of its own it speaks of what follows it."""
        while at < len(self.lines) and self.lines[at - 1].lstrip().startswith("#"):
            at += 1
        return at

    def document_readers(self) -> Iterator[tuple[str, str]]:
        """Yields (field, symbol): where a document is asked for the rule of something."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and last_name(node.value) in READ:
                yield node.attr, self.symbols[node.lineno]


def last_name(node: ast.expr) -> str:
    """Returns the name on which an attribute is asked for: cites, of s.cites as of cites(s)."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=called):
            return last_name(called).replace("cited", "cites")
    return ""


def entries(node: ast.stmt) -> Iterator[tuple[int, str]]:
    """Yields the lines of a constant's entries, and how each is named: a key of a dictionary, a part of a document."""
    match node:
        case ast.Assign(value=ast.Dict() as value) | ast.AnnAssign(value=ast.Dict() as value):
            yield from keys(value)
        case ast.Assign() | ast.AnnAssign() | ast.FunctionDef():
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and PARTS.fullmatch(last_name(call.func)):
                    for word in call.keywords:
                        yield from ((line, f".{word.arg}") for line in range(word.lineno, (word.end_lineno or 0) + 1))
                        if isinstance(word.value, ast.Dict):
                            yield from ((line, f".{word.arg}{key}") for line, key in keys(word.value))


def keys(value: ast.Dict) -> Iterator[tuple[int, str]]:
    """Yields the line of each key, and how it is asked for; none where the dictionary begins on that line."""
    for key in value.keys:
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.lineno > value.lineno:
            yield key.lineno, f'["{key.value}"]'


def document_file(name: str) -> bool:
    """Tells whether this file says what a rule document says."""
    return "/documents/" in name or name.endswith("/document.py")


def docstring(node: ast.AST) -> ast.Constant | None:
    """Returns the docstring of a class or function; a module's names no line that does anything."""
    match node:
        case (
            ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
            | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
            | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
        ):
            return text
    return None


def in_code(root: Path, listed: Mapping[str, Any]) -> Places:
    """Returns every citation in the code, as "file: symbol"; a part of a document with the code that reads it."""
    areas = [(a["files"], Area(a["documents"], a.get("short_for", {}))) for a in listed["code"]]
    sources: list[tuple[str, Area, Source]] = []
    for path in sorted(p for part in CODE for p in (root / "controller" / part).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        area = next((a for files, a in areas if fnmatch(name, files)), Area())
        sources.append((name.removeprefix("controller/"), area, Source(path.read_text(encoding="utf-8"))))
    readers: dict[str, dict[str, Area]] = defaultdict(dict)
    for name, area, source in sources:
        for key, symbol in source.document_readers():
            readers[key][f"{name}: {symbol}"] = area
    places_of: Places = defaultdict(lambda: defaultdict(set))
    for name, area, source in sources:
        for symbol, named, cited in source.citations():
            parts = re.split(r"[^a-z]+", symbol.lower())
            only = {doc for word, doc in listed["names"].items() if any(part.startswith(word) for part in parts)}
            read = [(named, cited)] if named else area.read(cited, only & set(area.documents))
            for document, number in read if symbol else ():
                asking = readers.get(symbol.rpartition(".")[2], {}) if document_file(name) else {}
                places = sorted(place for place, a in asking.items() if not a.documents or document in a.documents)
                places_of[document][number].add(f"{name}: {symbol}" + (f" → {places[0]}" if places else ""))
    read_files = [tournament_terms.ReadFile(name, tuple(a.documents), s.tree, s.symbols) for name, a, s in sources]
    for document, number, place in tournament_terms.cited(read_files):
        places_of[document][number].add(place)
    return places_of


# ---- scripts


def named_after(file_name: str) -> str:
    """Returns the rule that a script is named after; "" when none.

    >>> named_after("4.1.1b_a_shuffle.felt"), named_after("table-6_rates.felt"), named_after("plain_rounds.felt")
    ('4.1.1(b)', 'Table 6', '')
    """
    name = FILE_NAME.match(file_name)
    if name is None:
        return ""
    return spelled(name[1]) + "".join(f"({part})" for part in name.groups()[1:] if part)


def cases_named_after(text: str) -> Iterator[str]:
    """Yields the rules with which the titles of cases begin.

    >>> list(cases_named_after("table casino-war\\ncase 4.2.1(b): it came first\\ncase 2 cards"))
    ['4.2.1(b)']
    """
    for title in CASE.findall(text):
        if rule := RULE.match(title):
            yield spelled(rule[0])


def expectations(text: str, games: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields (document, rule) of every expectation, by the game at the table it is addressed to.

    >>> list(expectations("table casino-war\\nexpect 1 war win 5 by 5.7.1|7.6", {"casino-war": "004"}))
    [('004', '5.7.1'), ('004', '7.6')]
    """
    tables: dict[str, str] = {}
    name = ""
    above: tuple[str, dict[str, str]] | None = None  # name and tables at the end of what stands above the first case
    for line in (raw.partition("#")[0].strip() for raw in text.splitlines()):
        words = line.split()
        if words[:1] == ["case"]:  # another telling: what stands above the first case, then this
            above = above or (name, dict(tables))
            name, tables = above[0], dict(above[1])
        elif words and words[0].endswith(":"):
            name = words.pop(0)[:-1]
        if words[:1] == ["tournament"] and len(words) > 2:
            name = words[1]  # its desk
            tables[name] = games.get(words[2], "")
        elif words[:1] == ["table"] and len(words) > 1:
            name = words[words.index("as") + 1] if "as" in words[:-1] else name
            tables[name] = games.get(words[1], "")
        elif expected := EXPECTED.match(line):
            yield from ((tables.get(name, ""), spelled(one)) for one in expected[1].split("|"))


def in_scripts(root: Path, games: Mapping[str, str]) -> Places:
    """Returns every rule that a script expects, or that it or one of its cases is named after, as the script's path."""
    cited: Places = defaultdict(lambda: defaultdict(set))
    for path in sorted((root / SCRIPTS).rglob("*.felt")):
        text = path.read_text(encoding="utf-8")
        of_the_folder = path.relative_to(root / SCRIPTS).parts[0]  # tests/rules/004/...
        named = filter(None, (named_after(path.name), *cases_named_after(text)))
        for document, number in {*expectations(text, games), *((of_the_folder, rule) for rule in named)}:
            cited[document][number].add(path.relative_to(root).as_posix())
    return cited
