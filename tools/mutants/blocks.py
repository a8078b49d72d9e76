"""Marks the blocks of a module, so that a run says which of them it came by: far cheaper than looking at every line.

A block is a run of statements within a function that nothing can leave in between but an exception: the beginning of a
body, or what stands behind a statement that has bodies of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

HIT: Final = "__came_by__"  # the function that a marked module calls with the number of a block
BODIES: Final = ("body", "orelse", "finalbody")


class Marked(NamedTuple):
    """A module whose blocks say that they were come by."""

    tree: ast.Module
    blocks: dict[int, int]  # the block that a line belongs to, of lines within functions
    size: int  # of them


def marked(source: str, first: int = 0) -> Marked:
    """Returns the module with its blocks marked, numbered from `first` on.

    >>> found = marked("def least(a, b):\\n    if a < b:\\n        return a\\n    return b\\n", 10)
    >>> found.blocks, found.size
    ({2: 10, 3: 11, 4: 12}, 3)
    """
    tree = ast.parse(source)
    blocks: dict[int, int] = {}
    number = first
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]:
        number = _mark(function, blocks, number)
    return Marked(ast.fix_missing_locations(tree), blocks, number - first)


def _mark(node: ast.AST, blocks: dict[int, int], number: int) -> int:
    """Marks the bodies of a statement, and of those in them; returns the next number."""
    for body in _bodies(node):
        number = _mark_body(body, blocks, number, documented=isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return number


def _mark_body(body: list[ast.stmt], blocks: dict[int, int], number: int, *, documented: bool) -> int:
    at = 1 if documented and _is_docstring(body[0]) else 0
    current, fresh = number, True
    while at < len(body):
        statement = body[at]
        if fresh:
            current, number, fresh = number, number + 1, False
            body.insert(at, _call(current, statement))
            at += 1
        nested = list(_bodies(statement))
        for line in _own_lines(statement, nested):
            blocks[line] = current
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            number = _mark(statement, blocks, number)
            fresh = bool(nested)
        at += 1
    return number


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yields the lists of statements directly below a node."""
    for name in BODIES:
        body = getattr(node, name, None)
        if isinstance(body, list) and body:
            yield body
    for holder in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield holder.body


def _own_lines(statement: ast.stmt, nested: list[list[ast.stmt]]) -> set[int]:
    """Returns the lines of a statement without those of the bodies in it."""
    lines = set(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    for body in nested:
        lines -= set(range(body[0].lineno, (body[-1].end_lineno or body[-1].lineno) + 1))
    return lines


def _call(number: int, like: ast.stmt) -> ast.Expr:
    called = ast.Expr(ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(number)], []))
    return ast.copy_location(called, like)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
