"""Options of a table: one struct per game says which there are, what they are inside, and what bounds them.

`table.toml`, scripts, the keys `set` and `notice`, the engine, the sign and the manual all read that struct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Self, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from controller.cards import DECK
from controller.jackpot.linking import System
from controller.jackpot.rules import Jurisdiction, Terms
from controller.rules import Cited, Objection, first_of
from controller.table.pace import LONGEST, Phase
from controller.table.takes import TakesOption
from controller.table.values import MONEY, NONE, Bound, Count, Duration, Form, Money, Unwritable, nearest, one_of

Shoe: TypeAlias = Literal["hand", "shuffler", "csm", "batch"]  # batch: a machine shuffles, a hand shoe gives out
Method: TypeAlias = Literal["A", "B"]
MACHINES: Final[tuple[Shoe, ...]] = ("shuffler", "csm")


class Options(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """The options of every table.

    A field `ante_bonus` is the option `ante-bonus`; an unset one is not on the sign.

    What a table asks of games that have no such option stands below as a property, and a game with the option has a
    field of that name.
    """

    seats: Annotated[Count, "betting areas on the layout"] = 9
    min: Annotated[Money, "the lowest wager"] = 5_00
    max: Annotated[Money, "the highest wager"] = 500_00
    chip: Annotated[Money, "the smallest chip"] = 1_00
    gates: Annotated[
        Literal["auto", "manual"], "`manual`: checking, shuffling and cutting are pressed on the console"
    ] = "auto"
    pace_dealing: Annotated[
        Duration | UnsetType | None,
        "the longest that dealing may take in a plain round without an alert; unset: `5m`; `none`: any time",
    ] = UNSET
    pace_decisions: Annotated[
        Duration | UnsetType | None, "the same of the decisions of all players together; unset: `15m`"
    ] = UNSET
    pace_settlement: Annotated[Duration | UnsetType | None, "the same of the settlement; unset: `5m`"] = UNSET

    @property
    def longest(self) -> Mapping[Phase, int]:
        """The longest time of each part of a round, in milliseconds; of those that have none nothing."""
        chosen: dict[Phase, int | UnsetType | None] = {
            "dealing": self.pace_dealing,
            "decisions": self.pace_decisions,
            "settlement": self.pace_settlement,
        }
        times = {phase: LONGEST[phase] if time is UNSET else time for phase, time in chosen.items()}
        return {phase: time for phase, time in times.items() if time is not None}

    @property
    def least(self) -> Mapping[str, int]:
        """The least with which somebody can take part, by the options that say it: none is raised unannounced."""
        return {"min": self.min}

    def raised_from(self, before: Options) -> set[str]:
        """Returns which options ask for more of a player than those before them.

        >>> Options(min=25_00).raised_from(Options()), Options().raised_from(Options(min=25_00))
        ({'min'}, set())
        """
        return {option for option, least in self.least.items() if least > before.least.get(option, least)}

    @property
    def decks(self) -> int:
        """How many decks are in play."""
        return 1

    @property
    def takes(self) -> TakesOption | UnsetType:
        """Whether takes and pays are compared with the sensors; they are not unless somebody says so."""
        return UNSET

    @property
    def deck_backs(self) -> tuple[str, ...]:
        """The backs of every deck that is here at one time; "" where the options do not say the colour."""
        return ("",) * self.decks

    @property
    def shoe(self) -> Shoe:
        """What shuffles and gives out the cards."""
        return "hand"

    @property
    def machine(self) -> bool:
        """Whether a shuffling machine gives out the cards, in sets."""
        return self.shoe in MACHINES

    @property
    def burn(self) -> bool:
        """Whether burn cards leave the shoe and are read."""
        return False

    @property
    def payout_limit(self) -> int | None:
        """The most that a line marked so is paid; None when there is no such limit."""
        return None

    @property
    def approved_least(self) -> int:
        """The minimum below which nobody's limits may go, whatever is agreed; 0 where none was approved apart."""
        return 0

    @property
    def players_per_area(self) -> int:
        """How many people may wager on one area."""
        return 1

    @property
    def action_button(self) -> int | None:
        """Where the deal of the first round begins; None where no button says so."""
        return None

    @property
    def method(self) -> Method | Literal[""]:
        """Which of a document's methods is played; "" where it has only one."""
        return ""

    @property
    def jackpot(self) -> Jurisdiction | None:
        """By which document a Jackpot is offered; None when none is."""
        return None

    @property
    def terms(self) -> Terms | None:
        """What the Jackpot is played by; None when none is offered, or the table is in no system."""
        return None

    @property
    def group(self) -> str:
        """The prize meter system that the table shares; "" for one of its own, or none."""
        return ""

    def objections(self, house: Mapping[str, str]) -> Iterator[Objection]:
        """Yields what the rules have against these options together, on a floor that has agreed to `house`."""
        yield from ()

    def jackpot_objections(self, game: str, systems: Mapping[str, System]) -> Iterator[Objection]:
        """Yields what the rules have against this Jackpot, beside these systems of other tables."""
        yield from ()

    def slips(self) -> Iterator[Objection]:
        """Yields what no rule forbids and yet nobody means.

        It is told of table.toml alone: a journal that has such a thing is read as ever.
        """
        if self.chip > self.max:
            yield Objection(("chip", "max"), Cited("", "the smallest chip is above the maximum"))
        if self.seats > (cards := self.decks * len(DECK)):
            text = f"not every place would get a card: there are {cards} in play"
            yield Objection(("seats", "decks"), Cited("", text))

    def forbidden(self, house: Mapping[str, str]) -> Cited | None:
        """Returns the first thing that the rules have against these options together; None when nothing."""
        return first_of(self.objections(house))

    def jackpot_forbidden(self, game: str, systems: Mapping[str, System]) -> Cited | None:
        """Returns the first thing that the rules have against this Jackpot; None when nothing."""
        return first_of(self.jackpot_objections(game, systems))

    def misprinted(self) -> str:
        """Returns why the document does not print the Jackpot's option and reset together; "" when it does.

        >>> Options().misprinted()
        ''
        """
        return ""

    def reprinted(self) -> Self:
        """Returns the same options with the rate that the document prints for the Jackpot's option and reset."""
        return self


T = TypeVar("T", bound=Options)


class OfJackpot:
    """Stands beside the type of an option that is about the Jackpot."""


class Field(msgspec.Struct, frozen=True):
    """One option as its struct declares it."""

    name: str  # as people write it
    attribute: str
    form: Form[Any]
    optional: bool  # "none" is a value
    bounds: tuple[Bound, ...]
    default: object  # UNSET: it is not on the sign until somebody sets it
    meaning: str
    of_jackpot: bool  # it is about the Jackpot

    @property
    def money(self) -> bool:
        """Whether its value is an amount of money."""
        return self.form is MONEY

    def read(self, text: str, strictly: bool = False) -> object:
        """Returns the value that this text means; raises Unwritable.

        `strictly`: as people write it, where journals have more freedom.
        """
        return None if self.optional and text == NONE else self.form.read(text, self.optional, strictly)

    def write(self, value: object) -> str:
        """Returns the one text for a value, so that two of them compare."""
        return NONE if value is None else self.form.write(value)

    def meant(self, text: str, strictly: bool = False) -> Value | OptionProblem:
        """Returns what this text means as its value, or what is wrong with it."""
        try:
            value = self.read(text, strictly)
        except Unwritable as wrong:
            return OptionProblem(self.name, str(wrong))
        for bound in self.bounds:
            if (value is not None or bound.rule) and (why := bound.check(value)):
                return OptionProblem(self.name, why, bound.rule, bound=True)
        return Value(value)


class OptionProblem(msgspec.Struct, frozen=True):
    """Why an option cannot be set so."""

    option: str
    text: str
    rule: str = ""  # of the document; "": the option does not exist or its value cannot be read
    bound: bool = False  # the value can be read and is out of bounds

    def __str__(self) -> str:
        return self.text if self.rule else f"{self.option}: {self.text}"


@cache
def fields(kind: type[Options]) -> Mapping[str, Field]:
    """Returns the options of a game by their names, in the order in which they are declared."""
    hints = hints_of(kind)
    return {one.encode_name: field_of(one, hints) for one in msgspec.structs.fields(kind)}


def hints_of(kind: type[Options]) -> list[dict[str, Any]]:
    """Returns what a struct of options declares of each field, and then what those above it do."""
    return [get_type_hints(base, include_extras=True) for base in kind.__mro__ if issubclass(base, Options)]


def field_of(one: msgspec.structs.FieldInfo, hints: list[dict[str, Any]]) -> Field:
    """Returns one option; TypeError when its declaration does not say what kind of value it has."""
    metadata, optional = _unfolded(hints[0][one.name])
    form = next((each for each in metadata if isinstance(each, Form)), None)
    if form is None:
        raise TypeError("does not say what kind of value it has, such as Annotated[str, one_of(...)]")
    # A game that binds an option more closely does not explain it again.
    beside = [each for hint in hints for each in _unfolded(hint.get(one.name, str))[0]]
    return Field(
        name=one.encode_name,
        attribute=one.name,
        form=form,
        optional=optional,
        bounds=tuple(each for each in metadata if isinstance(each, Bound)),
        default=one.default,
        meaning=next((each for each in beside if isinstance(each, str)), ""),
        of_jackpot=OfJackpot in beside,
    )


@cache
def jackpot_options(kind: type[Options]) -> frozenset[str]:
    """Returns the options of a game that are about its Jackpot."""
    return frozenset(field.name for field in fields(kind).values() if field.of_jackpot)


def _unfolded(hint: Any) -> tuple[list[object], bool]:
    """Returns all that stands beside a type in `Annotated`, in unions too, and whether None is one of its values."""
    if get_origin(hint) is Annotated:
        inner, *beside = get_args(hint)
        metadata, optional = _unfolded(inner)
        return [*metadata, *beside], optional
    if get_origin(hint) is Literal:
        return [one_of(get_args(hint))], False
    if get_origin(hint) in (Union, UnionType):
        parts = get_args(hint)
        metadata = [each for part in parts if part not in (NoneType, UnsetType) for each in _unfolded(part)[0]]
        return metadata, NoneType in parts
    return [], False


# ---- reading


def read(kind: type[T], text: Mapping[str, str]) -> T | list[OptionProblem]:
    """Returns the options that these texts mean, or every mistake in them; what is not there has its default."""
    values: dict[str, Any] = {}
    problems = []
    for name, value in text.items():
        meant = read_one(kind, name, value)
        if isinstance(meant, OptionProblem):
            problems.append(meant)
        else:
            values[fields(kind)[name].attribute] = meant.value
    return problems or kind(**values)


class Value(msgspec.Struct, frozen=True):
    """What the text of one option means."""

    value: Any


def read_one(kind: type[Options], name: str, text: str, strictly: bool = False) -> Value | OptionProblem:
    """Returns what this text means as the value of this option, or what is wrong with it."""
    field = fields(kind).get(name)
    if field is None:
        near = nearest(name, tuple(fields(kind)))
        hint = f'did you mean "{near}"?' if near else f"known are {', '.join(sorted(fields(kind)))}"
        return OptionProblem(name, f"there is no such option at this table: {hint}")
    return field.meant(text, strictly)


# ---- writing


def written(kind: type[Options], name: str, text: str) -> str:
    """Returns the same value in the one way to write it; text that is no value stays as it is.

    >>> written(Options, "min", "25.00")
    '25'
    """
    meant = read_one(kind, name, text)
    return text if isinstance(meant, OptionProblem) else fields(kind)[name].write(meant.value)


def texts(options: Options) -> dict[str, str]:
    """Returns every option that is set, in the one way to write it."""
    values = ((field, getattr(options, field.attribute)) for field in fields(type(options)).values())
    return {field.name: field.write(value) for field, value in values if value is not UNSET}


def defaults(kind: type[Options]) -> dict[str, str]:
    """Returns what a table of this game is set to unless somebody says otherwise."""
    return texts(kind())


def altered(options: T, wanted: Mapping[str, str]) -> T | list[OptionProblem]:
    """Returns these options with some of them set otherwise, or every mistake in that."""
    return read(type(options), {**texts(options), **wanted})


def demanded(options: T, wanted: Mapping[str, str]) -> T:
    """Returns these options with some of them set to what was read before; raises Unwritable for anything else."""
    after = altered(options, wanted)
    if isinstance(after, list):
        raise Unwritable("; ".join(map(str, after)))
    return after


# ---- what is in force


class Chosen(Mapping[str, str]):
    """The options that are in force: what they mean, and their texts, which snapshots keep.  Never changes."""

    __slots__ = ("_text", "_typed")

    def __init__(self, typed: Options) -> None:
        self._typed: Options | None = typed
        self._text = texts(typed)

    @classmethod
    def kept(cls, text: Mapping[str, str]) -> Self:
        """Returns options from the texts of a snapshot.

        They mean nothing before `read_as` says of which game they are.
        """
        chosen = cls.__new__(cls)
        chosen._typed, chosen._text = None, dict(text)
        return chosen

    def read_as(self, kind: type[T]) -> T:
        """Reads the texts of a snapshot as options of this game, and returns them; raises Unwritable."""
        typed = read(kind, self._text)
        if isinstance(typed, list):
            raise Unwritable("; ".join(map(str, typed)))
        self._typed = typed
        return typed

    @property
    def typed(self) -> Options:
        """What the options mean."""
        if self._typed is None:
            raise LookupError("these options come from a snapshot, and nobody has said of which game they are")
        return self._typed

    def of(self, kind: type[T]) -> T:
        """Returns what the options mean at a table of this kind."""
        typed = self.typed
        if not isinstance(typed, kind):
            raise TypeError(f"these are {type(typed).__name__}, not {kind.__name__}")
        return typed

    def __getitem__(self, name: str) -> str:
        return self._text[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._text)

    def __len__(self) -> int:
        return len(self._text)

    def __repr__(self) -> str:
        return f"Chosen({self._text!r})"


NOTHING_CHOSEN: Final = Chosen.kept({})  # before a table starts; the one that is not written into snapshots
NOTHING_CHOSEN.read_as(Options)
