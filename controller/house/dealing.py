"""Cards leave the shoe: every one is recorded first, then it is asked what it means."""

from __future__ import annotations

from controller.cards import UNREAD
from controller.house import jackpot
from controller.house.irregular import consider
from controller.house.layout import Layout, next_place
from controller.house.state import Drawn
from controller.house.step import HouseStep
from controller.places import Place
from controller.table import causes
from controller.table.deck import deck_trouble, exposed_now
from controller.table.facts import CardOut, CardsOut, Key
from controller.table.requests import Choice, Order, Press
from controller.table.state import Round, cards_lie, wagered


def card_out(s: HouseStep, fact: CardOut) -> None:
    """Takes a card that left the shoe: it is discarded, burned, or the next one on the tape."""
    _seen(s, fact.card)
    if fact.face_up and s.policy.discards_face_up:
        s.ruled("continue", s.cites.face_up, "a card that lay face up in the shoe is discarded")
        s.prompt("dealer", "discard the card that lay face up", s.cites.face_up)
        return
    if s.round is None:
        _ready(s)
    if s.t.deck.burn_due and not cards_lie(s.t):
        s.burn(fact.card)
    else:
        _next_card(s, fact)


def _ready(s: HouseStep) -> None:
    """Shuffles and cuts before a round, where that is done by itself."""
    if s.auto and s.t.deck.due:
        s.ready_cards()


def _next_card(s: HouseStep, fact: CardOut) -> None:
    """Puts a card on the tape, and tells people what it means."""
    r = s.round or s.open_round()
    first = r.closed != "dealt"
    _first_card(s, r)
    before = s.look() if first else s.before
    s.own.tape.append(Drawn(fact.card))
    assert before is not None  # a round was running, or has just been opened
    _explain(s, before)
    if fact.face_up:  # this document knows only exposed cards
        _exposed(s)
    if fact.card == UNREAD:
        _unread(s)


def _exposed(s: HouseStep) -> None:
    """Asks the game about the newest card, if it lies face down though everybody saw it."""
    after = s.look()
    assert after is not None  # the card has opened a round if none was running
    place = _newest_at(after)
    if place in after.down:
        consider(s, after, Key("exposed", (place,)))


def _unread(s: HouseStep) -> None:
    """Asks people to name the newest card, at the place where it lies if it has one."""
    after, rule = s.look(), s.powers.reconstruct.rule
    place = _newest_at(after) if after is not None else ""  # it was exposed as well, and ended the round
    text = "a card could not be read: name it, such as reconstruct 1=Kh"
    s.prompt("dealer", "a card could not be read: call the supervisor", rule, place, cause=causes.Unread())
    s.prompt("supervisor", text, rule, place, ("reconstruct",), causes.Unread())


def _newest_at(f: Layout) -> Place:
    """Returns where the newest card lies; "" when it is one that no deal was waiting for: nobody has said where."""
    return f.laid[-1] if f.laid and not f.held else ""


def cards_out(s: HouseStep, fact: CardsOut) -> None:
    """Lays cards that left together: their order is unknown until the dealer says."""
    for card in fact.cards:
        _seen(s, card)
    r = s.round or s.open_round()
    _first_card(s, r)
    before = s.look()
    assert before is not None  # a round was running, or has just been opened
    group = 1 + max((d.group for d in s.own.tape), default=0)
    s.own.tape.extend(Drawn(card, group) for card in fact.cards)
    f = s.look()
    assert f is not None  # the cards have opened a round if none was running
    if not f.held:
        return  # a machine's set for one place
    if not any(isinstance(request, Order) for request in f.waiting):
        _explain(s, before)  # no deal waits for them: nobody is asked what would be refused
        return
    by_machine = s.cites.together_machine if s.t.options.typed.shoe != "hand" else ""
    under_way = next(reversed(f.plans), "")  # the deal that waits for them
    rule = s.cites.together_in.get(under_way, by_machine or s.cites.together)
    role = "dealer" if s.powers.order is None else s.powers.order.role
    s.prompt(role, "cards left together: is their order known?", rule, offers=("order",))


def _seen(s: HouseStep, card: str) -> None:
    """Takes the cards out of play when one came more often than there are decks: they are not approved."""
    seen = s.t.deck.seen
    seen[card] = seen.get(card, 0) + 1
    if card != UNREAD and seen[card] > s.t.options.typed.decks:
        text = "the same card came once too often: count the cards"
        s.prompt("dealer", text, s.cites.count, offers=("count",), cause=causes.KeyDue())


def _first_card(s: HouseStep, r: Round) -> None:
    """Closes the betting with the first card, whatever was announced."""
    if r.closed == "dealt":
        return
    _before_the_first(s, r)
    if s.t.deck.due and not exposed_now(s.t):
        s.t.deck.missed = True
    announced = bool(r.closed)
    s.close_betting("dealt")
    if s.policy.tops_up:
        _outside_the_limits(s, r)
    if not announced:
        jackpot.register(s)


def _before_the_first(s: HouseStep, r: Round) -> None:
    """Tells what should have been done before the first card."""
    trouble = deck_trouble(s.t, s.game)
    if not wagered(r):
        end = "void" if s.policy.no_wagers == "void" else "a misdeal"
        text = f"cards were dealt without a wager: declare the round {end}"
        s.prompt("supervisor", text, s.cites.no_wagers, offers=(s.policy.no_wagers,))
    elif trouble is not None:
        s.prompt("dealer", trouble.text, trouble.rule)
    elif not r.closed:
        s.prompt("dealer", "the end of betting was not announced", s.cites.announce)


def _outside_the_limits(s: HouseStep, r: Round) -> None:
    """Tells what was not put right before the first card, where the document says what becomes of it then."""
    f = Layout(s.t, r, s.game)
    for (place, spot), amount in r.wagers.items():
        if spot not in s.game.opening:
            continue
        stake, limit = s.game.stake(f, place, spot), s.own.limits[place]
        if stake.back:
            s.prompt("dealer", "under the approved minimum: it is void", stake.back, place)
        elif amount < limit.least:
            s.prompt("dealer", "under the minimum: it is settled as it lies", s.cites.found_under, place)
        elif stake.surplus:
            s.prompt("dealer", "over the maximum: it is settled to that", s.cites.found_over, place)


def _explain(s: HouseStep, before: Layout) -> None:
    """Tells what a card is that no deal was waiting for: one too many, or out before everybody has decided."""
    f = s.look_between()
    assert f is not None  # the card has opened a round if none was running
    if not f.round.wagers:
        return
    early = _early(s, before)
    if early:
        text = "a card is out before everybody has decided: the round goes on, and they still decide"
        if not s.own.early:
            s.ruled("continue", s.cites.early, text)
        s.own.early = True
        s.prompt("dealer", text, s.cites.early, cause=causes.Deciding())
    asked = any(isinstance(request, Order | Press) for request in f.waiting)
    if asked:
        return
    if f.held or early:
        surplus = s.game.surplus(before)
        s.prompt("dealer", surplus.text, surplus.rule, cause=causes.Surplus())


def _early(s: HouseStep, before: Layout) -> bool:
    """Tells whether a card came before everybody had decided, where the document speaks of that."""
    if not s.policy.early_cards or not before.complete_so_far:
        return False
    return any(isinstance(request, Choice) for request in before.waiting)


def cutting_card_out(s: HouseStep) -> None:
    """Notes that a shuffle is due when this round is over; who got the cutting card cuts next."""
    deck = s.t.deck
    if s.t.options.typed.shoe != "hand" and not s.policy.cutting_card_with_machine:
        s.prompt("dealer", "no cutting card is used with the machine", s.cites.no_cutting_card)
        return
    if not s.policy.players_cut:
        return  # it lies under the cards and says nothing
    place = next_place(s.look())
    if s.round is not None:
        s.own.cutting, deck.cut_out = sum(not d.out for d in s.own.tape), True
    deck.due, deck.through = s.cites.cutting_card, True
    deck.cutting_card_at(place)
    deck.declined = []
    s.prompt("dealer", "the cutting card is out: shuffle when the round is over", deck.due, offers=("shuffled",))


def shoe_empty(s: HouseStep) -> None:
    """Asks for a shuffle: of the discards in mid-round, else of all cards."""
    if cards_lie(s.t):
        s.t.deck.refill = True
        text = "the shoe is empty: shuffle and cut the discards, then complete the round"
        s.prompt("dealer", text, s.cites.empty, offers=("shuffled",))
    else:
        s.t.deck.due, s.t.deck.through = s.cites.cutting_card, True
        s.prompt("dealer", "the shoe is empty: shuffle", s.t.deck.due, offers=("shuffled",))
