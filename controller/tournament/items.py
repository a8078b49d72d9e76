"""The items of a tournament's terms, each declared once: its name, its kind, its default, its number in each document.

Scripts, terms.toml, refusals, `felt tournament check` and docs/tournaments.md read this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from controller.table.documents import TournamentRules
from controller.table.values import Form, one_of
from controller.tournament import values as v

List: TypeAlias = Literal["", "-", ",", "/"]  # what stands between the parts of a list where it is one text
SWITCH: Final = one_of(("on", "off"))


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One item of the terms."""

    name: str  # as scripts and terms.toml write it
    form: Form[Any]
    vic: str = ""  # its number below "P.4" in the documents of Victoria; "": it is not asked for
    nsw: str = ""  # in document 002
    required: bool = False  # where it has a number
    default: str = ""  # in scripts
    poker_default: str = ""  # in scripts where levels are blinds; "": the same
    absent: str | None = None  # what it means that it is left out; None: there is no value then
    poker_form: Form[Any] | None = None  # where levels are blinds; None: the same
    between: List = ""  # terms.toml may have a list, scripts have this between its parts
    moment: bool = False  # terms.toml has a date and time
    statement: bool = False
    in_file: bool = True
    field: str = ""  # of TournamentTerms; "": its name
    says: str  # what it is, for people

    @property
    def attribute(self) -> str:
        """The field of `TournamentTerms` that holds it."""
        return self.field or self.name.replace("-", "_")

    def number(self, rules: TournamentRules) -> str:
        """Returns the rule of a document that asks for it; "" where none does."""
        below = self.nsw if rules.numbered == "nsw" else self.vic
        return rules.at(f".4{below}") if below else ""

    def form_in(self, rules: TournamentRules) -> Form[Any]:
        """Returns its kind of value in the games of a document."""
        return self.poker_form if rules.blinds and self.poker_form is not None else self.form

    def default_in(self, rules: TournamentRules) -> str:
        """Returns its default in scripts."""
        return self.poker_default if rules.blinds and self.poker_default else self.default

    def absent_in(self, rules: TournamentRules) -> str | None:
        """Returns what it means that it is left out; None where there is no value then."""
        return self.default_in(rules) if self.absent == AS_DEFAULT else self.absent


AS_DEFAULT: Final = "="  # left out, it has its default


def _statement(name: str, vic: str, nsw: str, text: str, says: str, required: bool = True) -> Item:
    return Item(
        name=name,
        form=v.STATEMENT,
        vic=vic,
        nsw=nsw,
        required=required,
        default=text,
        absent=None,
        statement=True,
        says=says,
    )


def _optional(name: str, vic: str, nsw: str, text: str, says: str) -> Item:
    return _statement(name, vic, nsw, text, says, required=False)


ITEMS: Final[tuple[Item, ...]] = (
    Item(
        name="gates",
        form=one_of(("auto", "manual")),
        default="auto",
        absent="manual",
        in_file=False,
        says="`auto`: published, advised and briefed without a key",
    ),
    # ---- .4.1 details
    Item(
        name="when",
        form=v.FROM_NOW,
        vic=".1(a)(i)",
        nsw=".1(b)",
        required=True,
        default="0s",
        moment=True,
        says="when it starts, at the earliest",
    ),
    Item(name="fee", form=v.AMOUNT, vic=".1(a)(ii)", nsw=".1(b)(i)", default="10", absent="0", says="the entry fee"),
    Item(
        name="buy-in",
        form=v.AMOUNT,
        vic=".1(a)(ii)",
        nsw=".1(b)(i)",
        default="100",
        absent="0",
        says="what a person pays for the first bank",
    ),
    Item(
        name="rebuy",
        form=v.PRICE,
        vic=".1(a)(ii)",
        nsw=".1(b)(i)",
        default=v.BUY_IN,
        says="the price of a re-buy; needed where `rebuys` are offered",
    ),
    Item(
        name="add-on",
        form=v.PRICE,
        vic=".1(a)(ii)",
        nsw=".1(b)(i)",
        default=v.BUY_IN,
        says="the price of an add-on; needed where `add-ons` are offered",
    ),
    Item(
        name="players",
        form=v.SPAN,
        vic=".1(a)(iii)",
        nsw=".1(b)(ii)",
        required=True,
        default="2-100",
        between="-",
        says="the least and the most number of players",
    ),
    _statement("location", ".1(a)(iv)", ".1(b)(iii)", "The gaming floor.", "where it is"),
    _statement(
        "start-may-change",
        ".1(b)",
        ".1(b)(iv)",
        "The Director may alter starting times on reasonable notice.",
        "starting times may change",
    ),
    _statement(
        "changes-notified", ".1(c)", "", "The regulator is notified of changes.", "the regulator hears of changes"
    ),
    # ---- .4.2 conditions of entry
    _statement(
        "acceptance", ".2(a)(i)", ".2(a)(i)", "Taking part is accepting these terms.", "taking part is accepting"
    ),
    _statement(
        "eligible",
        ".2(a)(ii)",
        ".2(a)(ii)",
        "Persons entitled to enter and remain in the casino and gamble.",
        "who may enter",
    ),
    _optional(
        "may-refuse", ".2(a)(iii)", ".2(a)(iii)", "The casino may refuse any application.", "entry may be denied"
    ),
    _optional("criteria", ".2(a)(iv)", ".2(a)(iv)", "None.", "by what entrants are selected"),
    Item(
        name="charity",
        form=SWITCH,
        vic=".2(a)(v)",
        default="off",
        absent="off",
        says="a charitable or media event, in which employees may play; needs `employees`",
    ),
    _optional(
        "employees",
        ".2(a)(v)",
        "",
        "Employees may take part with approval; no employee wins a prize, the next in place does.",
        "on what terms employees play; needed with `charity`",
    ),
    _statement(
        "abide",
        ".2(b)(i)",
        ".2(b)(i)",
        "Players abide by these terms or risk disqualification.",
        "players abide by the terms",
    ),
    _statement("available", ".2(b)(ii)", ".2(b)(ii)", "At the desk.", "where the terms can be read"),
    _optional("signed", ".2(b)(iii)", "", "Players sign a copy of these terms.", "each player signs the terms"),
    _statement("method", ".2(c)", ".2(c)", "In person at the desk.", "how one enters"),
    Item(
        name="withdraw-until",
        form=v.FROM_NOW_OR_START,
        vic=".2(d)",
        nsw=".2(d)",
        required=True,
        default=v.START,
        moment=True,
        says="until when one may withdraw for the whole money; `start`: until it starts",
    ),
    # ---- .4.3 format
    Item(
        name="hands",
        form=v.HANDS,
        vic=".3(a)(i)",
        nsw=".3(a)(i)",
        required=True,
        default="10",
        poker_default=v.UNTIL_ONE,
        says="how long a session lasts: rounds of each table, a time, or `until-one`",
    ),
    Item(
        name="sessions",
        form=v.POSITIVE,
        vic=".3(a)(i)",
        nsw=".3(a)(i)",
        default="1",
        absent="1",
        says="how many sessions there are",
    ),
    Item(
        name="tables",
        form=v.TABLES,
        vic=".3(a)(ii)",
        nsw=".3(a)(ii)",
        required=True,
        default=v.ALL,
        says="how many tables it is played on at least; `all`: those designated",
    ),
    Item(
        name="progress",
        form=v.PROGRESS,
        vic=".3(a)(iii)",
        nsw=".3(a)(iii)",
        default="none",
        absent="none",
        says="how many of each table go on to the next session; needed where there is one",
    ),
    Item(
        name="banks",
        form=one_of(("fresh", "carried")),
        vic=".3(a)(iii)",
        nsw=".3(a)(iii)",
        default="fresh",
        absent=AS_DEFAULT,
        says="with what bank the next session begins",
    ),
    Item(
        name="rebuys",
        form=v.COUNT,
        vic=".3(a)(iv)",
        nsw=".3(a)(iv)",
        default="0",
        absent="0",
        says="how often a person may buy back",
    ),
    Item(
        name="rebuy-until",
        form=v.POSITIVE,
        vic=".3(a)(iv)",
        nsw=".3(a)(iv)",
        default="1",
        absent="1",
        says="the last level in which one may buy back",
    ),
    Item(
        name="add-ons",
        form=v.COUNT,
        vic=".1(a)(ii)",
        nsw=".1(b)(i)",
        default="0",
        absent="0",
        says="how often a person may add on",
    ),
    Item(
        name="add-on-until",
        form=v.POSITIVE,
        vic=".1(a)(ii)",
        nsw=".1(b)(i)",
        default="1",
        absent="1",
        says="the last level in which one may add on",
    ),
    _optional(
        "repechage",
        ".3(a)(v)",
        ".3(a)(v)",
        "The Director may determine if there will be a repechage.",
        "how one qualifies for a repechage",
    ),
    Item(
        name="bank",
        form=v.POSITIVE_AMOUNT,
        vic=".3(b)",
        nsw=".3(b)",
        required=True,
        default="1000",
        says="the starting bank of everybody",
    ),
    Item(
        name="chips-after",
        form=one_of(("void", "cash")),
        vic=".3(c)",
        nsw=".3(c)",
        default="void",
        absent="void",
        says="what becomes of the chips; `cash`: the bank is paid besides the prize",
    ),
    # ---- .4.4 wagers
    Item(
        name="chips",
        form=v.STATEMENT,
        vic=".4(a)",
        nsw=".4(a)",
        required=True,
        default="tournament",
        says="the kind of chips, never cash chips",
    ),
    Item(
        name="levels",
        form=v.LIMITS,
        poker_form=v.BLINDS,
        vic=".4(b)",
        nsw=".4(b)",
        default="10-500",
        poker_default="5,10",
        absent=AS_DEFAULT,
        between="/",
        says="the least and the most wager of each level; in poker the blinds",
    ),
    Item(
        name="level-every",
        form=v.EVERY,
        vic=".4(b)",
        nsw=".4(b)",
        default="none",
        absent="none",
        says="how long a level lasts: rounds of the table, or a time",
    ),
    Item(
        name="secret",
        form=v.COUNT,
        vic=".4(c)",
        nsw=".4(c)",
        default="0",
        absent="0",
        says="how many secret wagers a person has in a session",
    ),
    Item(
        name="all-in",
        form=v.COUNT,
        vic=".4(d)",
        nsw=".4(e)",
        default="0",
        absent="0",
        says="how many all-in markers a person has in a session",
    ),
    Item(
        name="pass",
        field="passes",
        form=v.COUNT,
        vic=".4(e)",
        nsw=".4(d)",
        default="0",
        absent="0",
        says="how many pass markers a person has in a session",
    ),
    Item(
        name="re-buy",
        field="re_buys",
        form=v.COUNT,
        vic=".4(f)",
        nsw=".4(e)",
        default="0",
        absent="0",
        says="how many re-buy markers a person has in a session",
    ),
    # ---- .4.5 to .4.7 elimination, winners, prizes
    Item(
        name="eliminate",
        form=one_of(("zero", "below-min")),
        vic=".5(a)",
        nsw=".5(a)",
        required=True,
        default="below-min",
        poker_default="zero",
        says="who is out when a round ends: with no bank, or with less than the level's least",
    ),
    Item(
        name="winners",
        form=one_of(("bank",)),
        vic=".6(a)",
        nsw=".6(a)",
        required=True,
        default="bank",
        says="by what winners are determined",
    ),
    Item(
        name="pool",
        form=v.POOL,
        vic=".7(a)",
        nsw=".7(a)",
        required=True,
        default=v.BUY_INS,
        says="the prize pool: `buy-ins` with re-buys and add-ons, a part of them, or an amount",
    ),
    Item(
        name="shares",
        form=v.SHARES,
        vic=".7(b)",
        nsw=".7(b)",
        required=True,
        default="100%",
        between=",",
        says="what each place gets of the pool",
    ),
    # ---- .4.8 conduct of play
    Item(
        name="penalties",
        form=v.PENALTIES,
        vic=".8(a)(i)",
        nsw=".8(a)(i)",
        required=True,
        default="warning,chips",
        between=",",
        says="how a player may be penalised",
    ),
    _statement(
        "disqualification",
        ".8(a)(ii)",
        ".8(a)(ii)",
        "Cheating, abuse, breach of these terms.",
        "for what a player is disqualified",
    ),
    Item(
        name="substitute",
        form=one_of(("before-start", "always", "never")),
        vic=".8(a)(iii)",
        nsw=".8(a)(iii)",
        required=True,
        default="before-start",
        says="when a player may nominate a substitute",
    ),
    Item(
        name="refund",
        form=v.PART,
        vic=".8(a)(iv)",
        nsw=".8(a)(iv)",
        required=True,
        default="0%",
        says="how much of fee and buy-in who withdraws later gets back",
    ),
    _statement("late", ".8(b)(i)", ".8(b)(i)", "As absence.", "what late arrival brings"),
    Item(
        name="absence",
        form=one_of(("forfeit", "nothing")),
        vic=".8(b)(ii)",
        nsw=".8(b)(ii)",
        required=True,
        default="forfeit",
        says="what absence brings; `forfeit`: the compulsory wager leaves the bank",
    ),
    _statement("phone", ".8(b)(iii)", ".8(b)(iii)", "Warning, then a penalty.", "what using a phone brings"),
    _statement(
        "substituted", ".8(b)(iv)", ".8(b)(iv)", "Takes over bank and place.", "what nominating a substitute brings"
    ),
    _statement(
        "disqualified",
        ".8(b)(v)",
        ".8(b)(v)",
        "Chips leave play; no place, prize or refund.",
        "what disqualification brings",
    ),
    _statement(
        "retired",
        ".8(b)(vi)",
        ".8(b)(vi)",
        "Chips leave play; placed as if eliminated then.",
        "what retirement brings",
    ),
    _statement(
        "rules-prevail", ".8(c)", ".8(c)", "If inconsistent, the rules of the game prevail.", "the rules prevail"
    ),
    _statement(
        "early-end", ".8(d)", ".8(d)", "If those who progress are determined.", "when a table may end before its time"
    ),
    _statement("privacy", ".8(e)", ".8(e)", "By the casino's privacy policy.", "how personal information is handled"),
    _statement(
        "publicity", ".8(f)", ".8(f)", "With permission, names and pictures may be used.", "how names may be used"
    ),
    _statement("conducted", ".8(g)", "", "By the Director by these terms and the rules.", "who conducts it by what"),
    _statement("dispute", ".8(h)", ".8(g)", "The Director's decision is final.", "who decides disputes"),
    _statement("liability", ".8(i)", ".8(h)", "Excluded as far as the law permits.", "what the casino is liable for"),
    _statement("complaint", ".8(j)", ".8(g)", "The regulator investigates complaints.", "who investigates complaints"),
)

BY_NAME: Final[Mapping[str, Item]] = {item.name: item for item in ITEMS}
MARKERS: Final = ("all-in", "pass", "re-buy")


def items_in_file() -> tuple[Item, ...]:
    """Returns the items that terms.toml may have."""
    return tuple(item for item in ITEMS if item.in_file)
