"""Finds the code of tournament rules whose numbers are declared once: the items of the terms, a document's own ways.

Whoever asks for an item by its name, or reads its value, does what the rule of that number says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

ITEMS: Final = "tournament/items.py"
TERMS: Final = "tournament/terms.py"
MISSED: Final = f"{TERMS}: _missing"  # refuses terms that lack what a document asks for
POSITIONS: Final = ("name", "vic", "nsw")  # of the arguments of what declares a statement
DECLARED_BY: Final = {"Item": False, "_statement": True, "_optional": False}  # and whether the terms must have it
WAYS: Final = ("vic", "nsw")  # of numbering

Cited = tuple[str, str, str]  # document, number, where


class ReadFile(NamedTuple):
    """A source file: its name below controller, the documents it speaks of, the symbol on each of its lines."""

    name: str
    documents: tuple[str, ...]
    tree: ast.Module
    symbols: list[str]

    def place(self, line: int) -> str:
        """Returns where a line stands."""
        return f"{self.name}: {self.symbols[line]}"


class TermsItem(NamedTuple):
    """One item of the terms, as it is declared."""

    name: str
    field: str  # of the terms
    below: Mapping[str, str]  # its number below rule 4 of the chapter, by the way of numbering
    required: bool


def cited(files: Iterable[ReadFile]) -> Iterator[Cited]:
    """Yields the rules of tournaments whose numbers no line but their declaration has, and the code that asks."""
    read = list(files)
    items = [item for file in read if file.name == ITEMS for item in declared_items(file.tree)]
    asking = [
        (asked, file.place(line))
        for file in read
        if file.name != TERMS  # it reads, and advises; no rule asks for that
        for asked, line in askers(file.tree)
    ]
    usual = {key: text for file in read for key, text in usual_ways(file.tree)}
    for file in read:
        for own in own_ways(file.tree):
            document, ways = file.documents[0], {**usual, **own}
            declared = [(item.below[ways["numbered"]], item) for item in items if ways["numbered"] in item.below]
            for below, item in declared:
                number = f"{ways['chapter']}.4{below}"
                yield document, number, f'{ITEMS}: ITEMS["{item.name}"]' + (f" → {MISSED}" if item.required else "")
                yield from ((document, number, place) for asked, place in asking if asked in (item.name, item.field))
            for key, below in ways.items():
                number = f"{ways['chapter']}{below}"
                yield from ((document, number, place) for asked, place in asking if asked == f"rules.{key}")


def declared_items(tree: ast.Module) -> Iterator[TermsItem]:
    """Yields the items that a module declares.

    >>> [(item.name, item.below["nsw"]) for item in declared_items(ast.parse('Item(name="all-in", nsw=".4(e)")'))]
    [('all-in', '.4(e)')]
    """
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in DECLARED_BY):
            continue
        words = {word.arg: word.value for word in call.keywords} | dict(zip(POSITIONS, call.args, strict=False))
        constants = {key: value.value for key, value in words.items() if isinstance(value, ast.Constant)}
        if "name" in constants:  # else it stands in what declares statements
            name = str(constants["name"])
            field = str(constants.get("field", name.replace("-", "_")))
            required = bool(constants.get("required", DECLARED_BY[call.func.id]))
            yield TermsItem(name, field, {way: str(constants[way]) for way in WAYS if constants.get(way)}, required)


def askers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yields the name or field of every item, and the way of a document, that a module asks for, and the line.

    >>> [*askers(ast.parse('cup.item("method"), cup.terms.add_ons, cup.rule(cup.rules.final)'))]
    [('method', 1), ('add_ons', 1), ('rules.final', 1)]
    """
    named = {key: value for node in tree.body for key, value in _constants(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="item"), args=[ast.Constant(value=str(name))]):
                yield name, node.lineno
            case ast.Call(func=ast.Attribute(attr="item"), args=[ast.Name(id=name)]) if name in named:
                yield named[name], node.lineno
            case ast.Call(
                func=ast.Attribute(attr="rule"), args=[ast.Attribute(value=ast.Attribute(attr="rules")) as way]
            ):
                yield f"rules.{way.attr}", node.lineno
            case ast.Attribute(value=ast.Name(id="terms") | ast.Attribute(attr="terms")):
                yield node.attr, node.lineno


def _constants(node: ast.stmt) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
            yield name, text
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text))):
            yield name, text


def usual_ways(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields what documents say of tournaments when they say nothing of their own: field and number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == "TournamentRules":
            yield from (pair for line in node.body for pair in _constants(line))


def own_ways(tree: ast.Module) -> Iterator[Mapping[str, str]]:
    """Yields what a module's document says of tournaments in its own way.

    >>> [*own_ways(ast.parse('TournamentRules(chapter="10", numbered="vic", markers=True)'))]
    [{'chapter': '10', 'numbered': 'vic'}]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TournamentRules":
            values = {str(word.arg): word.value for word in node.keywords}
            yield {
                key: v.value for key, v in values.items() if isinstance(v, ast.Constant) and isinstance(v.value, str)
            }
