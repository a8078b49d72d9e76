"""What people see of the table: lamps, gates, and what it waits for.  Read only."""

from __future__ import annotations

from typing import NamedTuple

from controller.house.layout import Cards, Choice, Game, Layout, Settle, look
from controller.house.wagers import limit_now, lock_rule
from controller.jackpot.rules import CENT, terms_of
from controller.poker import view as poker
from controller.poker.room import notice_board
from controller.table import holds
from controller.table.deck import SUPERVISOR, bets_wait, cutter
from controller.table.state import Table, area_of, meter_works


class Gate(NamedTuple):
    """May it happen now, and which rule says no."""

    open: bool
    rule: str = ""
    why: str = ""  # in words, where no rule says it


def deck_trouble(t: Table, game: Game) -> tuple[str, str] | None:
    """What must be done with the cards before the next deal: rule and words."""
    deck, book = t.deck, game.book
    if deck.bad:
        return deck.bad, "these cards are out of play"
    if deck.unverified:
        return deck.unverified, "the cards were not counted"
    if t.options["gates"] == "auto":
        return (book["empty"], "the shoe is empty") if deck.refill else None
    if not deck.checked:
        return book["checked"], "the cards were not checked"
    if deck.refill:
        return book["empty"], "the shoe is empty"
    if deck.due and not exposed_now(t):
        missed = deck.due == book.get("cutting-card")
        return (book["missed-shuffle"] if missed else deck.due), "a shuffle is due"
    if deck.cut_due:
        return book["cutter"], "the cards were not cut"
    return None


def exposed_now(t: Table) -> bool:
    """The cutting card came out in the round that is running: the shuffle is due when it is over."""
    return t.round is not None and not t.round.outcome and t.round.cutting is not None


def shuffle_wanted(t: Table, game: Game) -> bool:
    """The machine at this table is to shuffle now; what it has done it says itself."""
    machine = t.options.get("shoe", "hand") != "hand" and game.each_round and "shuffler" not in t.faults
    dealt = t.round is not None and not t.round.outcome and t.round.closed == "dealt"
    return machine and bool(t.deck.due) and not t.deck.bad and not t.deck.unverified and not dealt


def dealing_device(t: Table) -> str:
    return "shuffler" if t.options.get("shoe", "hand") in ("csm", "shuffler") else "shoe"


def gate(t: Table, game: Game, what: str, place: str = "") -> Gate:
    """`bets`: wagers may be placed; `deal`: the next card may be dealt, or this place will get one; `jackpot`."""
    if not t.open:
        return Gate(False, game.book["close"])
    held = holds.why(t)
    if held is not None:
        return Gate(False, held.rule, holds.reason(held))
    if t.room is not None:
        return _poker(t, game, what, place)
    f = look(t, game)
    if what == "bets":
        return _bets(t, game, f, place)
    if what == "deal":
        return _deal_to(t, game, f, place) if place else _deal(t, game, f)
    return _jackpot(t, game, f, place)


def _poker(t: Table, game: Game, what: str, place: str) -> Gate:
    """The gates of a game that players play against each other."""
    if what == "jackpot":
        return Gate(False, "")
    if what == "bets":
        shut = poker.bets_shut(t, place)
    elif place:
        shut = poker.deal_to_shut(t, place)
    else:
        running = t.round is not None and not t.round.outcome and t.round.closed == "dealt"
        trouble = deck_trouble(t, game)
        if trouble is not None and (not running or t.deck.bad):
            return Gate(False, trouble[0])
        shut = poker.deal_shut(t)
    return Gate(True) if shut is None else Gate(False, shut)


def _bets(t: Table, game: Game, f: Layout | None, place: str) -> Gate:
    if place:
        person = t.people.get(t.seats.get(place, ""))
        if person is not None and person.excluded:
            return Gate(False, game.book["excluded"])
        if f"sensor.{area_of(place)}" in t.faults:
            return Gate(False)
        if f is not None and any(isinstance(q, Choice) and q.place == place for q in f.waiting):
            return Gate(True)
    if f is None or not f.round.closed:
        rule = bets_wait(t, game.book)
        return Gate(not rule, rule)
    return Gate(False, game.book["oral"] if f.round.closed == "announced" else lock_rule(t, game))


def _jackpot(t: Table, game: Game, f: Layout | None, place: str) -> Gate:
    """Jackpot wagers are taken while bets are, and while the prize meter system works."""
    if terms_of(t.options) is None or t.jackpot.closed:
        return Gate(False, game.book.get("jackpot-offer", ""))
    if not meter_works(t):
        return Gate(False, game.book["jackpot-equipment"])
    return _bets(t, game, f, place)


def _deal_to(t: Table, game: Game, f: Layout | None, place: str) -> Gate:
    """Will this place get a card?  Not while a question about its wagers is open."""
    for question in t.talk.open if t.talk is not None else ():
        if question.place == place:
            return Gate(False, question.rule)
    if f is None:
        return Gate(False, game.book["announce"])
    if place in f.round.offers:
        return Gate(False, f.round.offers[place])
    places, rule = game.upcoming(f)
    if place.partition(".")[0] not in places:
        return Gate(False, no_cards(f, place, rule))
    return _put_right(t, game, f, place)


def _put_right(t: Table, game: Game, f: Layout, place: str) -> Gate:
    """Where a wager outside the limits is first put right, or taken back, until the first card."""
    limit = limit_now(t, place)
    for spot in game.opening if "top-up" in game.book and f.round.closed != "dealt" else ():
        if 0 < f.wager(place, spot) < limit.least:
            return Gate(False, game.book["advise-under"])
        if f.wager(place, spot) > limit.most:
            return Gate(False, game.book["advise-over"])
    return Gate(True)


def no_cards(f: Layout, place: str, rule: str) -> str:
    """Why a place gets no cards: the rule that says who does, or the one about extra hands."""
    return f.game.book.get("blind-play", rule) if place in f.blind and f.wager(place, "ante") else rule


def _deal(t: Table, game: Game, f: Layout | None) -> Gate:
    if dealing_device(t) in t.faults:
        return Gate(False, game.book["machine"] if dealing_device(t) == "shuffler" else "")
    if t.talk is not None:
        return Gate(False, t.talk.open[0].rule)
    started = f is not None and f.round.closed == "dealt"
    if "shuffler" in t.faults and t.options.get("shoe", "hand") == "batch" and not started:
        return Gate(False, game.book["machine"])
    trouble = deck_trouble(t, game)
    if trouble is not None and (not started or t.deck.bad or t.deck.refill or t.deck.cut_due or t.deck.unverified):
        return Gate(False, t.deck.due if t.deck.due and trouble[0] == game.book.get("missed-shuffle") else trouble[0])
    if t.deck.cut_due and started:
        return Gate(False, game.book["cutter"])
    if f is None and t.deck.due and not game.each_round:
        return Gate(False, t.deck.due)
    if f is None or not f.round.closed:
        return Gate(False, game.book["announce"])
    if f.round.offers:
        return Gate(False, next(iter(f.round.offers.values())))
    choosing = any(isinstance(q, Choice) for q in f.waiting)
    before = game.book.get("settled-first") or game.upcoming(f)[1]
    due = next((isinstance(q, Cards) for q in f.waiting), False)  # before any decision
    if any(isinstance(q, Cards) for q in f.waiting) and (due or not choosing):
        unsettled = any(isinstance(q, Settle) for q in f.waiting)
        return Gate(False, before) if unsettled else Gate(True)
    if not f.places():
        return Gate(False, game.book["no-wagers"])
    return Gate(False, before if choosing else game.book["finished"])


def meter_shown(t: Table) -> int | None:
    """What the prize meter display shows (002 11.2.1(i); 003 9.1.1(k)): whole cents, no more than there is.

    In ten-thousandths of a dollar; None where there is no meter.
    """
    return None if terms_of(t.options) is None else t.jackpot.meter // CENT * CENT


def sign_text(t: Table) -> list[str]:
    """What the limit sign says: what is in force, then what is announced."""
    if t.room is not None:
        return notice_board.lines(t)
    lines = [f"{t.game} {t.options['min']} to {t.options['max']}"] if t.open else [f"{t.game} closed"]
    if terms_of(t.options) is not None and "method" in t.options:
        fold = "stays eligible" if t.options["method"] == "B" else "loses it"
        lines.append(f"Jackpot, method {t.options['method']}: a folded hand {fold}")
    for notice in t.notices:
        lines.append("soon: " + ", ".join(f"{k} {v}".rstrip() for k, v in notice.what.items()))
    return lines


def lamps(t: Table, game: Game) -> dict[str, list[str]]:
    """Every lamp that is lit: name -> places; a lamp of the whole table has the place ""."""
    out: dict[str, list[str]] = {}
    f = look(t, game) if not t.holds else None  # while the table is held nobody decides
    if t.room is not None and not t.holds:
        out |= poker.lamps(t)
    elif t.room is not None:
        out |= poker.buttons(t)
    if gate(t, game, "bets").open:
        out["bets"] = [""]
    if t.deck.due or t.deck.refill:
        out["shuffle"] = [""]
    if t.open and "jackpot" in t.options and gate(t, game, "jackpot").open:
        out["jackpot"] = [""]
    if t.jackpot.registered and meter_works(t):
        out["jackpot"] = [*out.get("jackpot", []), *t.jackpot.registered]
    deciding = [q.place for q in f.waiting if isinstance(q, Choice)] if f is not None and t.talk is None else []
    if deciding:
        out["decide"] = deciding
    if (t.deck.due or t.deck.cut_due) and cutter(t) not in ("", SUPERVISOR):
        out["cut"] = [cutter(t)]
    marked = [p for p, who in t.seats.items() if t.people[who].least is not None or t.people[who].most is not None]
    if marked:
        out["marker"] = marked
    if t.blind:
        out["blind"] = list(t.blind)
    if t.button:
        out["button"] = [t.button]
    return out
