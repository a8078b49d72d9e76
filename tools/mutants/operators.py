"""The faults that can be planted into a module: each changes one expression or takes one statement away."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Final, NamedTuple

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
CALCULATED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
WITHOUT: Final = ("annotation", "returns", "decorator_list", "keywords_of_class", "type_params", "type_comment")
NOTHING: Final = ("None", "False", "''")  # a return of None instead differs in its type alone, which mypy finds
UNTOUCHED: Final = "# pragma" + ": no cover"  # a line that no test can reach says so, with its reason


class Fault(NamedTuple):
    """One fault that can be planted."""

    number: int  # within its file
    line: int
    symbol: str  # the function or class that it is in, "" at the top of a module
    in_function: bool
    kind: str
    was: str
    becomes: str


class _Opening(NamedTuple):
    """A place where a fault can be planted: it is put there by `plant`."""

    node: ast.AST
    symbol: str
    in_function: bool
    kind: str
    becomes: ast.AST
    plant: Callable[[ast.AST], None]


def faults(source: str) -> list[Fault]:
    """Returns all faults of a module, always in the same order.

    >>> [f"{fault.kind}: {fault.was} -> {fault.becomes}" for fault in faults("def least(a, b):\\n    return a < b\\n")]
    ['return: return a < b -> return None', 'comparison: a < b -> a <= b']
    """
    lines = source.splitlines()
    listed = []
    for number, each in enumerate(_search(ast.parse(source))):
        line = getattr(each.node, "lineno", 0)
        if UNTOUCHED in lines[line - 1]:
            continue
        was, becomes = ast.unparse(each.node), ast.unparse(each.becomes)
        listed.append(Fault(number, line, each.symbol, each.in_function, each.kind, was[:80], becomes[:80]))
    return listed


def planted(source: str, number: int) -> ast.Module:
    """Returns the module with this fault.

    >>> ast.unparse(planted("def least(a, b):\\n    return a < b\\n", 1)).splitlines()[1].strip()
    'return a <= b'
    """
    tree = ast.parse(source)
    for at, each in enumerate(_search(tree)):
        if at == number:
            each.plant(ast.copy_location(each.becomes, each.node))
            return ast.fix_missing_locations(tree)
    raise IndexError(number)


def _search(tree: ast.Module) -> Iterator[_Opening]:
    yield from _within(tree, "", in_function=False)


def _within(node: ast.AST, symbol: str, *, in_function: bool) -> Iterator[_Opening]:
    for name, value in ast.iter_fields(node):
        if _is_left_alone(node, name):
            continue
        children = value if isinstance(value, list) else [value]
        for at, child in enumerate(children):
            if not isinstance(child, ast.AST) or _is_no_code(node, name, at, child):
                continue
            place = partial_set(node, name, at if isinstance(value, list) else None)
            for kind, becomes in _variants(child, in_function=in_function):
                yield _Opening(child, symbol, in_function, kind, becomes, place)
            inner, inside = symbol, in_function
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{symbol}.{child.name}" if symbol else child.name
                inside = in_function or not isinstance(child, ast.ClassDef)
            yield from _within(child, inner, in_function=inside)


def partial_set(parent: ast.AST, name: str, at: int | None) -> Callable[[ast.AST], None]:
    """Returns what puts another node into this field of its parent."""

    def put(becomes: ast.AST) -> None:
        if at is None:
            setattr(parent, name, becomes)
        else:
            getattr(parent, name)[at] = becomes

    return put


def _is_left_alone(node: ast.AST, name: str) -> bool:
    """Tells whether nothing below this field of a node is a rule: types, decorators, how a class is made."""
    return name in WITHOUT or (isinstance(node, ast.ClassDef) and name in ("keywords", "bases"))


def _is_no_code(parent: ast.AST, name: str, at: int, child: ast.AST) -> bool:
    """Tells whether a node says nothing that could be wrong: texts for people, types, imports."""
    if isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Assert):
        return True
    if name == "body" and at == 0 and isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
        return True  # a docstring
    if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
        return True
    named = child.target if isinstance(child, ast.AnnAssign) else None
    if isinstance(named, ast.Name) and isinstance(child, ast.AnnAssign):
        return "TypeAlias" in ast.unparse(child.annotation) or named.id.startswith("__")
    if isinstance(child, ast.Assign) and ast.unparse(child.targets[0]).startswith("__"):
        return True
    values = child.value if isinstance(child, ast.Assign) else None
    return isinstance(values, ast.Subscript | ast.Call) and ast.unparse(values).startswith(("Literal", "TypeVar"))


def _variants(node: ast.AST, *, in_function: bool) -> Iterator[tuple[str, ast.AST]]:
    """Returns what can stand in the place of a node."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARED:
            yield "comparison", _with(node, ops=[COMPARED[type(operator)]()])
        case ast.BoolOp(op=ast.And()):
            yield "and or", _with(node, op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield "and or", _with(node, op=ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", operand
        case ast.BinOp(op=operator) if type(operator) in CALCULATED:
            yield "arithmetic", _with(node, op=CALCULATED[type(operator)]())
        case ast.If(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield "condition", _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Constant():
            yield from _constants(node)
        case ast.Return(value=value) if value is not None and ast.unparse(value) not in NOTHING:
            yield "return", ast.Return(ast.Constant(None))
    if in_function and _can_go(node):
        yield "statement", ast.Pass()


def _constants(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    match node.value:
        case bool(value):
            yield "constant", ast.Constant(not value)
        case int(value):
            yield "constant", ast.Constant(value + 1)
        case str(value) if " " not in value:  # a sentence is for people
            yield "constant", ast.Constant(f"{value}x")


def _can_go(node: ast.AST) -> bool:
    """Tells whether a statement can be taken away without leaving a name behind that nothing gives a value."""
    match node:
        case ast.Expr(value=ast.Call() | ast.YieldFrom()) | ast.Raise() | ast.AugAssign() | ast.Continue():
            return True
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return True
    return False


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
