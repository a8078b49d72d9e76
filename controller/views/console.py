"""The dealer's console as a picture: what is due, who decides what, what is wrong and how it is cleared, the keys.

Every answer is a key with the words that come with it, ready to be pressed; where words are missing, whoever presses it
is asked for them.  Nothing here tells a card.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, Final, TypeAlias

import msgspec

from controller.money import cents, on_sign, short
from controller.places import is_area, order
from controller.rules import RANKS, Cited, Role, spoken_role
from controller.table import holds
from controller.table.declare import Argument, Form, Key, Manner, Words
from controller.table.keys import find_key, keys_of
from controller.table.options import fields
from controller.table.requests import Choice
from controller.table.rules import Rules
from controller.table.state import Held, Table, round_runs
from controller.table.view import gate
from controller.tournament.designating import MANAGER, TOURNAMENT, plain_name
from controller.tournament.play import play_in
from controller.views.cards_line import CardsPart, cards_line
from controller.views.device_words import fault_step, sentence
from controller.views.felt_words import spot_label
from controller.views.keys import wagers_taken
from controller.views.keys_tried import KeyTried, keys_tried, shown_keys
from controller.views.presenter import presenter
from controller.views.status import GATES
from controller.views.together import NO_TRUNKS, Trunks
from controller.views.troubles import Concern, Severity, troubles
from controller.views.words import phase, waiting

Json: TypeAlias = dict[str, Any]
CHECK: Final = "Check that cards and chips lie as the felt page shows them."
BY_ITSELF: Final = "This message goes when the device is well again; nothing has to be pressed."
_TOTALS: Final = ("bet", "raise")  # acts that come with an amount


class ConsolePart(msgspec.Struct, frozen=True):
    """The base of what the console shows."""


class KindShown(ConsolePart, frozen=True):
    """One kind of word that may come with a key; `fixed`: this very word."""

    name: str
    written: str
    fixed: bool


class ArgumentShown(ConsolePart, frozen=True):
    """What may stand at one point after a key."""

    kinds: list[KindShown]
    optional: bool
    many: bool


class KeyShown(ConsolePart, frozen=True):
    """A key as it is declared."""

    key: str
    label: str
    says: str
    manner: Manner
    final: bool
    forms: list[list[ArgumentShown]]


class OptionShown(ConsolePart, frozen=True):
    """An option that can be changed: what it means now, and all that it can be where that is little."""

    name: str
    value: str
    meaning: str
    words: list[str]
    role: Role


class Declared(ConsolePart, frozen=True):
    """What does not change while a game is on the table."""

    keys: list[KeyShown]
    spots: list[str]
    shared: list[str]  # where cards lie that are no player's
    ranks: dict[str, str]  # roles that press keys, the lowest first, as people say them


class KeyAnswer(ConsolePart, frozen=True):
    """A key that answers what the table asks, with its words; `least` and `most` bound the amount that is missing."""

    key: str
    args: Words
    label: str
    role: Role
    whole: bool  # nothing else comes with it
    least: str = ""
    most: str = ""


class DecisionDue(ConsolePart, frozen=True):
    """Somebody decides: what the console can say for them, and what they do with chips."""

    place: str
    label: str
    rule: str
    chips: str
    answers: list[KeyAnswer]


class Matter(ConsolePart, frozen=True):
    """Something that is wrong, or asked: in words, what to do step by step, and the keys that clear it."""

    severity: Severity
    title: str
    text: str
    rule: str
    steps: list[str]
    answers: list[KeyAnswer]


class GateNow(ConsolePart, frozen=True):
    """Whether chips or cards may come."""

    name: str
    open: bool


class ConsolePicture(ConsolePart, frozen=True):
    """The console at one look."""

    title: str
    place_called: str
    round_called: str
    open: bool
    stopped: bool
    number: int
    phase: str
    gates: list[GateNow]
    waiting: list[Cited]
    matters: list[Matter]
    decisions: list[DecisionDue]
    keys: list[KeyTried]
    places: list[str]
    used: list[str]  # places where somebody sits or something lies
    options: list[OptionShown]
    codes: list[str]  # by which a held table is freed
    cards: list[CardsPart]


def declared(table: Table, rules: Rules) -> Declared:
    """Returns the keys of a table with these rules, and what else does not change."""
    wagers = wagers_taken(table, rules)
    keys = [
        KeyShown(
            key.name,
            label(key.name),
            key.says_with(wagers).replace("`", ""),
            key.manner,
            key.final,
            [_form(form, wagers) for form in key.forms],
        )
        for key in shown_keys(table, rules, wagers)
    ]
    return Declared(keys, list(rules.spots), list(rules.shared), {rank: spoken_role(rank) for rank in RANKS})


def _form(form: Form, wagers: Container[str]) -> list[ArgumentShown]:
    """Returns what may come with a key, without words that mean nothing where only these wagers are taken."""
    shown = (_argument(argument, wagers) for argument in form)
    return [argument for argument in shown if argument.kinds]


def _argument(argument: Argument, wagers: Container[str]) -> ArgumentShown:
    kinds = [KindShown(kind.name, kind.written, kind.fixed) for kind in argument.taking(wagers).kinds]
    return ArgumentShown(kinds, argument.optional, argument.many)


def label(name: str) -> str:
    """Returns a key as it is printed.

    >>> label("no-more-bets")
    'No more bets'
    """
    return name.replace("-", " ").capitalize()


def console(
    table: Table, rules: Rules, stopped: str = "", trunks: Trunks = NO_TRUNKS, offset: int = 0
) -> ConsolePicture:
    """Returns the picture of the console; `stopped`: why nothing can be recorded, or followed, in words.

    `trunks`: what the devices share on their way; `offset`: seconds from UTC to the clock on the wall.
    """
    now = [] if stopped else keys_tried(table, rules)
    by_name = {each.key: each for each in now}
    called = rules.called.place
    wagers = table.round.wagers if table.round is not None else {}
    return ConsolePicture(
        title=rules.title,
        place_called=called,
        round_called=rules.called.round,
        open=table.open and not stopped,
        stopped=bool(stopped),
        number=table.number,
        phase="out of service" if stopped else phase(table, rules),
        gates=[GateNow(name, not stopped and gate(table, rules, name).open) for name in GATES],
        waiting=[] if stopped else _waits(table, rules),
        matters=[
            _matter(table, rules, concern, by_name, held)
            for concern, held in _concerns(table, troubles(table, rules, stopped, trunks, offset, fault_step))
        ],
        decisions=[] if stopped or table.holds or table.talk else list(_decisions(table, rules, by_name)),
        keys=now,
        places=[str(n) for n in range(1, table.options.typed.seats + 1)],
        used=sorted({*table.seats, *(place for place, _ in wagers)}, key=order),
        options=_options(table, rules),
        codes=sorted({held.code for held in table.holds.values()}),
        cards=cards_line(table, rules, offset),
    )


def _waits(table: Table, rules: Rules) -> list[Cited]:
    """Returns what is due; what is asked, or holds the table, is told among the matters."""
    if table.open and table.holds:
        return [Cited("", "A supervisor frees the table.")]
    if table.open and table.talk is not None:
        return [Cited("", "The question below waits for an answer.")]
    return [Cited(each.rule, sentence(each.text)) for each in waiting(table, rules)]


# ---- what is wrong, or asked


def _concerns(table: Table, every: list[Concern]) -> Iterator[tuple[Concern, Held | None]]:
    """Yields what is wrong or asked, with the hold that it is about."""
    held = iter(table.holds.values())
    for concern in every:
        yield concern, next(held) if concern.severity == "held" else None


def _matter(table: Table, rules: Rules, concern: Concern, now: dict[str, KeyTried], held: Held | None) -> Matter:
    steps = list(_steps(concern, held, rules, round_runs(table)))
    answers = list(_answers(table, rules, concern, held, now)) if now else []
    return Matter(concern.severity, _title(concern, rules), concern.text, concern.rule, steps, answers)


def _title(concern: Concern, rules: Rules) -> str:
    word = {"stopped": "Out of service", "held": "Held", "question": "Question", "fault": "Fault", "told": "Note"}
    place = concern.place
    where = f", {rules.called.place} {place}" if is_area(place) else f", the {place}" if place else ""
    who = f" for the {concern.role.replace('-', ' ')}" if concern.role and concern.role != RANKS[0] else ""
    return f"{word[concern.severity]}{where}{who}"


def _steps(concern: Concern, held: Held | None, rules: Rules, running: bool) -> Iterator[str]:
    """Yields what to do, one thing after the other."""
    if held is not None:
        yield f"The {spoken_role(holds.FREED_BY)} signs in here or at the console."
        yield CHECK
        yield "All is right: press resume." + (f" Else void the {rules.called.round}." if running else "")
        return
    if concern.step:
        yield concern.step
    if concern.severity == "fault":
        yield BY_ITSELF


def _answers(
    table: Table, rules: Rules, concern: Concern, held: Held | None, now: dict[str, KeyTried]
) -> Iterator[KeyAnswer]:
    for word in concern.offers:
        key = _offered(rules, word)
        if key is None or (held is not None and word == "void" and not round_runs(table)):
            continue
        args: Words = ()
        if held is not None:
            args = (held.code,) if word == "resume" else ()
        elif _begins_with_place(key, concern.place):
            args = (concern.place,) if word == key.name else (concern.place, word)
        yield answer(key, args, now)


def _offered(rules: Rules, word: str) -> Key | None:
    """Returns the key that a prompt offers by this word: its name, or what comes with it; None for chips on a spot."""
    by_name = find_key(rules, word)
    return by_name or next((key for key in keys_of(rules) if key.by_word and word in _fixed_words(key)), None)


def _fixed_words(key: Key) -> set[str]:
    return {kind.name for form in key.forms for argument in form for kind in argument.kinds if kind.fixed}


def _begins_with_place(key: Key, place: str) -> bool:
    """Tells whether a key is about a place first, whatever comes after it."""
    kinds = (form[0].kind_of(place) for form in key.forms if form)
    return bool(place) and any(kind is not None and "place" in kind.pattern.groupindex for kind in kinds)


def answer(
    key: Key, args: Words, now: dict[str, KeyTried], least: int = 0, most: int = 0, words: str = ""
) -> KeyAnswer:
    """Returns a key that answers something, printed with its words, or as `words` say."""
    shown = now.get(key.name)
    whole = not key.misfit(args)
    printed = words or " ".join((label(key.name), *(args if whole and key.places(args) else ())))
    bounds = (short(least), short(most)) if most else ("", "")
    role = shown.role if shown is not None else RANKS[0]
    return KeyAnswer(key.name, args, printed, role, whole, *bounds)


# ---- who decides what


def _decisions(table: Table, rules: Rules, now: dict[str, KeyTried]) -> Iterator[DecisionDue]:
    place_label = f"{rules.called.place.capitalize()} {{}}".format
    act = find_key(rules, "act")
    if not round_runs(table):
        for place, amount in list(presenter(rules).posts(table).items())[:1]:  # whoever begins
            if act is not None and table.open:
                yield DecisionDue(place, place_label(place), "", "", [_post(place, amount, act, now)])
        return
    for request in rules.waiting(table):
        if isinstance(request, Choice):
            yield DecisionDue(
                request.place, place_label(request.place), request.rule, _chips(request), _by_key(request, rules, now)
            )
    turn = _turn(table, rules)
    if turn is not None and act is not None:
        yield DecisionDue(turn["seat"], place_label(turn["seat"]), "", "", list(_acts(turn, act, rules, now)))


def _chips(choice: Choice) -> str:
    """Returns what the player puts down instead of saying a word; "" where only words decide.

    >>> _chips(Choice("7.5.2", "2", (), "play", 1000)), _chips(Choice("7.5.2", "2", ()))
    ('or puts $10 on play', '')
    """
    if not choice.spot:
        return ""
    spot = spot_label(choice.spot)
    amounts = " or ".join(on_sign(amount) for amount in dict.fromkeys((choice.amount, *choice.amounts)) if amount)
    return f"or puts {amounts} on {spot}" if amounts else f"or puts chips on {spot}"


def _by_key(choice: Choice, rules: Rules, now: dict[str, KeyTried]) -> list[KeyAnswer]:
    words = [(find_key(rules, decision.key), decision) for decision in choice.words]
    return [
        answer(key, (choice.place, *decision.args), now, words=label(decision.text))
        for key, decision in words
        if key is not None
    ]


def _turn(table: Table, rules: Rules) -> Json | None:
    room = presenter(rules).room(table, rules)
    hand = room["hand"] if room is not None else None
    return hand["turn"] if hand is not None else None


def _post(place: str, amount: int, act: Key, now: dict[str, KeyTried]) -> KeyAnswer:
    return answer(act, (place, "post", short(amount)), now, words=f"Post {on_sign(amount)}")


def _acts(turn: Json, act: Key, rules: Rules, now: dict[str, KeyTried]) -> Iterator[KeyAnswer]:
    """Yields what the player in turn may do, with what it costs."""
    seat, amount = turn["seat"], cents(turn["amount"])
    for word in turn["offers"]:
        key = find_key(rules, word)
        if word == "post":
            yield _post(seat, amount, act, now)
        elif word in _TOTALS and turn["raise"] is not None:
            least, most = cents(turn["raise"]["least"]), cents(turn["raise"]["most"])
            words = f"{label(word)}{' to' if word == 'raise' else ''} {on_sign(least)} - {on_sign(most)}"
            yield answer(act, (seat, word), now, least, most, words)
        elif key is not None:
            yield answer(key, (seat,), now, words=label(word))
        else:
            costs = f" {on_sign(amount)}" if word == "call" else ""
            yield answer(act, (seat, word), now, words=f"{label(word)}{costs}")


# ---- options


def _options(table: Table, rules: Rules) -> list[OptionShown]:
    """Returns the options that somebody may change at an open table."""
    known = fields(rules.options)
    powers = rules.document.powers.settings
    values = table.options
    jackpot = values.typed.jackpot is not None
    changed = [
        OptionShown(name, values.get(name, ""), known[name].meaning, list(known[name].form.words), powers[name].role)
        for name in known
        if name in powers and (jackpot or not known[name].of_jackpot)
    ]
    return [*changed, *_tournament(table, rules)]


def _tournament(table: Table, rules: Rules) -> Iterator[OptionShown]:
    """Yields the tournament that a table is in, where the document knows some: it is set like an option."""
    own = play_in(table)
    name = plain_name(own.latest.tournament) if own is not None else ""
    if rules.document.tournaments is not None:
        yield OptionShown(TOURNAMENT, name, "the tournament that is played here; none: cash games again", [], MANAGER)
