"""What is due in a round of a house game, in words for the dealer.  Reads only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.cards import UNREAD
from controller.counts import many
from controller.house.layout import Layout, look
from controller.house.state import STREETS
from controller.house.turned import hidden
from controller.money import short
from controller.rules import Cited, spoken_role
from controller.table.deck import bets_wait
from controller.table.duties import short_place, spoken
from controller.table.limits import limit_now, range_text
from controller.table.requests import Cards, Choice, Order, Press, Request, Settle, Wagers
from controller.table.state import Table
from controller.table.telling import BURN, COMMUNITY
from controller.table.view import gate

if TYPE_CHECKING:
    from controller.house.game import HouseGame

MOST = 4  # areas that are told one by one


def due(t: Table, game: HouseGame, cards: Cited | None) -> list[Cited]:
    """Returns what is due now, the most urgent first."""
    f = look(t, game)
    if f is not None:
        return _round(t, game, f, cards)
    opens = Cited("", "players place their bets: the first one opens a round")
    if cards is None:
        return [opens]
    return [cards] if bets_wait(t, game.document) else [cards, opens]


def _round(t: Table, game: HouseGame, f: Layout, cards: Cited | None) -> list[Cited]:
    offers = [_offer(place, rule) for place, rule in f.own.offers.items()]
    deciding = _choices([q for q in f.waiting if isinstance(q, Choice)])
    rest = [_request(t, game, f, q) for q in f.waiting if not isinstance(q, Choice | Cards | Settle)]
    settle = [_settle(game, f, q) for q in f.waiting if isinstance(q, Settle)]
    deal = _deal(f)
    if deal is not None and not gate(t, game, "deal").open:
        deal = cards  # not before this; what else keeps the cards back is told already
    elif not f.round.closed:
        deal = cards  # while the players bet
    first = [deal] if deal is not None and f.round.closed != "dealt" else []
    last = [deal] if deal is not None and not first else []
    return offers + rest + first + deciding + settle + last


def _deal(f: Layout) -> Cited | None:
    """Returns where the next card goes, and where those after it."""
    request = next((q for q in f.waiting if isinstance(q, Cards)), None)
    if request is None:
        return None
    name, place = request.deal, request.place
    left = f.unserved(name) or [place]
    if place == BURN:
        return Cited(request.rule, "burn a card")
    if place == COMMUNITY:
        street = "the turn and the river" if name == "river" and len(f.plans[name]) > 1 else f"the {name}"
        what = f"{street}: " if name in STREETS else ""
        return Cited(request.rule, f"deal {what}{many(left.count(COMMUNITY), 'card')} to the board")
    size = f.sets.get(name, 0)
    after = list(dict.fromkeys(other for other in left if other != place))
    then = f", then to {', '.join(map(short_place, after))}" if after else ""
    what = f"a set of {size} cards" if size > 1 else "a card"
    return Cited(request.rule, f"deal {what} to {spoken(place)}{then}")


# ---- people


def _offer(place: str, rule: str) -> Cited:
    return Cited(rule, f"{spoken(place)} may take the wagers back: press keep {place} or retract {place}")


def _choices(requests: list[Choice]) -> list[Cited]:
    """Returns one line an area; when there are many, the last line only names them."""
    lines = [Cited(q.rule, choice(q)) for q in requests[:MOST]]
    more = list(dict.fromkeys(short_place(q.place) for q in requests[MOST:]))
    return [*lines, Cited(requests[MOST].rule, f"then {', '.join(more)} decide")] if more else lines


def choice(q: Choice) -> str:
    """Returns who decides, what the wager costs, and the keys of the other choices.

    >>> from controller.house.state import FOLD, FOLD_ANTE
    >>> choice(Choice("7.5.2", "2", (FOLD, FOLD_ANTE), "play", 1000))
    'area 2 decides: 10 on play, or press fold 2 or fold 2 ante'
    >>> choice(Choice("7.5.2", "2", (), "play", 1000))
    'area 2 decides: 10 on play'
    """
    amounts = " or ".join(short(amount) for amount in sorted({q.amount, *q.amounts}))
    ways = [f"{amounts} on {q.spot}"] if q.spot else []
    if q.words:
        ways.append("press " + " or ".join(" ".join((word.key, q.place, *word.args)) for word in q.words))
    return f"{spoken(q.place)} decides: {', or '.join(ways)}"


def _settle(game: HouseGame, f: Layout, q: Settle) -> Cited:
    """Returns that something is to be settled; how much, and by which rule, only when no card lies face down."""
    if not q.rule and hidden(f):
        return Cited(game.document.citations.finished, "settle what is decided: take and pay, and press settle")
    wagers = many(len(q.lines), "wager")
    return Cited(
        q.rule or (q.lines[0].rule if q.lines else game.document.citations.finished),
        f"settle {wagers}: take and pay, and press settle",
    )


def _request(t: Table, game: HouseGame, f: Layout, q: Request) -> Cited:
    match q:
        case Wagers(rule, spots):
            limits = range_text(limit_now(t, ""))
            return Cited(rule, f"players bet on {', '.join(spots)} ({limits}); then press no-more-bets")
        case Order(rule):
            return Cited(rule, "cards left together: press order known or order unknown")
        case Press(rule, key, role):
            return Cited(rule, f"{_why(f, key)}: the {spoken_role(role)} presses {key}")
    return Cited(q.rule, type(q).__name__.lower())  # a game's own request, which has no words here yet


def _why(f: Layout, key: str) -> str:
    unread = [place for place, hand in f.hands.items() if UNREAD in hand]
    if key == "reconstruct":
        where = f" at {', '.join(map(spoken, unread))}" if unread else ""
        return f"cards{where} could not be read, or came twice"
    return "a hand has a wrong number of cards" if f.places() else "cards are out, and nobody has a wager"
