"""Finds where a game's script forgot to wait: a part of it that is called without `yield from` does nothing, silently.

A game of another package is looked through when it is loaded; ours by a test, so that a start does not pay for it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from controller.house.game import HouseGame


def unyielded(game: HouseGame) -> list[str]:
    """Returns where the script of a game waits for nothing although it should, each in words for its author."""
    kind = type(game)
    if not inspect.isgeneratorfunction(kind.play):
        return ["play yields nothing, so no round can wait: write `yield from` before each part of the script"]
    return [wrong for function in _functions(kind) for wrong in _in_function(function, kind)]


def _functions(kind: type[HouseGame]) -> Iterator[FunctionType]:
    """Yields the functions of a game: its methods, and what stands beside it in its module."""
    for name in dir(kind):
        method = inspect.getattr_static(kind, name)
        if isinstance(method, FunctionType) and method.__module__ != HouseGame.__module__:
            yield method
    beside = vars(inspect.getmodule(kind)).values()
    yield from (each for each in beside if isinstance(each, FunctionType) and each.__module__ == kind.__module__)


def _in_function(function: FunctionType, kind: type[HouseGame]) -> Iterator[str]:
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except OSError:  # pragma: no cover - a package without its sources
        return
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Call() as call):
                how = "is called, and nobody waits for it"
            case ast.Expr(value=ast.Yield(value=ast.Call() as call)):
                how = "is yielded as it is"
            case _:
                continue
        if inspect.isgeneratorfunction(_called(call, function, kind)):
            line = function.__code__.co_firstlineno + call.lineno - 1
            yield f"{function.__name__}: {ast.unparse(call.func)} in line {line} {how}: write `yield from`"


def _called(call: ast.Call, function: FunctionType, kind: type[HouseGame]) -> Any:
    """Returns what a call calls: a function by its name, or a method of the game; None for anything else.

    >>> called = ast.parse("(lambda: 1)()", mode="eval").body
    >>> assert isinstance(called, ast.Call) and isinstance(_called, FunctionType)
    >>> _called(called, _called, HouseGame) is None
    True
    """
    match call.func:
        case ast.Name(id=name):
            return function.__globals__.get(name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return getattr(kind, name, None)
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return getattr(function.__globals__.get(module), name, None)
    return None
