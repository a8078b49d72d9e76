"""A round on record in lines that people read, no longer than a terminal is wide: whole, in a list, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any, Final

from controller.cards import UNREAD
from controller.places import shared_place
from controller.rules import by as by_rule
from controller.table.disputes import SAYS
from controller.table.faults import LOST
from controller.views import round_text
from controller.views.changes import in_words
from controller.views.device_words import fault_words
from controller.views.moments import clock, day_and_time, length
from controller.views.record import Correction, Disputed, Hand, RoundRecord, Step, Summary, Trouble, Who

WIDTH: Final = 79
HEADING: Final = ("round", "opened (UTC)", "lasted", "outcome", "places", "staked", "players", "irregular")


# ---- a list


def rows(summaries: Iterable[Summary]) -> Iterator[tuple[str, ...]]:
    """Yields the cells of a list, its heading first; `players`: what the chips of all players changed by."""
    yield HEADING
    for each in summaries:
        yield (
            str(each.number),
            day_and_time(each.opened.at)[2:],
            length(each.lasted),
            each.outcome,
            _short(" ".join(each.places), 9),
            round_text.short(each.staked),
            round_text.signed(each.net),
            _short(" ".join(each.irregular), 14),
        )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 2]}.."


# ---- one round


def lines(record: RoundRecord) -> Iterator[str]:
    """Yields a round as a person would tell it."""
    for line in _lines(record):
        yield from fit(line)


def _lines(record: RoundRecord) -> Iterator[str]:
    outcome = {"open": "is running", "settled": "settled"}.get(record.outcome, record.outcome)
    yield f"{record.called.round} {record.number}: {record.title}, {outcome}{by_rule(record.rule)}"
    yield f"  opened {day_and_time(record.opened.at)} UTC{_end(record)}"
    if record.unconfirmed:
        yield "  its times are not confirmed: no time server kept the clock right"
    if record.dealer:
        yield f"  dealt by {record.dealer}"
    if record.tournament:
        yield f"  a round of the tournament {record.tournament}"
    yield from round_text.lines(view(record))
    if record.burned:
        yield f"  {'burned':<8} {' '.join(record.burned)}"
    yield from ended(record)
    yield from _section("shoe", shoe(record))
    yield from _section("cards", (_dealt(hand, record.called.place) for hand in record.hands))
    yield from _section(
        "decisions", (f"{clock(d.at.at)}  {record.called.place} {d.place} {d.in_words}" for d in record.decisions)
    )
    yield from aside(record)
    yield f"  journal  facts {record.opened.seq} to {record.last}" + (
        f", hash {record.hash[:16]}.." if record.hash else ""
    )


def ended(record: RoundRecord) -> Iterator[str]:
    """Yields what the house and the meter got beside the wagers."""
    if record.shared is not None and record.shared.commission.strip("0."):
        yield f"  {'house':<8} commission {record.shared.commission}"
    if record.shared is not None and record.shared.returned:
        back = ", ".join(
            f"{amount} to {at_place(place, record.called.place)}" for place, amount in record.shared.returned.items()
        )
        yield f"  {'back':<8} {back}"
    if record.meter is not None:
        yield f"  {'meter':<8} {record.meter.before} before, {record.meter.after} after"
        for prize in record.meter.prizes:
            what = f"{record.called.place} {prize.place} wins {prize.amount} with a {prize.hand}"
            yield f"  {'':<8} {what}{by_rule(prize.rule)}"


def shoe(record: RoundRecord) -> Iterator[str]:
    """Yields which decks the round was dealt from, and the story of their cards."""
    if record.decks:
        yield f"dealt from {'; '.join(record.decks)}"
    for doing in record.shoe:
        yield f"{clock(doing.at.at)}  {doing.text}{by(doing.by)}"


def aside(record: RoundRecord) -> Iterator[str]:
    """Yields what was not plain: rulings, corrections, failing devices, holds, steps of the clock."""
    ruled = (f"{clock(r.at.at)}  {r.ruling}: {r.text}{by_rule(r.rule)}{by(r.by)}" for r in record.rulings)
    yield from _section("rulings", ruled)
    yield from _section("corrections", map(correction, record.corrections))
    yield from _section("disputes", (dispute(each, record.called.place) for each in record.disputes))
    yield from _section("trouble", (trouble(each, record.called.place) for each in record.troubles))
    set_ = (f"{clock(step.at.at)}  the clock was set from {step.before} to {step.after}" for step in record.clock)
    yield from _section("clock", set_)


def view(record: RoundRecord) -> dict[str, Any]:
    """Returns the round in the form of the status, which is told the same way."""
    decisions: dict[str, list[str]] = {}
    for decision in record.decisions:
        decisions.setdefault(decision.place, []).append(decision.word)
    against_each_other = record.shared is not None
    return {
        "called": {"place": record.called.place, "round": record.called.round},
        "hands": [_hand(hand) for hand in record.hands],
        "decisions": {} if against_each_other else decisions,
        "wagers": [_wager(paid) for paid in record.settlement],
        **({} if record.shared is None else _shared(record)),
    }


def _hand(hand: Hand) -> dict[str, Any]:
    out: dict[str, Any] = {"place": hand.place, "cards": [card.card for card in hand.cards], "name": hand.name}
    return out if hand.qualifies is None else out | {"qualifies": hand.qualifies, "rule": hand.rule}


def _wager(paid: Any) -> dict[str, str]:
    out = {name: getattr(paid, name) for name in ("place", "spot", "stake", "result", "net", "rule", "pays")}
    return out | ({"surplus": paid.surplus} if paid.surplus else {})


def _shared(record: RoundRecord) -> dict[str, Any]:
    assert record.shared is not None
    pots = [{"amount": pot.amount, "won": pot.won} for pot in record.shared.pots]
    return {"pots": pots, "net": record.shared.net}


def _end(record: RoundRecord) -> str:
    if record.ended is None:
        return ""
    same_day = record.ended.at[:10] == record.opened.at[:10]
    end = clock(record.ended.at).partition(".")[0] if same_day else day_and_time(record.ended.at)
    return f", ended {end}, lasted {length(record.lasted)}"


def _dealt(hand: Hand, called: str) -> str:
    """Returns when the cards of a hand were dealt and turned."""
    first, last = clock(hand.cards[0].dealt.at), clock(hand.cards[-1].dealt.at)
    dealt = f"dealt {first}" + (f" to {last}" if last != first else "")
    turned: dict[str, list[str]] = {}
    for card in hand.cards:
        when = "never turned" if card.turned is None else f"turned {clock(card.turned.at)}"
        turned.setdefault(when, []).append(card.card)
    parts = [f"{' '.join(cards) if UNREAD not in cards else len(cards)} {when}" for when, cards in turned.items()]
    return f"{at_place(hand.place, called)}: {dealt}; {', '.join(parts)}"


def correction(made: Correction) -> str:
    """Returns a correction in words: what was, what is, by whom."""
    change = f"fact {made.target} said: {made.was or '(not known)'}; " + (
        f"now: {made.now}" if made.now else "it is struck out"
    )
    no = "" if made.refused is None else f"; refused: {made.refused.text}{by_rule(made.refused.rule)}"
    return f"{clock(made.at.at)}  {change}{by(made.by)}{no}"


def dispute(noted: Disputed, called: str) -> str:
    """Returns a dispute in words: about what, who noted it, and what was decided by whom."""
    what = f" ({noted.what})" if noted.what else ""
    text = f"{clock(noted.at.at)}  {noted.number}: {at_place(noted.place, called)}{what}{by(noted.by)}"
    if noted.decided is None:
        return f"{text}; open"
    return f"{text}; {clock(noted.decided.at)} {SAYS[noted.decision]}{by(noted.decided_by)}"


def trouble(failure: Trouble, called: str) -> str:
    """Returns a failing device or a hold in words."""
    until = "" if failure.until is None else f", until {clock(failure.until.at)}"
    code = failure.text if failure.code == LOST else failure.code  # a lost device has its code there
    return f"{clock(failure.since.at)}  {_wrong(failure, called)} ({code}){until}"


def _wrong(failure: Trouble, called: str) -> str:
    """Returns what is wrong, with what the device itself or the hold says of it."""
    if failure.kind == "hold":
        return f"the table was held: {failure.device + ': ' if failure.device else ''}{failure.text}"
    words = fault_words(failure.device, failure.code, called)
    return words if failure.code in (LOST, failure.text) else f"{words}: {failure.text}"


def _section(name: str, texts: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        yield f"  {name if not number else '':<11} {text}"


# ---- step by step


def step(fact: Step, number: int, of: int) -> Iterator[str]:
    """Yields one step: what happened, what came of it, what the table then waited for."""
    whence = f" [{fact.device}]" if fact.device else ""
    yield from fit(f"{number:>3}/{of} {clock(fact.at.at)}  {fact.text}{whence}{by(fact.by)}", 21)
    if fact.refused is not None:
        yield from fit(f"{'':<10}refused: {fact.refused.text}{by_rule(fact.refused.rule)}", 12)
    for ruling in fact.rulings:
        yield from fit(f"{'':<10}ruled: {ruling.text}{by_rule(ruling.rule)}", 12)
    for paid in fact.settled:
        yield from fit(f"{'':<10}settled: {paid.text}{by_rule(paid.rule)}", 12)
    for prompt in fact.prompts:
        about = f" about {prompt.place}" if prompt.place else ""
        yield from fit(f"{'':<10}tells {prompt.role}{about}: {prompt.text}{by_rule(prompt.rule)}", 12)
    for due in fact.waits[:1]:
        yield from fit(f"{'':<10}-> {due.text}{by_rule(due.rule)}", 13)


# ---- words


def by(who: Who) -> str:
    """Returns who did it, in brackets; "" when nobody did.

    >>> by(Who("supervisor", "7")), by(Who(account=1000, login="ann")), by(Who())
    (' [supervisor 7]', ' [account 1000 ann]', '')
    """
    account = f"account {who.account} {who.login}".rstrip() if who.account >= 0 else ""
    words = " ".join(word for word in (who.role, who.name) if word)
    return f" [{', '.join(part for part in (words, account) if part)}]" if words or account else ""


def at_place(place: str, called: str) -> str:
    """Returns where a hand lies, as people say it.

    >>> at_place("3", "area"), at_place("dealer", "area"), at_place("community", "seat")
    ('area 3', 'dealer', 'board')
    """
    if place == "community":
        return "board"
    return f"{called} {place}" if shared_place(place).isdigit() else place


def changes(made: Correction) -> Iterator[str]:
    """Yields what a correction changed, each with how it was and how it is."""
    for what, how in made.changes.items():
        yield f"{what}: {in_words(how['before'])}; now: {in_words(how['after'])}"


def fit(line: str, indent: int = 14) -> Iterator[str]:
    """Yields a line, and the rest of a long one below it, indented."""
    if len(line) <= WIDTH:
        yield line
        return
    start = line[: len(line) - len(line.lstrip())]
    yield from wrap(
        line, WIDTH, initial_indent="", subsequent_indent=" " * max(indent, len(start)), drop_whitespace=True
    )
