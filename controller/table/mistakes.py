"""What is wrong with the declarations of a game, in words for whoever writes it.

A game of another package is looked through when it is loaded; ours by a test, so that a start does not pay for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, get_args

import msgspec

from controller.rules import RANKS
from controller.table.declare import SETTING, SPOT
from controller.table.documents import Power, Powers, When
from controller.table.keys import EVERY_TABLE, keys_of
from controller.table.options import Field, OptionProblem, Options, field_of, hints_of
from controller.table.rules import Rules
from controller.table.values import nearest

_WORD: Final = re.compile(r"[a-z][a-z0-9-]*")
_TUPLES: Final = ("spots", "opening", "required", "without_chips", "keys")
_COMPUTED_BY: Final = re.compile(r"\w+(\.\w+)*:\w+")


def undeclared(kind: type) -> list[str]:
    """Returns what every game has, or the classes of this one ask for, and it has not."""
    abstract: frozenset[str] = getattr(kind, "__abstractmethods__", frozenset())
    asked = [name for name in vars(Rules) if not name.startswith("_")]
    asked += [name for base in reversed(kind.__mro__) for name in vars(base).get("__annotations__", ())]
    asked += sorted(abstract)
    declares = kind if abstract else kind()
    return [name for name in dict.fromkeys(asked) if name in abstract or not hasattr(declares, name)]


def mistakes(rules: Rules) -> list[str]:
    """Returns everything that is wrong with what a complete game declares, each with the name of the declaration."""
    if loose := [name for name in _TUPLES if not isinstance(getattr(rules, name), tuple)]:
        return [f'{name} is no tuple: a single one is written with a comma, ("high",)' for name in loose]
    return [*_of_words(rules), *_of_options(rules.options), *_of_keys(rules), *_of_document(rules), *_of_odds(rules)]


def _of_words(rules: Rules) -> Iterator[str]:
    if _WORD.fullmatch(rules.name) is None:
        yield f'name: "{rules.name}" is no word of small letters, digits and dashes'
    for spot in rules.spots:
        if SPOT.kind_of(spot) is None:
            yield f'spots: "{spot}" is no word of small letters and dashes, as scripts write it'
    yield from (f'spots: "{spot}" is there twice' for spot in _twice(rules.spots))
    yield from _strangers("opening", rules.opening, rules.spots, "spots")
    yield from _strangers("required", rules.required, rules.opening, "opening")
    yield from _strangers("without_chips", rules.without_chips, rules.spots, "spots")


def _of_options(kind: type[Options]) -> Iterator[str]:
    hints = hints_of(kind)
    for one in msgspec.structs.fields(kind):
        where = f"options: {kind.__name__}.{one.name}"
        if SETTING.kind_of(f"{one.encode_name}=x") is None:
            yield f"{where} has a name that is not of small letters and underscores"
        try:
            field = field_of(one, hints)
        except TypeError as wrong:
            yield f"{where} {wrong}"
            continue
        if field.default is msgspec.NODEFAULT:
            yield f"{where} has no default"
        elif field.default is not msgspec.UNSET and (why := _unfit(field.default, hints[0][one.name], field)):
            yield f"{where} cannot have its default {field.default!r}: {why}"


def _unfit(default: object, hint: Any, field: Field) -> str:
    """Says why an option cannot have this default; "" when it can."""
    try:
        msgspec.convert(default, hint)
        meant = field.meant(field.write(default))
    except msgspec.ValidationError as wrong:
        return str(wrong)
    return meant.text if isinstance(meant, OptionProblem) else ""


def _of_keys(rules: Rules) -> Iterator[str]:
    for key in rules.keys:
        if _WORD.fullmatch(key.name) is None:
            yield f'keys: "{key.name}" is no word of small letters, digits and dashes'
        if key.role not in RANKS:
            yield f"keys: {key.name}: {_no_role(key.role)}"
    every = {key.name for key in EVERY_TABLE}
    names = [key.name for key in rules.keys]
    yield from (f'keys: "{name}" is there twice' for name in _twice(names))
    yield from (f'keys: every table has "{name}" already' for name in names if name in every)


def _of_document(rules: Rules) -> Iterator[str]:
    powers = rules.document.powers
    for name in powers.__struct_fields__:
        power = getattr(powers, name)
        if isinstance(power, Power) and power.role not in RANKS:
            yield f"document: powers: {name}: {_no_role(power.role)}"
    taken = [key.given(powers) for key in keys_of(rules)]
    for name in _own(powers):
        if not any(power is getattr(powers, name) for power in taken):
            yield f"document: powers: {name}: no key of the game takes it"
    if ("jackpot" in rules.options.__struct_fields__) != (rules.document.jackpot is not None):
        yield "document: jackpot: it must speak of a Jackpot when the options do, and only then"
    for name, setting in powers.settings.items():
        if setting.role not in RANKS:
            yield f"document: settings: {name}: {_no_role(setting.role)}"
        if setting.when not in get_args(When):
            yield f'document: settings: {name}: "{setting.when}" is none of {", ".join(get_args(When))}'
    known = [one.encode_name for one in msgspec.structs.fields(rules.options)]
    yield from _strangers("document: settings", powers.settings, known, "options")


def _own(powers: Powers) -> list[str]:
    """Returns the names of the powers that only documents of this kind give."""
    return [name for name in powers.__struct_fields__ if name not in Powers.__struct_fields__]


def _of_odds(rules: Rules) -> Iterator[str]:
    yield from _strangers("odds", rules.odds, rules.opening, "opening")
    for wager, edge in rules.odds.items():
        if _COMPUTED_BY.fullmatch(getattr(edge, "computed_by", "")) is None:  # anything may stand there
            yield f'odds: {wager}: {edge!r} is no Edge("module:function", "what it takes in")'


def _strangers(where: str, words: Iterable[str], known: Collection[str], those: str) -> Iterator[str]:
    """Yields each word that should be among those that another declaration has, and is not."""
    for word in words:
        if word not in known:
            near = nearest(word, known)
            hint = f': did you mean "{near}"?' if near else f" ({', '.join(known)})"
            yield f'{where}: "{word}" is not in {those}{hint}'


def _twice(words: Sequence[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if words.count(word) > 1]


def _no_role(role: str) -> str:
    return f'"{role}" is none of {", ".join(RANKS)}'
