"""The terms of a tournament: read from the items of a script or of terms.toml, with every mistake told at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from controller.counts import many
from controller.table.documents import TournamentRules
from controller.table.values import Unwritable, nearest
from controller.tournament.items import BY_NAME, ITEMS, MARKERS, Item
from controller.tournament.values import WHOLE, Length, Level, Portion, Span

Mistake: TypeAlias = Literal["unknown", "unreadable", "missing", "refused"]
CASH: Final = ("cash", "cash chips")  # what no tournament is played with


class TournamentTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What a tournament is played by; money in cents, times in milliseconds, shares in millionths."""

    gates: Literal["auto", "manual"]
    when: int  # since 1970
    fee: int
    buy_in: int
    rebuy: int
    add_on: int
    players: Span
    charity: bool
    withdraw_until: int | None  # since 1970; None: until it starts
    hands: Length  # neither rounds nor a time: until one is left
    sessions: int
    tables: int | None  # None: all that are designated
    progress: int | None
    banks: Literal["fresh", "carried"]
    rebuys: int
    rebuy_until: int
    add_ons: int
    add_on_until: int
    bank: int
    chips_after: Literal["void", "cash"]
    chips: str
    levels: tuple[Level, ...]
    level_every: Length  # neither rounds nor a time: the director says
    secret: int
    all_in: int
    passes: int
    re_buys: int
    eliminate: Literal["zero", "below-min"]
    winners: Literal["bank"]
    pool: Portion
    shares: tuple[Portion, ...]
    penalties: tuple[Literal["warning", "chips"], ...]
    substitute: Literal["before-start", "always", "never"]
    refund: int
    absence: Literal["forfeit", "nothing"]
    # statements; "": left out
    location: str
    start_may_change: str
    changes_notified: str
    acceptance: str
    eligible: str
    may_refuse: str
    criteria: str
    employees: str
    abide: str
    available: str
    signed: str
    method: str
    repechage: str
    disqualification: str
    late: str
    phone: str
    substituted: str
    disqualified: str
    retired: str
    rules_prevail: str
    early_end: str
    privacy: str
    publicity: str
    conducted: str
    dispute: str
    liability: str
    complaint: str


class TermsProblem(msgspec.Struct, frozen=True):
    """One thing that is wrong with terms: the item, what is wrong, and the rule that asks for it, if one does."""

    item: str
    kind: Mistake
    text: str
    rule: str = ""

    def __str__(self) -> str:
        cited = f" (rule {self.rule})" if self.rule else ""
        return f"{self.item}: {self.text}{cited}"


class TermsSheet(msgspec.Struct, frozen=True):
    """The items of some terms as they were written; an item that is in neither is left out."""

    texts: dict[str, str] = {}
    moments: dict[str, int] = {}  # dates and times, in milliseconds since 1970


def defaults(rules: TournamentRules) -> TermsSheet:
    """Returns the terms of a script that says nothing of them: everything is there, every statement too."""
    return TermsSheet({item.name: item.default_in(rules) for item in ITEMS})


def scripted(
    rules: TournamentRules, items: Mapping[str, str], without: Collection[str], base: TermsSheet
) -> TermsSheet:
    """Returns a sheet with these items changed and those left out.

    The dates of a file mean nothing in a script: they count as the defaults.
    """
    undated = {name: BY_NAME[name].default_in(rules) for name in base.moments}
    fixed = {item.name: item.default_in(rules) for item in ITEMS if not item.in_file}
    texts = {**fixed, **base.texts, **undated, **items}
    return TermsSheet({name: text for name, text in texts.items() if name not in without})


def read_items(
    rules: TournamentRules,
    items: Mapping[str, str],
    without: tuple[str, ...] = (),
    base: TermsSheet | None = None,
    now: int = 0,
) -> TournamentTerms | tuple[TermsProblem, ...]:
    """Returns the terms of a script, or everything that is wrong with them.

    `base` is what terms.toml has, or else the defaults; `now` is when the script says so.
    """
    sheet = scripted(rules, items, without, defaults(rules) if base is None else base)
    terms = read(rules, sheet, now)
    left_out = tuple(_unknown(name) for name in without if name not in BY_NAME)
    if isinstance(terms, TournamentTerms):
        return left_out or terms
    return (*left_out, *terms)


def read(rules: TournamentRules, sheet: TermsSheet, now: int = 0) -> TournamentTerms | tuple[TermsProblem, ...]:
    """Returns the terms that a sheet means, or everything that is wrong with it (2.1); times are counted from `now`."""
    problems = [_unknown(name) for name in (*sheet.texts, *sheet.moments) if name not in BY_NAME]
    values: dict[str, Any] = {}
    unread = set[str]()
    for item in ITEMS:
        try:
            values[item.attribute] = _value(rules, item, sheet, now)
        except Unwritable as wrong:
            unread.add(item.name)
            problems.append(TermsProblem(item.name, "unreadable", str(wrong), item.number(rules)))
    problems += _missing(rules, sheet)
    problems += (each for each in _refused(rules, values) if each.item not in unread)
    problems += (each for each in _needed(rules, sheet, values) if each.item not in unread)
    if problems:
        return tuple(sorted(problems, key=_place))
    return _terms(values)


def _terms(values: dict[str, Any]) -> TournamentTerms:
    """Returns the terms of values that are all there, each of its kind."""
    buy_in = values["buy_in"]
    prices = {name: buy_in if values[name] is None else values[name] for name in ("rebuy", "add_on")}
    return TournamentTerms(**{**values, **prices, "charity": values["charity"] == "on"})


def _value(rules: TournamentRules, item: Item, sheet: TermsSheet, now: int) -> object:
    """Returns what an item means; None where it is left out and has no value then; raises Unwritable."""
    if item.moment and item.name in sheet.moments:
        return sheet.moments[item.name]
    text = sheet.texts.get(item.name, item.absent_in(rules))
    if text is None:
        return "" if item.statement else None
    value = item.form_in(rules).read(text)
    return now + value if item.moment and value is not None else value


def _place(problem: TermsProblem) -> tuple[int, str]:
    """Returns what sorts problems in the order of the documents; what no document knows comes first."""
    names = list(BY_NAME)
    return (names.index(problem.item) if problem.item in BY_NAME else -1, problem.item)


def _unknown(name: str) -> TermsProblem:
    near = nearest(name, tuple(BY_NAME))
    hint = f'did you mean "{near}"?' if near else "docs/tournaments.md has all of them"
    return TermsProblem(name, "unknown", f"terms have no such item: {hint}")


def _missing(rules: TournamentRules, sheet: TermsSheet) -> Iterator[TermsProblem]:
    """Yields the items that a document asks for and that are not there."""
    for item in ITEMS:
        rule = item.number(rules)
        given = item.name in sheet.texts or item.name in sheet.moments
        if item.required and rule and not given:
            yield TermsProblem(item.name, "missing", f"is missing: {item.says}", rule)


def _needed(rules: TournamentRules, sheet: TermsSheet, values: Mapping[str, Any]) -> Iterator[TermsProblem]:
    """Yields the items that others of these terms need, and that are not there."""
    lacking = {
        "rebuy": values.get("rebuys") and "rebuy" not in sheet.texts,
        "add-on": values.get("add_ons") and "add-on" not in sheet.texts,
        "progress": values.get("sessions", 1) > 1 and values.get("progress") is None,
        "employees": values.get("charity") == "on" and not values.get("employees"),
    }
    for name, lacks in lacking.items():
        item = BY_NAME[name]
        rule = item.number(rules)
        if lacks and rule:
            yield TermsProblem(name, "missing", f"is missing: {item.says}", rule)


def _refused(rules: TournamentRules, values: Mapping[str, Any]) -> Iterator[TermsProblem]:
    """Yields what can be read and may not be."""
    if str(values.get("chips")).strip().lower() in CASH:
        text = "a tournament is not played with cash chips"
        yield TermsProblem("chips", "refused", text, BY_NAME["chips"].number(rules))
    for name in MARKERS:
        item = BY_NAME[name]
        if values.get(item.attribute) and not rules.markers:
            yield TermsProblem(name, "refused", "this document knows no markers", rules.at(".4.4"))


# ---- what surprises


def surprises(rules: TournamentRules, terms: TournamentTerms) -> Iterator[TermsProblem]:
    """Yields what no rule forbids and yet few mean; such terms can be used."""
    if terms.bank < terms.levels[0].low:
        yield _surprise("bank", "is below the least wager of the first level: nobody could play")
    for name, until in (("rebuy-until", terms.rebuy_until), ("add-on-until", terms.add_on_until)):
        if until > len(terms.levels):
            are = "is" if len(terms.levels) == 1 else "are"
            yield _surprise(name, f"there {are} only {many(len(terms.levels), 'level')}")
    if terms.withdraw_until is not None and terms.withdraw_until > terms.when:
        yield _surprise("withdraw-until", "is later than the start, after which nobody can withdraw")
    if terms.pool == Portion():
        yield _surprise("pool", "is nothing: nobody wins a prize")
    if _distributes_less(terms):
        yield _surprise("shares", "come to less than 100%: nobody gets the rest of the pool")
    if terms.secret and rules.blinds:
        yield _surprise("secret", "the betting rules of this game prevail: there are no secret wagers in it")
    if len(terms.levels) > 1 and terms.level_every == Length():
        yield _surprise("level-every", "is missing: the director changes every level by hand")
    if terms.players.most < len(terms.shares):
        yield _surprise("shares", f"there are more of them than players: at most {terms.players.most} play")


def _distributes_less(terms: TournamentTerms) -> bool:
    """Tells whether shares are percentages alone and leave a part of the pool to nobody."""
    return all(share.part for share in terms.shares) and sum(share.part for share in terms.shares) < WHOLE


def _surprise(item: str, text: str) -> TermsProblem:
    return TermsProblem(item, "refused", text)
