"""Makes the records of rounds by following the facts: the same in the daemon, over a journal's file and in tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.cards import UNREAD
from controller.games import find
from controller.money import cents, dollars
from controller.table.deck_book import ByWhom
from controller.table.effects import DisputeIs, LinesSettled
from controller.table.facts import AnyFact
from controller.table.rules import Rules
from controller.table.state import Dispute, Line, Round, Table
from controller.table.telling import Hands, InWords, Lying, Settlement
from controller.views.cards import judged, public, seen
from controller.views.deck_words import deck_name, doing_words
from controller.views.fact_text import tell
from controller.views.meters import amount as exact
from controller.views.moments import iso
from controller.views.record import (
    FORGOTTEN,
    Called,
    Card,
    CardsDoing,
    Correction,
    Disputed,
    Hand,
    Irregular,
    Meter,
    Moment,
    Paid,
    Pot,
    Prize,
    RoundRecord,
    Ruling,
    Shared,
    Step,
    Summary,
    Wager,
    Who,
)
from controller.views.round_notes import Amended, Happened, Noted, RoundNotes
from controller.views.rounds import in_order

NOTHING: Final = Lying()


class LaterLines(msgspec.Struct, frozen=True):
    """What came of an earlier round when another one had begun: a prize that was confirmed, a dispute."""

    number: int
    at: Moment
    lines: tuple[Line, ...] = ()
    dispute: Dispute | None = None


News: TypeAlias = RoundRecord | LaterLines
OnDefect: TypeAlias = Callable[[int, Exception], None]


def _silent(number: int, bug: Exception) -> None:
    """Tells nobody."""


class Recorder:
    """Follows the facts of one table; what it hands out is whole when the round is over, and again when it changes."""

    def __init__(self, table: str = "", on_defect: OnDefect = _silent) -> None:
        self._table = table
        self._on_defect = on_defect
        self._notes: RoundNotes | None = None  # on the round that runs, or that was the last one
        self._number = 0
        self._lying = NOTHING  # the cards as they lay when the round ended, or lie now
        self._ended: tuple[Moment, int] | None = None  # and the table's own time
        self._now: Happened | None = None

    def follow(self, happened: Happened) -> list[News]:
        """Follows one fact; returns the records that are new or have changed."""
        self._now = happened
        try:
            return self._follow(happened)
        except Exception as bug:  # one round that cannot be told must not keep the others from being told
            self._on_defect(self._number, bug)
            self._notes = None
            return []

    def running(self) -> RoundRecord | None:
        """Returns the round that runs, as far as it got; None between rounds."""
        if self._notes is None or self._ended is not None or self._now is None:
            return None
        return self._record(self._notes, self._now.after)

    def _follow(self, happened: Happened) -> list[News]:
        before, after = happened.before.round, happened.after.round
        news: list[News] = []
        if after is None or (self._notes is not None and after.opened != self._notes.opened.seq):
            if self._notes is not None and self._ended is None:
                news.append(self._forgotten(self._notes, happened))
            self._notes = None
        news += self._later(happened)
        if after is None:
            return news
        if self._notes is None and after.opened == happened.seq:
            self._notes, self._number, self._ended = RoundNotes(happened), after.number, None
        if self._notes is None:
            return news  # a round of which the beginning is not known
        if self._ended is None:
            self._lying = self._notes.follow(happened, find(happened.after.game))
            if after.outcome:
                self._ended = (happened.moment, happened.after.now)
                self._notes.shown = _shown(self._notes, happened.after)
                news.append(self._record(self._notes, happened.after))
        elif before is not None and _books(before) != _books(after):
            self._notes.note_books(happened, after)
            self._notes.note_step(happened, find(happened.after.game))
            news.append(self._record(self._notes, happened.after))
        return news

    def _forgotten(self, notes: RoundNotes, happened: Happened) -> RoundRecord:
        """Returns a round that has no outcome: another configuration began, or its first fact was struck out."""
        notes.note_end(happened, find(happened.after.game))
        record = self._record(notes, happened.before)
        return replace(record, outcome=FORGOTTEN, ended=happened.moment)

    def _later(self, happened: Happened) -> list[News]:
        r, out = happened.after.round, list[News]()
        number, opened = (r.number, r.opened) if r is not None else (0, 0)
        for effect in happened.effects:
            if isinstance(effect, LinesSettled) and effect.round != number:
                out.append(LaterLines(effect.round, happened.moment, effect.lines))
            elif isinstance(effect, DisputeIs) and effect.dispute.opened != opened:
                out.append(LaterLines(effect.dispute.round, happened.moment, dispute=effect.dispute))
        return out

    def _record(self, notes: RoundNotes, table: Table) -> RoundRecord:
        r, rules = table.round, find(table.game)
        assert r is not None
        ended, now = self._ended if self._ended is not None else (None, table.now)
        record = RoundRecord(
            number=r.number,
            table=self._table,
            game=table.game,
            title=rules.title,
            called=Called(rules.called.place, rules.called.round),
            options=dict(table.options),
            opened=notes.opened,
            ended=ended,
            lasted=(now - notes.began) // 1000,
            outcome=r.outcome or "open",
            rule=r.rule,
            dealer=notes.dealer,
            tournament=notes.tournament,
            **_course(notes, table),
            **_shoe(notes, rules),
            **self._contents(notes, table, r, rules),
            last=notes.last,
        )
        return replace(record, irregular=_irregular(record))

    def _contents(self, notes: RoundNotes, table: Table, r: Round, rules: Rules) -> dict[str, Any]:
        try:
            cards = seen(self._lying)
            settled, words = rules.settled(table, r), rules.in_words(table, r, cards)
            return _contents(notes, table, r, settled, words) | _cards(notes, self._lying, cards, words)
        except Exception as bug:  # a round that was struck out because its books cannot be read
            self._on_defect(r.number, bug)
            return {}


def _books(r: Round) -> tuple[object, ...]:
    counted = len(r.lines), len(r.rulings), r.disputes
    return r.outcome, r.rule, *counted, r.meter_settled, r.meter_after, r.prizes, r.award


# ---- the parts


def _cards(notes: RoundNotes, lying: Lying, cards: Hands, words: InWords) -> dict[str, Any]:
    hands = []
    for place in in_order(cards):
        named = [(n, card) for n, card in enumerate(cards[place], 1) if (place, n) in notes.cards]
        dealt = tuple(Card(card, *notes.cards[place, n]) for n, card in named)
        hand = Hand(place, dealt, words.names.get(place, ""))
        if place == "dealer" and hand.name and lying.verdict is not None:
            hand = replace(hand, qualifies=lying.verdict.qualifies, rule=lying.verdict.rule)
        hands.append(hand)
    return {"hands": tuple(hands), "burned": tuple(burn.card if burn.shown else UNREAD for burn in lying.burns)}


def _contents(notes: RoundNotes, table: Table, r: Round, settled: Settlement, words: InWords) -> dict[str, Any]:
    wagers = (
        Wager(place, spot, dollars(amount), at, (place, spot) in r.tokens)
        for (place, spot), (amount, at) in notes.wagers.items()
    )
    shared = settled.shared
    return {
        "wagers": tuple(wagers),
        "decisions": tuple(sorted(notes.decisions.values(), key=lambda decision: decision.at.seq)),
        "settlement": tuple(_paid(r, line, pays) for line, pays in zip(settled.lines, words.pays, strict=True)),
        "shared": None
        if shared is None
        else Shared(
            tuple(Pot(dollars(pot.amount), pot.eligible, _amounts(pot.won)) for pot in shared.pots),
            dollars(shared.rake),
            _amounts(shared.returned),
            _amounts(shared.net),
            _amounts(shared.began),
            shared.button,
            dollars(shared.dead) if shared.dead else "",
        ),
        "meter": _meter(table, r),
    }


def _paid(r: Round, line: Line, pays: str) -> Paid:
    return Paid(
        line.place,
        line.spot,
        dollars(line.stake),
        line.result,
        dollars(line.net),
        line.rule,
        _for_prize([prize.hand for prize in r.prizes if prize.place == line.place]) if line.prize else pays,
        dollars(line.surplus) if line.surplus else "",
        line.token,
        dollars(line.prize) if line.prize else "",
    )


def _for_prize(hands: list[str]) -> str:
    return f"{hands[0]} wins the prize" if hands else "wins the prize"


def _amounts(by_place: Mapping[str, int]) -> dict[str, str]:
    return {place: dollars(amount) for place, amount in by_place.items()}


def _meter(table: Table, r: Round) -> Meter | None:
    if table.options.typed.terms is None:
        return None
    after = table.jackpot.meter if r.meter_after is None else r.meter_after
    settled = after if r.meter_settled is None else r.meter_settled
    prizes = tuple(Prize(prize.place, prize.hand, dollars(prize.cents), prize.rule) for prize in r.prizes)
    return Meter(exact(r.meter_before), exact(settled), exact(after), prizes)


def _course(notes: RoundNotes, table: Table) -> dict[str, Any]:
    """Returns what happened one after the other, with the cards that are public as the round lies there now."""
    shown = _shown(notes, table) if notes.shown is None else notes.shown
    assert table.round is not None
    times = {noted.at.seq: noted.at for noted in notes.steps}
    return {
        "steps": tuple(_step(noted, shown.get(noted.at.seq, ())) for noted in notes.steps),
        "left_out": notes.left_out,
        "rulings": tuple(
            Ruling(times.get(ruled.seq, notes.opened), ruled.ruling, ruled.text, ruled.rule, notes.rulings[ruled])
            for ruled in table.round.rulings
            if ruled in notes.rulings
        ),
        "corrections": tuple(_correction(amended, shown) for amended in notes.corrections),
        "troubles": notes.troubles,
        "disputes": tuple(map(_disputed, table.round.disputes)),
        "clock": tuple(notes.clock),
        "unconfirmed": notes.unconfirmed,
    }


def _shoe(notes: RoundNotes, rules: Rules) -> dict[str, Any]:
    """Returns which decks the round was dealt from, and what was done with their cards."""
    book = notes.decks
    spoken = any(doing.what != "shuffled" or doing.by.role or doing.by.device for doing in book.story)
    story = (CardsDoing(_moment(x.by), doing_words(x, rules), Who(x.by.role, x.by.person)) for x in book.story)
    named = tuple(deck_name(deck) for deck in book.dealt if deck.serial)
    return {"shoe": tuple(story) if spoken else (), "decks": named}


def _moment(by: ByWhom) -> Moment:
    return Moment(by.seq, iso(by.at))


def _shown(notes: RoundNotes, table: Table) -> dict[int, set[int]]:
    """Returns which cards of the facts are public as the round lies there; what cannot be judged stays hidden."""
    shown: dict[int, set[int]] = {}
    for seq, number in judged(notes.with_cards.items(), table, find(table.game)) if notes.with_cards else ():
        shown.setdefault(seq, set()).add(number)
    return shown


def _step(noted: Noted, shown: Collection[int]) -> Step:
    return Step(
        noted.at,
        tell(public(noted.fact, shown)),
        noted.device,
        noted.by,
        noted.refused,
        noted.prompts,
        noted.rulings,
        noted.settled,
        noted.waits,
    )


def _correction(amended: Amended, shown: Mapping[int, Collection[int]]) -> Correction:
    made = amended.correction
    was, now = shown.get(made.target, ()), shown.get(made.at.seq, ())
    return replace(made, was=_fact_text(amended.was, was), now=_fact_text(amended.now, now))


def _fact_text(fact: AnyFact | None, shown: Collection[int]) -> str:
    return "" if fact is None else tell(public(fact, shown))


def _disputed(dispute: Dispute) -> Disputed:
    decided = Moment(dispute.decided, iso(dispute.decided_at)) if dispute.decision else None
    return Disputed(
        dispute.number,
        Moment(dispute.seq, iso(dispute.at)),
        dispute.place,
        dispute.what,
        Who(dispute.role, dispute.name),
        dispute.decision,
        decided,
        Who(dispute.decided_role, dispute.decided_name) if decided is not None else Who(),
    )


def _irregular(record: RoundRecord) -> tuple[Irregular, ...]:
    """Returns in which ways a round was not a plain one."""
    kinds: dict[Irregular, bool] = {
        "misdeal": record.outcome == "misdeal",
        "void": record.outcome == "void",
        "ruling": bool(record.rulings),
        "correction": bool(record.corrections),
        "hold": any(trouble.kind == "hold" for trouble in record.troubles),
        "fault": any(trouble.kind == "fault" for trouble in record.troubles),
        "dispute": bool(record.disputes),
    }
    return tuple(kind for kind, so in kinds.items() if so)


# ---- afterwards


def renewed(record: RoundRecord, later: LaterLines) -> RoundRecord:
    """Returns the record of an earlier round with wagers that were settled after it, or with a dispute about it."""
    if later.dispute is not None:
        return _with_dispute(record, later.dispute, later.at)
    hands = {} if record.meter is None else {prize.place: prize.hand for prize in record.meter.prizes}
    new = {line.at: line for line in later.lines}
    settlement = tuple(
        _again(new.pop((paid.place, paid.spot)), hands) if (paid.place, paid.spot) in new else paid
        for paid in record.settlement
    )
    added = tuple(_again(line, hands) for line in new.values())
    called = record.called.place
    text = ", ".join(f"{called} {line.place}: {line.spot} {line.result} {dollars(line.net)}" for line in later.lines)
    step = Step(later.at, f"settled afterwards: {text}")
    return replace(
        record, settlement=settlement + added, steps=(*record.steps, step), last=max(record.last, later.at.seq)
    )


def _with_dispute(record: RoundRecord, dispute: Dispute, at: Moment) -> RoundRecord:
    """Returns the record with a dispute; as it is where the dispute is about another round of that number."""
    if dispute.opened != record.opened.seq:
        return record
    others = tuple(each for each in record.disputes if each.number != dispute.number)
    course = f"decided: {dispute.decision}" if dispute.decision else f"noted: {dispute.what or 'unsaid'}"
    who = (dispute.decided_role, dispute.decided_name) if dispute.decision else (dispute.role, dispute.name)
    step = Step(at, f"dispute {dispute.number} about {record.called.place} {dispute.place}, {course}", by=Who(*who))
    new = replace(record, disputes=(*others, _disputed(dispute)), steps=(*record.steps, step))
    return replace(new, irregular=_irregular(new), last=max(record.last, at.seq))


def _again(line: Line, hands: Mapping[str, str]) -> Paid:
    pays = _for_prize([hands[line.place]] if line.place in hands else []) if line.prize else ""
    prize = dollars(line.prize) if line.prize else ""
    stake, net = dollars(line.stake), dollars(line.net)
    return Paid(line.place, line.spot, stake, line.result, net, line.rule, pays, token=line.token, prize=prize)


def summary(record: RoundRecord) -> Summary:
    """Returns a round as a list has it."""
    lines = record.settlement
    staked = sum(cents(paid.stake) for paid in lines)
    net = sum(cents(paid.net) for paid in lines)
    if record.shared is not None:
        staked += sum(cents(pot.amount) for pot in record.shared.pots)
        net += sum(map(cents, record.shared.net.values()))
    return Summary(
        number=record.number,
        game=record.game,
        opened=record.opened,
        ended=record.ended,
        lasted=record.lasted,
        outcome=record.outcome,
        rule=record.rule,
        places=record.places,
        staked=dollars(staked),
        net=dollars(net),
        irregular=record.irregular,
    )
