"""What the rules declare by name is what its type says: a misspelt word is found before it is used."""

from __future__ import annotations

import importlib
import types
import typing
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Union, get_args, get_origin

import msgspec
import pytest

from tools.mutants.map import files, module_name

MODULES = [module_name(file) for file in files()]
WRAPPERS = (Final, ClassVar, Annotated, msgspec.UnsetType)


def misfits(value: object, hint: Any) -> Iterator[object]:
    """Yields the words in a value that its type does not have.

    >>> list(misfits(("win", "loose"), tuple[Literal["win", "lose"], ...]))
    ['loose']
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        yield from () if value in args else (value,)
    elif origin in WRAPPERS:
        yield from misfits(value, args[0])
    elif origin in (Union, types.UnionType):
        found = [list(misfits(value, each)) for each in args if _can_be(value, each)]
        yield from found[0] if found and all(found) else ()
    else:
        for kept, each in _parts(value, origin, args):
            yield from misfits(kept, each)


def _parts(value: object, origin: Any, args: tuple[Any, ...]) -> Iterator[tuple[object, Any]]:
    """Yields what a value consists of, each with its type."""
    if origin is tuple and isinstance(value, tuple):
        yield from zip(value, [args[0]] * len(value) if args[1:] == (...,) else args, strict=True)
    elif isinstance(value, Mapping) and len(args) == 2:
        yield from ((name, args[0]) for name in value)
        yield from ((kept, args[1]) for kept in value.values())
    elif isinstance(value, Collection) and len(args) == 1:
        yield from ((kept, args[0]) for kept in value)


def _can_be(value: object, hint: Any) -> bool:
    """Tells whether a value can be meant by one type of several."""
    origin = get_origin(hint)
    if origin is Literal:
        return type(value) in {type(each) for each in get_args(hint)}
    plain = origin if origin is not None else hint
    return not isinstance(plain, type) or isinstance(value, plain)


def declared(module: types.ModuleType) -> Iterator[tuple[str, object, Any]]:
    """Yields what a module declares with a type: its own names, and the defaults of its structs."""
    for name, written in module.__annotations__.items():
        if "[" in written and hasattr(module, name):
            yield name, getattr(module, name), eval(written, vars(typing) | vars(module))
    for name, kind in vars(module).items():
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__:
            for field in msgspec.structs.fields(kind):
                if field.default is not msgspec.NODEFAULT:
                    yield f"{name}.{field.name}", field.default, field.type


@pytest.mark.parametrize("name", MODULES)
def test_what_is_declared_is_what_its_type_says(name: str) -> None:
    module = importlib.import_module(name)
    wrong = {at: found for at, value, hint in declared(module) if (found := list(misfits(value, hint)))}
    assert not wrong


def test_it_sees_a_wrong_word() -> None:
    Word = Literal["a", "b"]
    assert list(misfits({"a": ("x",)}, Mapping[Word, tuple[Word, ...]])) == ["x"]
    assert list(misfits("c", Final[Word])) == ["c"]
    assert not list(misfits(None, Word | None))
    assert list(misfits("c", Word | None)) == ["c"]
    assert not list(misfits(5, int))
