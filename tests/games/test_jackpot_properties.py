"""Jackpot wagers under any cards, decisions and mishaps: each ends once, and the meter always adds up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import DECK
from controller.games import fold
from controller.house.layout import Layout
from controller.table.effects import AnyEffect
from controller.table.facts import AnyFact, DeviceCleared, DeviceFault
from controller.table.requests import Cards, Choice, Settle
from controller.table.state import Round, Seen, Table, encode
from tests.searches import times
from tests.table.telling import Telling

NSW = ("caribbean-stud", "mississippi-stud", "ultimate-texas-holdem-nsw")
VIC = ("wsop-bonus-holdem", "ultimate-texas-holdem-vic")
SUITED = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]  # flushes for everybody
tables = st.one_of(
    st.tuples(st.sampled_from(NSW), st.sampled_from("AB"), st.sampled_from(["hand", "csm"])),
    st.tuples(st.sampled_from(VIC), st.just(""), st.just("hand")),
)
decks = st.one_of(st.permutations(DECK), st.integers(0, 51).map(lambda n: SUITED[n:] + SUITED[:n]))


class JackpotTelling(Telling):
    """After every fact: meter = seed + increments of all wagers that are registered or were played - what was won."""

    def __init__(self, game: str, method: str, shoe: str) -> None:
        self.rounds: dict[int, Round] = {}
        options = {"jackpot": "nsw" if game in NSW else "vic", "shoe": shoe} | ({"method": method} if method else {})
        super().__init__(game, **options)

    def tell(self, fact: AnyFact) -> list[AnyEffect]:
        effects = super().tell(fact)
        t = self.table
        if t.round is not None:
            self.rounds[t.round.number] = t.round
        terms = t.options.typed.terms
        assert terms is not None
        played = sum(len(w.prizes) for w in t.jackpot.pending)
        for r in self.rounds.values():
            f = Layout(t, r, self.game)
            ended = [f.line(place, "jackpot") for place in f.places("jackpot")]
            played += sum(line is not None and line.result in ("win", "lose") for line in ended)
        won = sum(r.award.at - r.award.after for r in self.rounds.values() if r.award is not None)
        assert t.jackpot.meter == terms.seed + terms.increment * (len(t.jackpot.registered) + played) - won
        self._registered_wagers_lie_there()
        return effects

    def _registered_wagers_lie_there(self) -> None:
        t = self.table
        running = t.round is not None and not t.round.outcome
        live = self.felt.unjudged() if running else []
        assert set(t.jackpot.registered) <= {*t.jackpot.carried, *live}
        assert not running or not {*t.jackpot.carried} & {*live}, "a wager cannot lie there and be carried too"


def place_bets(t: JackpotTelling, areas: set[int], jackpots: set[int]) -> None:
    blind = {"blind": 10} if "blind" in t.game.opening else {}
    for area in sorted(areas):
        t.bet(area, ante=10, **blind, **({"jackpot": 5} if area in jackpots else {}))


def play_out(t: JackpotTelling, deck: list[str], data: st.DataObject) -> None:
    """Do what the table asks for until the round is over."""
    for _ in range(200):
        if t.table.round is None or t.table.round.outcome:
            return
        requests = [q for q in t.felt.waiting if isinstance(q, Cards | Choice | Settle)]
        if not requests:  # only Jackpot wagers are left
            t.key("settle")
            continue
        request = data.draw(st.sampled_from(requests))
        if isinstance(request, Cards):
            t.draw(deck.pop(0))
        elif isinstance(request, Settle):
            t.key("settle")
        elif data.draw(st.integers(0, 3)) == 0:
            t.key(f"{request.words[0].key} {request.place}")
        else:
            t.bet(int(request.place), **{request.spot: request.amount // 100})
    raise AssertionError("the round does not end")


@settings(max_examples=times(50), deadline=None)
@given(tables, st.sets(st.integers(1, 7), min_size=1), st.sets(st.integers(1, 7), min_size=1), decks, st.data())
def test_every_jackpot_wager_ends_exactly_once(
    table: tuple[str, str, str], areas: set[int], jackpots: set[int], deck: list[str], data: st.DataObject
) -> None:
    t = JackpotTelling(*table)
    place_bets(t, areas, jackpots)
    t.key("no-more-bets")
    play_out(t, list(deck), data)
    t.role("casino-manager")
    t.key("confirm-jackpot")
    r = t.table.round
    assert r is not None and r.outcome == "settled"
    lines = [line for line in r.lines if line.spot == "jackpot"]
    assert sorted(line.place for line in lines) == sorted(str(a) for a in areas & jackpots)
    for line in lines:
        assert line.rule
        assert line.net == (line.prize - line.stake if line.result == "win" else -line.stake)
    assert not t.table.jackpot.registered
    assert not t.table.jackpot.pending


AREAS = "123"
KEYS = (
    *("no-more-bets", "settle", "start-jackpot", "cancel-jackpot", "confirm-jackpot", "misdeal", "void", "void 2"),
    *("invalidate fraud", "count 51", "count 52", "replaced", "looked", "order known", "order unknown", "burn 3"),
    *(f"{word} {area}" for area in AREAS for word in ("exposed", "fold", "check", "leave", "unable", "retract")),
    *(f"{word} {area}" for area in AREAS for word in ("keep", "short", "excess", "stray", "exclude", "taken")),
    *("refuse 1 jackpot", "refuse 1 ante", "viewed 1 2", "owner 2 1", "excess community", "excess turn"),
)
spots = st.sampled_from(["ante", "blind", "jackpot", "bet", "third", "flop", "play", "turn"])
events = st.one_of(
    st.sampled_from(KEYS).map(lambda k: ("key", k)),
    st.sampled_from(["dealer", "supervisor", "casino-manager"]).map(lambda r: ("role", r)),
    st.integers(1, 5).map(lambda n: ("draw", n)),
    st.sampled_from(["down", "up"]).map(lambda x: ("meter", x)),
    st.tuples(st.integers(1, 3), st.booleans()).map(lambda b: ("open", b)),
    st.tuples(st.integers(1, 3), spots, st.sampled_from([0, 5, 10, 20])).map(lambda b: ("bet", b)),
    st.just(("go on", None)),
)


@settings(max_examples=times(100), deadline=None)
@given(tables, st.lists(events, max_size=30), decks, st.data())
def test_whatever_happens_the_meter_adds_up(
    table: tuple[str, str, str], what: list[tuple[str, object]], deck: list[str], data: st.DataObject
) -> None:
    t = JackpotTelling(*table)
    t.role("casino-manager")
    cards = list(deck) * 10
    for kind, value in what:
        match kind, value:
            case "key", str(words):
                t.key(words)
            case "role", str(role):
                t.role(role)
            case "draw", int(count):
                t.draw(" ".join(cards.pop(0) for _ in range(count)))
            case "meter", "down":
                t.tell(DeviceFault("meter", "meter.offline"))
            case "meter", _:
                t.tell(DeviceCleared("meter", "meter.offline"))
            case "open", (int(area), bool(jackpot)):
                place_bets(t, {area}, {area} if jackpot else set())
            case "bet", (int(area), str(spot), int(amount)):
                t.bet(area, **{spot: amount})
            case _ if t.table.round is not None and not t.table.round.outcome:
                _one_step(t, cards, data)
    assert encode(fold(Table(), [Seen(*fact) for fact in t.facts])) == encode(t.table)


def _one_step(t: JackpotTelling, cards: list[str], data: st.DataObject) -> None:
    """What the table waits for first."""
    for request in t.felt.waiting[:1]:
        if isinstance(request, Cards):
            t.draw(cards.pop(0))
        elif isinstance(request, Settle):
            t.key("settle")
        elif isinstance(request, Choice):
            t.bet(int(request.place), **{request.spot: request.amount // 100})
