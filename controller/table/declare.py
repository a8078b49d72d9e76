"""How a key of the console is declared: its words, who may press it, what it says to people.

A declaration is the only place that knows these things.  The table, the roles, the testers' language, `felt config
check`, the views that withhold cards and docs/keys.md all read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from controller.cards import RANKS, SUITS, veiled
from controller.places import SHARED, Place
from controller.rules import Rank
from controller.table.documents import CAUSES, Power, Powers
from controller.table.state import Table

Words: TypeAlias = tuple[str, ...]
Manner: TypeAlias = Literal["reports", "asks", "plays"]
Given: TypeAlias = Callable[[Powers], Power | None]  # None: the document does not say
Needs: TypeAlias = Callable[[Powers, Table, Words], tuple[Power | None, ...]]
H = TypeVar("H")
P = TypeVar("P", bound=Powers)

_LONGEST: Final = 2000  # characters of everything that comes with a key
_REPEATED: Final = 80  # characters that a refusal repeats
_REMEMBERED: Final = 128  # ways to press a key: which keys are lit is asked over and over, always in the same words


# ---- what may follow a key


class WordKind(msgspec.Struct, frozen=True):
    """One kind of word: its name, how people write it, and what such a word looks like.

    A group `place` in the pattern is the place that the word names.
    """

    name: str
    pattern: re.Pattern[str]
    written: str
    fixed: bool = False  # this very word
    cards: bool = False  # it names cards, which may be hidden
    wager: str = ""  # the spot without which it means nothing


class Argument(msgspec.Struct, frozen=True):
    """What may stand at one point after a key: a word of one of these kinds."""

    kinds: tuple[WordKind, ...]
    optional: bool = False
    many: bool = False

    def __or__(self, other: Argument) -> Argument:
        return Argument(self.kinds + other.kinds)

    @property
    def written(self) -> str:
        """How people write it.

        >>> optional(NTH | word("all")).written, many(SETTING).written
        ('[N|all]', 'option=value ...')
        """
        text = "|".join(kind.written for kind in self.kinds) + (" ..." if self.many else "")
        return f"[{text}]" if self.optional else text

    def taking(self, wagers: Container[str]) -> Argument:
        """Returns the same without words that mean nothing where only these wagers are taken.

        >>> with_wager("jackpot", word("close-jackpot")).taking(["war"]).kinds
        ()
        """
        return replace(self, kinds=tuple(kind for kind in self.kinds if not kind.wager or kind.wager in wagers))

    def kind_of(self, text: str) -> WordKind | None:
        """Returns the kind that a word is of; None when it does not fit here."""
        return next((kind for kind in self.kinds if kind.pattern.fullmatch(text)), None)


Form: TypeAlias = tuple[Argument, ...]


def optional(argument: Argument) -> Argument:
    """Returns the same argument, which may be left out."""
    return replace(argument, optional=True)


def many(argument: Argument) -> Argument:
    """Returns the same argument, once or several times; a fixed word among its kinds stands alone."""
    return replace(argument, many=True)


def word(*words: str) -> Argument:
    """Returns an argument that is one of these very words."""
    return Argument(tuple(WordKind(each, re.compile(re.escape(each)), each, fixed=True) for each in words))


def with_wager(wager: str, argument: Argument) -> Argument:
    """Returns the same argument, which means nothing where no wagers on this spot are taken."""
    return replace(argument, kinds=tuple(replace(each, wager=wager) for each in argument.kinds))


def kind(name: str, pattern: str, written: str = "", *, cards: bool = False) -> Argument:
    """Returns an argument that is a word of a new kind; `pattern` is what such a word looks like."""
    return Argument((WordKind(name, re.compile(pattern), written or name, cards=cards),))


# Bounded digits keep a slip of the hand from becoming an endless range or number; the table says which areas it has.
_AREA: Final = r"[1-9][0-9]{0,2}(\.[1-9])?"
_PLACE: Final = rf"(?P<place>{_AREA}|{'|'.join(SHARED)})"
_SEAT: Final = r"[1-9][0-9]{0,2}"
_SEATS: Final = rf"{_SEAT}(-{_SEAT})?"
_CARD: Final = f"[{RANKS}][{SUITS}]"
_NAME: Final = r"[^\W\d_][\w-]{0,99}"
_AMOUNT: Final = r"[0-9]{1,9}(\.[0-9]{1,2})?"

AREA: Final = kind("AREA", rf"(?P<place>{_AREA})")
PLACE: Final = kind("PLACE", _PLACE)
SEAT: Final = kind("SEAT", rf"(?P<place>{_SEAT})")
PLACES: Final = kind("PLACES", rf"{_SEATS}(,{_SEATS})*")
SPOT: Final = kind("SPOT", r"[a-z-]+")
CARD: Final = kind("CARD", _CARD, cards=True)
HAND: Final = kind("HAND", rf"{_PLACE}={_CARD}(,{_CARD})*", "PLACE=CARD,...", cards=True)
COUNT: Final = kind("COUNT", r"[0-9]{1,4}", "N")
NTH: Final = kind("N", r"[1-9][0-9]{0,3}")
AMOUNT: Final = kind("AMOUNT", _AMOUNT)
LIMIT: Final = kind("LIMIT", rf"(min|max)={_AMOUNT}", "min=AMOUNT|max=AMOUNT")
SETTING: Final = kind("SETTING", r"[a-z-]+=\S{1,200}", "option=value")
NAME: Final = kind("NAME", _NAME)
PROMOTION: Final = kind("PROMOTION", _NAME, "NAME")
PATRON: Final = kind("PATRON", _NAME, "NAME")  # who may sit at no table
DISPUTE_NUMBER: Final = kind("DISPUTE", r"[1-9][0-9]{0,3}", "N")
SHARE: Final = kind("SHARE", rf"{_NAME}(=[0-9]{{1,12}}(\.[0-9]{{1,4}})?)?", "NAME[=AMOUNT]")
BADGE: Final = kind("BADGE", r"[0-9A-Za-z][0-9A-Za-z_.:-]{0,63}")
CODE: Final = kind("CODE", r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)*")
PLAYER: Final = kind("PLAYER", rf"player={_NAME}", "player=NAME")
STAKE: Final = kind("STAKE", rf"(stack|add|take)={_AMOUNT}", "stack=AMOUNT|add=AMOUNT|take=AMOUNT")
_OF_A_PLACE: Final = tuple(each.name for argument in (AREA, PLACE, SEAT) for each in argument.kinds)


# ---- whose power it is, as the rule document says; None: it does not say


def among(kind: type[P], power: Callable[[P], Power | None]) -> Given:
    """Returns what finds a power that only documents with this kind of powers give."""
    return lambda powers: power(powers) if isinstance(powers, kind) else None


def for_the_cause(powers: Powers, _: Table, args: Words) -> tuple[Power | None, ...]:
    """Returns the power to invalidate an outcome for this cause."""
    return (powers.invalidate(CAUSES[args[0]]),)


# ---- the declaration


class Key:
    """A key, with all that anybody has to know about it.

    `form`, and each of `also`, are the arguments that it comes with.  `report`: it says what has happened, so it is
    never refused when its words fit.  `plays`: it carries the game on, which a held table does not.  `anyone`: it
    tells of players, so that it does not matter who is signed in.  `proves_cards`: whether it is refused tells of
    cards that lie face down.  `names_cards`: cards may come with it.  `final`: what it does is never taken back, so
    that screens ask once more.  `by_word`:
    prompts offer it by the word behind its place, not only by its name.  `power` finds the power that it takes, `by`
    the powers where its words, or how the table stands, make a difference; `role` is the lowest that has it where
    the rule document names none.  `between`: this report says something between rounds too; others are only noted.
    `besides` is what it says too where wagers on a spot are taken; `wager` is the spot without which it says nothing.
    """

    def __init__(
        self,
        name: str,
        *form: Argument,
        says: str,
        also: tuple[Form, ...] = (),
        report: bool = False,
        plays: bool = False,
        anyone: bool = False,
        proves_cards: bool = False,
        final: bool = False,
        by_word: bool = False,
        power: Given | None = None,
        by: Needs | None = None,
        role: Rank = "dealer",
        between: bool = False,
        besides: Mapping[str, str] | None = None,
        wager: str = "",
    ) -> None:
        self.name: Final = name
        self.forms: Final = (form, *also)
        self.says: Final = says
        self.report: Final = report
        self.plays: Final = plays
        self.anyone: Final = anyone
        self.proves_cards: Final = proves_cards
        self.final: Final = final
        self.by_word: Final = by_word
        self.role: Final = role
        self.between: Final = between
        self.besides: Final = besides or {}
        self.wager: Final = wager
        self._power: Final = power
        self._by: Final = by
        self.names_cards: Final = any(kind.cards for form in self.forms for argument in form for kind in argument.kinds)
        self._kinds: Final = lru_cache(_REMEMBERED)(self._find_kinds)
        for each in self.forms:
            if any(argument.optional or argument.many for argument in each[:-1]):
                raise ValueError(f"{name}: only the last argument may be left out, or come several times")

    def __repr__(self) -> str:
        return f"Key({' or '.join(self.written)!r})"

    @property
    def written(self) -> Words:
        """How people write the key, one text for each form."""
        return tuple(" ".join((self.name, *(argument.written for argument in form))) for form in self.forms)

    def written_with(self, wagers: Container[str]) -> Words:
        """Returns how it is written at a table that takes wagers on these spots.

        >>> fold = Key("fold", AREA, optional(with_wager("pair-plus", word("ante"))), says="")
        >>> fold.written_with(("ante",)), fold.written_with(("ante", "pair-plus"))
        (('fold AREA',), ('fold AREA [ante]',))
        """
        forms = ([argument.taking(wagers) for argument in form] for form in self.forms)
        return tuple(" ".join((self.name, *(each.written for each in form if each.kinds))) for form in forms)

    def says_with(self, wagers: Container[str]) -> str:
        """Returns what it says at a table that takes wagers on these spots.

        >>> fold = Key("fold", AREA, says="the player gives up", besides={"pair-plus": "Pair Plus too"})
        >>> fold.says_with(("ante",)), fold.says_with(("ante", "pair-plus"))
        ('the player gives up', 'the player gives up; Pair Plus too')
        """
        return "; ".join((self.says, *(text for spot, text in self.besides.items() if spot in wagers)))

    @property
    def manner(self) -> Manner:
        """Whether it reports what has happened, asks for something, or asks for the next step of the game."""
        if self.report:
            return "reports"
        return "plays" if self.plays else "asks"

    @property
    def first_words(self) -> Words:
        """The very words that may come first with it, where there are such."""
        form = self.forms[0]
        return tuple(kind.name for kind in form[0].kinds if kind.fixed) if form else ()

    @property
    def changes_options(self) -> bool:
        """Whether options come with it: the powers that it takes are those of the options."""
        return any(kind is SETTING.kinds[0] for form in self.forms for argument in form[:1] for kind in argument.kinds)

    @property
    def powers_by_words(self) -> bool:
        """Whether the powers that it takes depend on the words that come with it."""
        return self._by is not None

    def given(self, powers: Powers) -> Power | None:
        """Returns the power that it takes, whatever comes with it; None where the document gives none."""
        return None if self._power is None else self._power(powers)

    def needs(self, powers: Powers, table: Table, args: Words) -> tuple[Power, ...]:
        """Returns the powers that it takes to press it so; without a rule where the document gives none."""
        needed = (self.given(powers),) if self._by is None else self._by(powers, table, args)
        return tuple(Power(self.role, "") if power is None else power for power in needed)

    def misfit(self, args: Words) -> str:
        """Says what is wrong with the words that came with the key; "" when they fit.

        Cards are not repeated: anybody hears this.

        >>> key = Key("count", COUNT, says="the dealer counted N cards")
        >>> key.misfit(("52",)), key.misfit(("abc",))
        ('', 'count does not come with "abc": write count N (the dealer counted N cards)')
        >>> key.misfit(())
        'count does not come alone: write count N (the dealer counted N cards)'
        """
        text = " ".join(args)
        if len(text) <= _LONGEST and self._kinds(args) is not None:
            return ""
        with_it = f'with "{veiled(text)[:_REPEATED]}"' if args else "alone"
        return f"{self.name} does not come {with_it}: {self.usage}"

    @property
    def usage(self) -> str:
        """How it is written, and what it says then."""
        return f"write {' or '.join(self.written)} ({self.says})"

    def offered_as(self, args: Words) -> frozenset[str]:
        """Returns the words by which prompts offer what it says so.

        >>> Key("act", SEAT, word("fold", "call"), by_word=True, says="").offered_as(("3", "fold")) == {"act", "fold"}
        True
        """
        return frozenset((self.name, *args[1:2])) if self.by_word else frozenset((self.name,))

    def places(self, args: Words) -> Words:
        """Returns the places among the words that fit the key.

        >>> Key("reconstruct", optional(many(HAND)), says="").places(("1=Kh,2d", "dealer=5c"))
        ('1', 'dealer')
        """
        pairs = zip(self._kinds(args) or (), args, strict=True)
        matches = (kind.pattern.fullmatch(arg) for kind, arg in pairs if "place" in kind.pattern.groupindex)
        return tuple(match["place"] for match in matches if match is not None)

    def about(self, args: Words) -> Place:
        """Returns the place that the key is about, which may be a part of the board; "" when it names none.

        >>> key = Key("short", PLACE, optional(NTH), says="")
        >>> key.about(("3.2", "1")), key.about(("flop",)), Key("count", COUNT, says="").about(("52",))
        ('3.2', 'flop', '')
        """
        kinds = self._kinds(args)
        return args[0] if kinds and kinds[0].name in _OF_A_PLACE else ""

    def without_words(self, args: Words) -> str:
        """Returns the key with the place that it is about, and without what else comes with it, such as a card.

        >>> Key("exposed", PLACE, optional(NTH), says="").without_words(("1", "2"))
        'exposed 1'
        """
        return f"{self.name} {self.about(args)}".rstrip()

    def _find_kinds(self, args: Words) -> tuple[WordKind, ...] | None:
        """Returns the kind of every word; None when they do not fit the key."""
        return next((kinds for form in self.forms if (kinds := _kinds(form, args)) is not None), None)


def _kinds(form: Form, args: Words) -> tuple[WordKind, ...] | None:
    """Returns the kind of every word; None when the words do not fit the form."""
    points = _points(form, len(args))
    if points is None:
        return None
    kinds: list[WordKind] = []
    for point, arg in zip(points, args, strict=True):
        kind = point.kind_of(arg)
        if kind is None:
            return None
        if kind.fixed and point.many and points.count(point) > 1:
            return None
        kinds.append(kind)
    return tuple(kinds)


def _points(form: Form, count: int) -> Form | None:
    """Returns the argument at which each of `count` words stands; None when they are too few or too many."""
    if count < sum(not argument.optional for argument in form):
        return None
    if count <= len(form):
        return form[:count]
    if form and form[-1].many:
        return form + form[-1:] * (count - len(form))
    return None


# ---- keys and what they do


def named(keys: tuple[Key, ...], name: str) -> Key | None:
    """Returns the key of this name; None when these have none."""
    return _by_name(keys).get(name)


@lru_cache
def _by_name(keys: tuple[Key, ...]) -> dict[str, Key]:
    return {key.name: key for key in reversed(keys)}  # of two with one name the first counts


def no_key(name: str) -> str:
    """Says that a key does not exist.  Cards are not repeated.

    >>> no_key("jump")
    'there is no key "jump"'
    """
    return f'there is no key "{veiled(name)}"'


def handlers(keys: Iterable[Key], does: Mapping[str, H]) -> dict[str, H]:
    """Returns what each key does; raises when a key does nothing, or something is done for no key."""
    names = [key.name for key in keys]
    idle, undeclared = sorted(set(names) - does.keys()), sorted(does.keys() - set(names))
    if idle or undeclared or len(set(names)) < len(names):
        raise ValueError(f"keys without a handler: {idle}; handlers without a key: {undeclared}; keys: {names}")
    return dict(does)
