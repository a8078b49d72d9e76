"""The kinds of values that options have: how each is written, what it is inside, and what bounds it.

A field of `Options` names its kind and its bounds: `seats: Annotated[Count, within(1, 9, "...", "2.1")]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar

import msgspec

from controller.money import cents, short

T = TypeVar("T")
NONE: Final = "none"
MOST_CENTS: Final = 100_000_000_000  # a thousand million dollars: sums of it stay exact in the record
_LONGEST: Final = 400  # characters of any value
_SHOWN: Final = 40  # characters of a value that a message repeats


class Unwritable(ValueError):
    """Text that is no value of its kind."""


class Form(Generic[T]):
    """One kind of value: how its text is read, the one way in which it is written, and what people are told to write.

    `words` are all that it can be, where they are few.  `strict` is the way in which scripts and table.toml write it,
    where journals have more freedom.  `longest`: characters that a text may have.

    >>> one_of(["fixed", "spread"]).read("spraed")
    Traceback (most recent call last):
    controller.table.values.Unwritable: "spraed" must be one of fixed, spread: did you mean "spread"?
    """

    def __init__(
        self,
        expected: str,
        read: Callable[[str], T],
        write: Callable[[T], str],
        *,
        words: Collection[str] = (),
        strict: str | None = None,
        longest: int = _LONGEST,
    ) -> None:
        self.expected = expected
        self._read = read
        self.write = write
        self.words = tuple(words)
        self.strict = re.compile(strict) if strict is not None else None
        self.longest = longest

    def read(self, text: str, optional: bool = False, strictly: bool = False) -> T:
        """Returns the value; raises Unwritable, with what is expected, for any other text.

        `strictly`: in the way in which people write it.
        """
        try:
            if len(text) > self.longest:
                raise Unwritable("too long")
            if strictly and self.strict is not None and self.strict.fullmatch(text) is None:
                raise Unwritable("loose")
            return self._read(text)
        except ValueError:
            near = nearest(text, self.words)
            hint = f': did you mean "{near}"?' if near else ""
            expected = f"{self.expected}, or {NONE}" if optional else self.expected
            raise Unwritable(f"{shown(text)} must be {expected}{hint}") from None


def one_of(words: Collection[str]) -> Form[str]:
    """Returns the form of an option that is one of a few words, such as the names of pay tables."""

    def read(text: str) -> str:
        if text not in words:
            raise Unwritable(text)
        return text

    return Form(f"one of {', '.join(words)}", read, str, words=words)


def nearest(word: str, known: Collection[str]) -> str:
    """Returns the known word that somebody may have meant; "" when none is like it."""
    near = get_close_matches(word.lower().replace("_", "-"), known, n=1) if len(word) <= _SHOWN else []
    return near[0] if near else ""


def shown(text: str) -> str:
    """Returns a value as a message repeats it."""
    return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}..."'


class Bound(msgspec.Struct, frozen=True):
    """What a document says of one option: `check` gives the sentence that a value is against, or "".

    A bound without a rule comes from the machine, not from the document.
    """

    check: Callable[[Any], str]
    rule: str = ""


def within(least: int, most: int, says: str, rule: str) -> Bound:
    """Returns a bound: the number lies between these two, by this rule."""
    return Bound(lambda value: "" if value is None or least <= value <= most else says, rule)


def only(*allowed: object, says: str, rule: str) -> Bound:
    """Returns a bound: the value is one of these, by this rule."""
    return Bound(lambda value: "" if value in allowed else says, rule)


def never(says: str, rule: str) -> Bound:
    """Returns a bound that nothing passes: the document knows no such option, whatever its value."""
    return Bound(lambda value: says, rule)


# ---- numbers and words


def matched(pattern: str, text: str) -> str:
    """Returns the text, which has this form; raises Unwritable when it has not."""
    if re.fullmatch(pattern, text) is None:
        raise Unwritable(text)
    return text


def _count(text: str) -> int:
    if (number := int(matched("[0-9]{1,9}", text))) == 0:
        raise Unwritable(text)
    return number


def _counts(text: str) -> tuple[int, ...]:
    numbers = tuple(_count(part) for part in text.split(","))
    if len(numbers) > 10:
        raise Unwritable(text)
    return numbers


def _colours(text: str) -> tuple[str, str]:
    first, _, second = matched(r"[^\s,]{1,40},[^\s,]{1,40}", text).partition(",")
    return first, second


def _name(text: str) -> str:
    if not 0 < len(text) <= 100 or not text.isprintable():
        raise Unwritable(text)
    return text


def _switch(text: str) -> bool:
    return matched("on|off", text) == "on"


def _joined(values: tuple[object, ...]) -> str:
    return ",".join(map(str, values))


Count: TypeAlias = Annotated[int, Form("a whole number, 1 or more", _count, str)]
Counts: TypeAlias = Annotated[tuple[int, ...], Form('whole numbers, such as "2" or "3,4"', _counts, _joined)]
Switch: TypeAlias = Annotated[
    bool, Form("one of on, off", _switch, lambda on: "on" if on else "off", words=("on", "off"))
]
Colours: TypeAlias = Annotated[
    tuple[str, str], Form('two colours, such as "red,blue"', _colours, _joined, strict="[a-z]+,[a-z]+")
]
Name: TypeAlias = Annotated[
    str, Form("a name (a letter first, then letters, digits, - and _)", _name, str, strict=r"[^\W\d_][\w-]*")
]


# ---- money


def _amount(text: str) -> int:
    return cents(matched(r"[0-9]{1,15}(\.[0-9]{1,2})?", text))


def _amounts(text: str) -> tuple[int, ...]:
    return tuple(_amount(part) for part in text.split(","))


def _two_amounts(text: str) -> tuple[int, int]:
    first, second = _amounts(text)
    return first, second


def _written_amounts(amounts: tuple[int, ...]) -> str:
    return ",".join(map(short, amounts))


def _reckoned(amount: int) -> str:
    return "" if amount <= MOST_CENTS else "is more than a table can reckon with"


def _more_than_nothing(amount: int) -> str:
    return _reckoned(amount) if amount > 0 else "must be more than nothing"


def _each(amounts: tuple[int, ...]) -> str:
    return next((why for amount in amounts if (why := _more_than_nothing(amount))), "")


MONEY: Final = Form('an amount of dollars, such as "10" or "2.50"', _amount, short)
MoneyOrNothing: TypeAlias = Annotated[int, MONEY, Bound(_reckoned)]  # cents
Money: TypeAlias = Annotated[int, MONEY, Bound(_more_than_nothing)]
Amounts: TypeAlias = Annotated[
    tuple[int, ...],
    Form('one amount of dollars or more, such as "5,10"', _amounts, _written_amounts),
    Bound(_each),
]
TwoAmounts: TypeAlias = Annotated[
    tuple[int, int], Form('two amounts of dollars, such as "10,20"', _two_amounts, _written_amounts), Bound(_each)
]


# ---- shares and times


def millionths(text: str) -> int:
    """Returns a percentage as millionths of the whole.

    >>> millionths("57.22%"), millionths("5%")
    (572200, 50000)
    """
    whole, _, part = matched(r"[0-9]{1,4}(\.[0-9]{1,4})?%?", text).rstrip("%").partition(".")
    return int(whole) * 10_000 + int(part.ljust(4, "0"))


def percent(share: int, decimals: int = 0) -> str:
    """Writes millionths of the whole as a percentage, with so many decimals or as many as it needs.

    >>> percent(572200), percent(50000), percent(25000), percent(100000, 2)
    ('57.22%', '5%', '2.5%', '10.00%')
    """
    whole, part = divmod(share, 10_000)
    digits = f"{part:04}".rstrip("0").ljust(decimals, "0")
    return f"{whole}.{digits}%" if digits else f"{whole}%"


def milliseconds(text: str) -> int:
    """Returns the milliseconds of a time that is written with its units.

    >>> milliseconds("1m30s"), milliseconds("500ms")
    (90000, 500)
    """
    match = _DURATION.fullmatch(text)
    if match is None:
        raise Unwritable(text)
    hours, minutes, seconds, millis = (int(part or 0) for part in match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis


def units(duration: int) -> list[tuple[int, str]]:
    """Returns a time taken apart, the largest unit first; what is nothing is left out.

    >>> units(90_000)
    [(1, 'm'), (30, 's')]
    """
    parts = []
    for size, unit in ((3_600_000, "h"), (60_000, "m"), (1000, "s"), (1, "ms")):
        many, duration = divmod(duration, size)
        if many:
            parts.append((many, unit))
    return parts or [(0, "s")]


def written_duration(duration: int) -> str:
    """Returns a time with its units, as `milliseconds` reads it.

    >>> written_duration(90_000), written_duration(0)
    ('1m30s', '0s')
    """
    return "".join(f"{many}{unit}" for many, unit in units(duration))


_DURATION: Final = re.compile(r"(?=[0-9])(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?(?:([0-9]{1,9})ms)?")
Share: TypeAlias = Annotated[  # millionths
    int, Form('a percentage, such as "57.22%"', millionths, lambda share: percent(share, 2), strict="[^%]+%")
]
Duration: TypeAlias = Annotated[  # milliseconds
    int, Form('a time, such as "30s" or "1m30s"', milliseconds, written_duration)
]
