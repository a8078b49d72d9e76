"""What is due at the table now, in words for the dealer: who does what, with which key, by which rule.  Reads only.

It is read off what the game waits for, so it never tells a card; the console, the status and refusals say it in the
same words.
"""

from __future__ import annotations

from typing import NamedTuple

from controller.cards import UNREAD
from controller.house.layout import (
    BURN,
    COMMUNITY,
    Cards,
    Choice,
    Game,
    Layout,
    Order,
    Press,
    Request,
    Settle,
    Wagers,
    look,
)
from controller.house.wagers import limit_now, range_text
from controller.money import short
from controller.poker.hand import choices
from controller.poker.money.stacks import running
from controller.table import holds
from controller.table.deck import SUPERVISOR, bets_wait, cutter
from controller.table.state import Question, Table
from controller.table.view import deck_trouble, gate

STREETS = ("flop", "turn", "river")
MOST = 4  # areas that are told one by one


class Due(NamedTuple):
    """One thing that is due."""

    text: str
    rule: str


def due(t: Table, game: Game) -> list[Due]:
    """Returns everything that is due now, the most urgent first."""
    return _due(t, game, look(t, game))


def _due(t: Table, game: Game, f: Layout | None) -> list[Due]:
    if not t.open:
        return [Due("the table is closed: press open-table", game.book["close"])]
    held = holds.why(t)
    if held is not None:
        return [Due(holds.reason(held), held.rule)]
    if t.talk is not None:
        return [_question(q) for q in t.talk.open if q.place not in t.talk.partial]
    cards = _cards_due(t, game)
    if running(t) is not None:
        rule, text = choices.due(t)
        deal = gate(t, game, "deal")
        shut = f is not None and any(isinstance(q, Cards) for q in f.waiting) and not deal.open
        first = [cards or Due("no card may be dealt now", deal.rule)] if shut else []
        return [*first, Due(text, rule)]
    if f is None:
        bets = "players place their bets: the first one opens a round"
        opens = Due(bets if t.room is None else choices.next_blinds(t), "")
        if cards is None:
            return [opens]
        return [cards] if bets_wait(t, game.book) else [cards, opens]
    return _round(t, game, f, cards)


def _round(t: Table, game: Game, f: Layout, cards: Due | None) -> list[Due]:
    offers = [_offer(place, rule) for place, rule in f.round.offers.items()]
    deciding = _choices([q for q in f.waiting if isinstance(q, Choice)])
    rest = [_request(t, game, f, q) for q in f.waiting if not isinstance(q, Choice | Cards | Settle)]
    settle = [_settle(game, q) for q in f.waiting if isinstance(q, Settle)]
    deal = _deal(f)
    if deal is not None and not gate(t, game, "deal").open:
        deal = cards  # not before this; what else keeps the cards back is told already
    elif not f.round.closed:
        deal = cards  # while the players bet
    if f.done and f.unjudged():
        settle.append(Due("judge the Jackpot wagers, and press settle", game.book["finished"]))
    first = [deal] if deal is not None and f.round.closed != "dealt" else []
    last = [deal] if deal is not None and not first else []
    return offers + rest + first + deciding + settle + last


# ---- the cards


def _cards_due(t: Table, game: Game) -> Due | None:
    """What must be done with the cards before the next one is dealt, and the key for it."""
    trouble = deck_trouble(t, game)
    if trouble is None:
        burn = bets_wait(t, game.book)
        return Due("burn a card, then call for bets", burn) if burn else None
    rule, text = trouble
    deck = t.deck
    if deck.bad:
        return Due(f"{text}: replace them, and press replaced", rule)
    if deck.unverified:
        return Due(f"{text}: count them, and press count with their number", rule)
    if not deck.checked:
        return Due(f"{text}: check them, and press checked", rule)
    if deck.refill:
        return Due(f"{text}: shuffle and cut the discards, and press shuffled", rule)
    if deck.due:
        machine = t.options.get("shoe", "hand") != "hand"
        return Due(f"{text}: wait for the machine" if machine else f"{text}: shuffle, and press shuffled", rule)
    who = cutter(t)
    by = "the supervisor" if who == SUPERVISOR else f"area {who}" if who and game.players_cut else "the dealer"
    return Due(f"{text}: {by} cuts, then press cut", rule)


def _deal(f: Layout) -> Due | None:
    """Where the next card goes, and where those after it."""
    request = next((q for q in f.waiting if isinstance(q, Cards)), None)
    if request is None:
        return None
    name, place = request.deal, request.place
    left = f.unserved(name) or [place]
    if place == BURN:
        return Due("burn a card", request.rule)
    if place == COMMUNITY:
        street = "the turn and the river" if name == "river" and len(f.plans[name]) > 1 else f"the {name}"
        what = f"{street}: " if name in STREETS else ""
        return Due(f"deal {what}{_many(left.count(COMMUNITY), 'card')} to the board", request.rule)
    size = f.sets.get(name, 0)
    after = list(dict.fromkeys(other for other in left if other != place))
    then = f", then to {', '.join(map(_short, after))}" if after else ""
    what = f"a set of {size} cards" if size > 1 else "a card"
    return Due(f"deal {what} to {spoken(place)}{then}", request.rule)


# ---- people


def _question(q: Question) -> Due:
    about = f" about {spoken(q.place)}" if q.place else ""
    return Due(f"the {_role(q.role)} answers{about}: {q.text} (press {' or '.join(q.words)})", q.rule)


def _offer(place: str, rule: str) -> Due:
    return Due(f"{spoken(place)} may take the wagers back: press keep {place} or retract {place}", rule)


def _choices(requests: list[Choice]) -> list[Due]:
    """One line an area; when there are many, the last line only names them."""
    told = [Due(choice(q), q.rule) for q in requests[:MOST]]
    more = list(dict.fromkeys(_short(q.place) for q in requests[MOST:]))
    return [*told, Due(f"then {', '.join(more)} decide", requests[MOST].rule)] if more else told


def choice(q: Choice) -> str:
    """Who decides, what the wager costs, and the keys of the other choices.

    >>> choice(Choice("7.5.2", "2", ("fold", "fold ante"), "play", 1000))
    'area 2 decides: 10 on play, or press fold 2 or fold 2 ante'
    """
    amounts = " or ".join(short(amount) for amount in sorted({q.amount, *q.amounts}))
    ways = [f"{amounts} on {q.spot}"] if q.spot else []
    if q.words:
        ways.append("press " + " or ".join(_key(word, q.place) for word in q.words))
    return f"{spoken(q.place)} decides: {', or '.join(ways)}"


def _key(word: str, place: str) -> str:
    key, *more = word.split(" ")
    return " ".join((key, place, *more))


def _settle(game: Game, q: Settle) -> Due:
    wagers = _many(len(q.lines), "wager")
    return Due(
        f"settle {wagers}: take and pay, and press settle",
        q.rule or (q.lines[0].rule if q.lines else game.book["finished"]),
    )


def _request(t: Table, game: Game, f: Layout, q: Request) -> Due:
    match q:
        case Wagers(rule, spots):
            limits = range_text(limit_now(t, ""))
            return Due(f"players bet on {', '.join(spots)} ({limits}); then press no-more-bets", rule)
        case Order(rule):
            return Due("cards left together: press order known or order unknown", rule)
        case Press(rule, key, role):
            return Due(f"{_why(f, key)}: the {_role(role)} presses {key}", rule)
    return Due(type(q).__name__.lower(), q.rule)  # a game's own request, which has no words here yet


def _why(f: Layout, key: str) -> str:
    unread = [place for place, hand in f.hands.items() if UNREAD in hand]
    if key == "reconstruct":
        where = f" at {', '.join(map(spoken, unread))}" if unread else ""
        return f"cards{where} could not be read, or came twice"
    return "a hand has a wrong number of cards" if f.places() else "cards are out, and nobody has a wager"


# ---- refusals


def missing(t: Table, game: Game, f: Layout | None) -> str:
    """Returns what must happen before anything can be settled: the first two things that are due."""
    return "; ".join(each.text for each in _due(t, game, f)[:2])


# ---- words


def spoken(place: str) -> str:
    """A place as people say it.

    >>> spoken("3.2"), spoken("dealer"), spoken("community")
    ('area 3.2', 'the dealer', 'the board')
    """
    return f"area {place}" if place[:1].isdigit() else "the board" if place == COMMUNITY else f"the {place}"


def _short(place: str) -> str:
    return place if place[:1].isdigit() else spoken(place)


def _role(role: str) -> str:
    return role.replace("-", " ")


def _many(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
