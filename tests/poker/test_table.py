"""A poker table under random people: chips are conserved, what it waits for is granted, replay is identical."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import defaults, fold, step
from controller.money import cents
from controller.poker.hand import betting
from controller.poker.hand.course import HOLE, stage, to_discard
from controller.poker.money import stacks
from controller.poker.room.blinds import able, next_hand
from controller.poker.room.seats import room_of
from controller.poker.state import hand_in, room_in
from controller.poker.view import next_reader
from controller.table.effects import Refused
from controller.table.facts import Amend, AnyFact, CardRead, Chips, Key, Pushed, Spot, Started, Tick
from controller.table.state import Seen, Table, encode

GAMES = tuple(HOLE)
SEATS = 6
SECOND = 1_000_000


class Game:
    """A table, everything that was told to it, and how many chips the players brought."""

    def __init__(self, game: str, options: dict[str, str], dice: random.Random) -> None:
        self.dice = dice
        self.facts: list[Seen] = []
        self.table = Table()
        self.brought = 0  # by players, less what they took away with them
        self.house: dict[int, int] = {}  # hand -> what side wagers have brought the players
        self.deck: list[str] = []
        self.tell(Started(game, {**defaults(game), "seats": str(SEATS), **options}))
        for seat in range(1, SEATS + 1):
            self.sit(str(seat))

    def tell(self, fact: AnyFact) -> Refused | None:
        seq = len(self.facts) + 1
        seen = Seen(seq, seq * SECOND, fact)
        self.facts.append(seen)
        before = self.table
        self.table, effects = step(before, seq, seen.at, fact)
        no = next((e for e in effects if isinstance(e, Refused)), None)
        if no is None and isinstance(fact, Key):
            self.brought += brought_by(fact, before, self.table)
        if (r := self.table.round) is not None:
            standing = {f"{line.place} {line.spot}": line for line in r.lines}
            told = [p.text for p in self.table.prompts if "belongs to the player who left" in p.text]
            settled = sum(line.net for line in standing.values() if line.result in ("win", "lose"))
            self.house[r.number] = settled - sum(cents(text.split(" ")[0]) for text in told)
        return no

    def sit(self, seat: str) -> None:
        stack = self.dice.choice((40, 100, 200, 500))
        self.tell(Key("seat", (seat, f"stack={stack}", f"player=P{len(self.facts)}")))

    @property
    def chips(self) -> int:
        """Everything that lies on the table, whoever it belongs to; what the house paid or took is counted back."""
        t, r = self.table, self.table.round
        room = room_of(t)
        total = sum(room.stakes.values()) + sum(room.held.values()) + room.slide + room.dropped
        hand = stacks.running(t)
        if hand is not None:
            total += stacks.in_play(hand)
            total -= hand.rake  # on the slide, and still in the pot
            total -= sum(stacks.in_front(hand, s) - stacks.ruled(hand, s) for s in stacks.players(hand))
        if r is not None and not r.outcome:
            ended = {x.at for x in r.lines}
            total += sum(amount for at, amount in r.wagers.items() if at not in ended)
        return total


def brought_by(fact: Key, before: Table, after: Table) -> int:
    """Chips that a key brings to the table, or that somebody takes away."""
    options = dict(arg.split("=") for arg in fact.args[1:] if "=" in arg)
    if fact.key == "seat":
        return cents(options.get("stack") or options["add"])
    seat = fact.args[0] if fact.args else ""
    if fact.key != "leave" or seat not in before.seats or seat in after.seats or room_in(before) is None:
        return 0
    won = 0
    if after.round is not None and before.round is not None and after.round.outcome != before.round.outcome:
        hand = hand_in(after.round)
        won = sum(pot.won.get(seat, 0) for pot in hand.pots) if hand is not None else 0
    return -won - stacks.behind(before, seat) - room_of(before).held.get(seat, 0)


def next_deed(g: Game) -> AnyFact:
    """What somebody sensible would do now."""
    hand = stacks.running(g.table)
    if hand is None:
        return _open_hand(g)
    at = stage(g.table)
    match at.what:
        case "blinds":
            return Key("act", (at.place, "post", f"{hand.due[at.place] / 100:.2f}"))
        case "act":
            return _act(g, at.place)
        case "discard":
            seat = to_discard(g.table, hand)[0]
            return Key("discard", (seat, g.dice.choice(hand.cards[seat])))
        case "burn":
            draw(g)
            return Key("burn")
        case "ruling":
            return Key(g.dice.choice(("misdeal", "reconstruct")))
        case "shuffle" | "cut" | "over":
            return Key({"shuffle": "shuffled", "cut": "cut", "over": "settle"}[at.what])
    return CardRead(next_reader(g.table), draw(g))


def _open_hand(g: Game) -> AnyFact:
    t, dice = g.table, g.dice
    g.deck = dice.sample(DECK, len(DECK))
    if len(able(t)) < 2:
        return Key("seat", (str(dice.randint(1, SEATS)), "add=200"))
    seat, amount = next(iter(next_hand(t).posts.items()))
    return Key("act", (seat, "post", f"{amount / 100:.2f}"))


def draw(g: Game) -> str:
    """The next card; where mischief has used them all up, one that nobody holds."""
    hand = stacks.running(g.table)
    seen = {*hand.board, *(c for cards in hand.cards.values() for c in cards)} if hand is not None else set()
    while g.deck:
        if (card := g.deck.pop()) not in seen:
            return card
    return next(card for card in DECK if card not in seen)


def _act(g: Game, seat: str) -> AnyFact:
    h = stacks.running(g.table)
    assert h is not None and h.betting is not None
    word = g.dice.choice(betting.offers(h.betting, seat))
    if word in ("bet", "raise"):
        low, high = betting.legal(h.betting, seat).raise_to or (0, 0)
        to = g.dice.choice((low, high, (low + high) // 200 * 100 or low))
        return Key("act", (seat, word, f"{max(low, to) / 100:.2f}"))
    return Key("act", (seat, word))


def mischief(g: Game) -> AnyFact:
    """Somebody who does the wrong thing at the wrong moment."""
    dice = g.dice
    seat, other = str(dice.randint(1, SEATS)), str(dice.randint(1, SEATS))
    card = g.deck.pop() if g.deck else "As"
    return dice.choice(
        (
            Key("act", (seat, dice.choice(("fold", "check", "call", "all-in", "take-back", "muck")))),
            Key("act", (seat, dice.choice(("bet", "raise", "post", "straddle")), str(dice.choice((5, 10, 20, 45))))),
            Pushed(int(seat), tuple(dice.choice(((500,), (1000,), (10000,), (500, 500), (1000, 700))))),
            Key("said", (seat, dice.choice(("raise", "call", "all-in")))),
            Key(dice.choice(("exposed", "short", "excess", "stray")), (seat,)),
            Key("short", (seat, "all")),
            Key(dice.choice(("burn", "boxed", "misdeal", "reconstruct", "settle", "shuffled", "cut", "replaced"))),
            Key("count", (dice.choice(("52", "52", "51")),)),
            Key("burn", (card,)),
            Key("excess", (dice.choice(("flop", "turn", "river")),)),
            Key("dead", (seat,)),
            Key("ask", (seat, other)),
            Key("leave", (seat,)),
            Key("move", (seat, other)),
            Key(dice.choice(("absent", "walking", "dealt-out", "missed-blind")), (seat,)),
            Key(dice.choice(("absent", "walking", "dealt-out", "missed-blind")), (seat, "off")),
            Key(dice.choice(("collect", "drop", "confirm-charge"))),
            Key("list", ("N" + seat, other)),
            CardRead(dice.choice((seat, "board")), card),
            CardRead("board", card, together=(card, *g.deck[:2])),
            CardRead("board", card, face_up=True),
            CardRead("board", "??"),
            Chips(int(seat), (Spot(dice.choice(("red", "black")), 1, dice.choice((0, 500, 1000))),)),
            Key("discard", (seat, card)),
            Tick(),
        )
    )


OPTIONS = st.fixed_dictionaries(
    {
        "limit": st.sampled_from(("no-limit", "pot", "half-pot", "fixed", "spread")),
        "rake": st.sampled_from(("0%", "5%", "10%")),
        "blinds": st.sampled_from(("5,10", "10", "5,10,20")),
        "straddle": st.sampled_from(("on", "off")),
        "chip": st.sampled_from(("1", "5")),
    }
)


@given(st.sampled_from(GAMES), OPTIONS, st.integers(0, 10**9))
@settings(max_examples=30, deadline=None)
def test_what_the_table_waits_for_is_granted(game: str, options: dict[str, str], seed: int) -> None:
    g = Game(game, options, random.Random(seed))
    for _ in range(150):
        fact = next_deed(g)
        no = g.tell(fact)
        assert no is None or (isinstance(fact, Key) and fact.key in ("reconstruct", "seat")), (fact, no)
        assert g.chips == g.brought, fact
    assert g.table.number > 0
    assert encode(fold(Table(), g.facts)) == encode(g.table)


@given(st.sampled_from(GAMES), OPTIONS, st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_no_mischief_loses_a_chip_or_stops_the_table(game: str, options: dict[str, str], seed: int) -> None:
    g = Game(game, options, random.Random(seed))
    for _ in range(160):
        fact = mischief(g) if g.dice.random() < 0.25 else next_deed(g)
        no = g.tell(fact)
        assert g.chips == g.brought + sum(g.house.values()), (fact, no)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_refused_leaves_no_trace(game: str) -> None:
    g = Game(game, {}, random.Random(1))
    refused = 0
    for _ in range(200):
        before = g.table
        fact = mischief(g) if g.dice.random() < 0.4 else next_deed(g)
        if g.tell(fact) is not None and not isinstance(fact, Chips):
            refused += 1
            assert (room_in(g.table), g.table.round) == (room_in(before), before.round), fact
    assert refused > 10


@given(st.sampled_from(GAMES), st.integers(0, 10**9), st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_a_corrected_card_gives_the_hand_that_would_have_been(game: str, seed: int, pick: int) -> None:
    g = Game(game, {}, random.Random(seed))
    while stacks.running(g.table) is None or stage(g.table).what in ("blinds", "deal"):
        g.tell(next_deed(g))
    read = [seen for seen in g.facts if isinstance(seen.fact, CardRead)]
    target = read[pick % len(read)]
    assert isinstance(target.fact, CardRead)
    right = CardRead(target.fact.reader, g.deck.pop())
    assert g.tell(Amend(target.seq, right)) is None
    fresh = Table()
    for seen in g.facts[:-1]:
        fresh, _ = step(fresh, seen.seq, seen.at, right if seen.seq == target.seq else seen.fact)
    fresh.now = g.table.now
    assert encode(fresh) == encode(g.table)
