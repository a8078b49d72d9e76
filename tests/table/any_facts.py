"""Facts of every kind, sensible and junk, chosen by a seed: what a broken device or a broken program might tell."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from controller.cards import DECK
from controller.games import defaults, find, house_game
from controller.house.layout import look
from controller.jackpot.rules import Award, Terms
from controller.places import area_of
from controller.poker import view as poker
from controller.poker.hand import choices
from controller.poker.hand.course import stage
from controller.poker.money.stacks import running
from controller.poker.room import blinds
from controller.poker.state import Hand, room_in
from controller.rules import ROLES
from controller.table import facts as f
from controller.table.deck_deeds import DEEDS, UNFIT
from controller.table.facts import AnyFact, Badge, CardOut, CardRead, Chips, Key, Spot, Started
from controller.table.keys import keys_of
from controller.table.requests import Cards, Choice, Order, Press, Request, Wagers
from controller.table.state import Table

HUGE = 2**63
AMOUNTS = (0, 0, 1, 50, 500, 1000, 1000, 1000, 2000, 3000, 5000, 50_000, 90_000, -1000, HUGE - 1, HUGE, 10**19, 10**40)
NUMBERS = ("0", "1", "2", "3", "4", "5", "9", "10", "12", "51", "52", "53", "311", "312", "999", "9999", "-1", "99999")
JUNK = (
    *(
        "",
        "x",
        "X",
        "two",
        "off",
        "on",
        "none",
        "all",
        "shown",
        "ante",
        "=",
        "a=b",
        "=1",
        "1=",
        "1=Kh",
        "0%",
        "5%",
        "%",
    ),
    *("3.9", "3.1", "3.2", "0.1", "-", ",", "1,", "1-3", "3-1", "1-99", "1,1", "dealer", "flop", "community", "board"),
    *("9" * 20, "9" * 5000, "1e9", "²", "٣", "Ⅷ", "é", "\x00", "a b", "kh", "Kh", "??", "^5c", "1/2", "0x10", "+5"),
    *(
        "0.001",
        "5.",
        ".5",
        "1..2",
        "min=0",
        "max=0",
        "none:5",
        "flush:x",
        "pair:5",
        "2:3,5:5",
        "1h",
        "0s",
        "5ms",
        "-5s",
    ),
)
VALUES: tuple[str, ...] = (
    *JUNK,
    *NUMBERS,
    "A",
    "B",
    "Z",
    "flush",
    "straight",
    "pair",
    "auto",
    "manual",
    "hand",
    "csm",
    "shuffler",
    "batch",
)
VALUES += ("key", "last-card", "nsw", "vic", "20000", "10000", "3,4", "4,3", "2", "1", "percent", "time", "per-hand")
VALUES += (
    "per-person",
    "no-limit",
    "pot",
    "half-pot",
    "fixed",
    "spread",
    "10,20",
    "5,10",
    "5",
    "2.50",
    "30s",
    "red,red",
)
VALUES += (
    "watch",
    "hold",
    "57.22%",
    "10.00%",
    "straight-flush:500,four-of-a-kind:100",
    "2:3",
    "1,2,3,4,5,6,7,8,9,10,11,12,13,14",
)
ELSEWHERE = ("fold", "no-more-bets", "boxed", "dead", "act", "burn")  # keys that some tables do not have
CODES = (
    "",
    "shoe.jam",
    "shuffler.jam",
    "shuffler.count-wrong",
    "shuffler.mixed-backs",
    "sensor.dark",
    "x",
    "lost",
    "?",
)
DEVICES = (
    "",
    "shoe",
    "shuffler",
    "sensor.1",
    "sensor.x",
    "reader.1",
    "reader.board",
    "meter",
    "display",
    "console",
    "?",
)
MORE_OPTIONS = ("jackpot-rate", "jackpot-group", "max-payout", "approved-min", "nonsense", "")
TERMS = (Terms("nsw", 1, 20000, 500), Terms("vic", 1, 10000, 500), Terms("vic", 9, 0, 0), Terms("nsw", 0, 20000, -5))


SEATS = ("1", "2", "3", "4", "5", "6")
ELSEWHERE_SEATED = ("dealer", "flop", "turn", "river", "community", "9", "12", "0", "3.2", "3.9", "999")


# ---- the words of a key, most of them as its form wants them


def cards(r: Random) -> list[str]:
    return [r.choice(DECK) for _ in range(r.randint(1, 5))]


def any_words(r: Random, seat: str) -> tuple[str, ...]:
    """A place, often with something more, or nothing."""
    more = r.choice(((), (), ("all",), ("shown",), ("ante",), ("off",), ("0",), ("1",), ("2",), ("3",), ("9",)))
    return r.choice(((seat, *more), (seat,), ()))


def no_words(r: Random, seat: str) -> tuple[str, ...]:
    return ()


def act(r: Random, seat: str) -> tuple[str, ...]:
    word = r.choice(("fold", "check", "call", "all-in", "take-back", "muck", "bet", "raise", "post", "straddle"))
    if word in ("bet", "raise", "post", "straddle"):
        return seat, word, r.choice(("5", "10", "20", "0", "9" * 25))
    return seat, word


def spoken(r: Random, seat: str) -> tuple[str, ...]:
    return seat, r.choice(("fold", "call", "raise", "bet"))


def seated(r: Random, seat: str) -> tuple[str, ...]:
    more = r.choice((("stack=500",), ("add=50",), ("take=50",), ("player=Anna",), ("stack=" + "9" * 20,), ()))
    return (r.choice((seat, "1-4", "3-1", "1,1", "2-999")), *more)


def marker(r: Random, seat: str) -> tuple[str, ...]:
    return seat, r.choice(("min=", "max=")) + r.choice(NUMBERS)


def hands(r: Random, seat: str) -> tuple[str, ...]:
    return () if r.random() < 0.3 else (f"{seat}={','.join(cards(r))}",)


def taken(r: Random, seat: str) -> tuple[str, ...]:
    return (seat, *cards(r))


def discard(r: Random, seat: str) -> tuple[str, ...]:
    return seat, cards(r)[0]


def two_seats(r: Random, seat: str) -> tuple[str, ...]:
    return seat, r.choice(SEATS)


def number(r: Random, seat: str) -> tuple[str, ...]:
    return (r.choice(NUMBERS),)


def order(r: Random, seat: str) -> tuple[str, ...]:
    return (r.choice(("known", "unknown")),)


def cause(r: Random, seat: str) -> tuple[str, ...]:
    return (r.choice(("fraud", "disturbance")),)


def majority(r: Random, seat: str) -> tuple[str, ...]:
    return (r.choice(("majority", "all")),)


def person(r: Random, seat: str) -> tuple[str, ...]:
    return (r.choice(("Anna", "S1", "S2")),)


def person_and_seat(r: Random, seat: str) -> tuple[str, ...]:
    return (*person(r, seat), *r.choice(((), (seat,))))


def groups(r: Random, seat: str) -> tuple[str, ...]:
    return (r.choice(("North", "North=5", "x=y", "=")),)


def burned(r: Random, seat: str) -> tuple[str, ...]:
    return r.choice(((), (seat,), (cards(r)[0],)))


WORDS: dict[str, Callable[[Random, str], tuple[str, ...]]] = {
    "act": act,
    "said": spoken,
    "seat": seated,
    "marker": marker,
    "reconstruct": hands,
    "taken": taken,
    "discard": discard,
    **dict.fromkeys(("owner", "move", "ask", "viewed"), two_seats),
    **dict.fromkeys(("count", "cut", "cutting-card"), number),
    "order": order,
    "invalidate": cause,
    "agree": majority,
    "back": person,
    "list": person_and_seat,
    "close-jackpot": groups,
    "burn": burned,
    **dict.fromkeys(("settle", "no-more-bets", "misdeal", "resume", "announced", "looked"), no_words),
}


class Anybody:
    """Makes up what happens next at a table; `sense` of all facts are those that the table waits for."""

    def __init__(self, seed: int, sense: float) -> None:
        self.rng = Random(seed)
        self.sense = sense
        self.deck: list[str] = []

    def start(self, game: str) -> Started:
        """The table begins, now and then with options that are not its defaults, all of them sensible."""
        options = defaults(game)
        sets = [{}, {"gates": "manual"}, {"announce": "key"}, {"shoe": "csm"}, {"shoe": "batch"}, {"burn": "on"}]
        jackpot = find(game).document.jackpot
        if jackpot is not None:
            sets += [{"jackpot": jackpot.kind}] * 3
        if "blinds" in options:
            sets = [
                {},
                {"rake": "5%"},
                {"rake-method": "time", "rake": "5"},
                {"rake-method": "per-person", "rake": "2"},
            ]
            sets += [
                {"act-time": "30s", "extra-time": "10s", "extra-fee": "1"},
                {"limit": "pot"},
                {"bonus": "flush:50"},
            ]
            sets += [{"limit": "fixed", "bets": "10,20"}, {"straddle": "on"}, {"over-blinds": "on"}]
        more = {name: value for name, value in self.rng.choice(sets).items() if name in options}
        return Started(game, options | more, {}, self.rng.choice(["", "", "own", "shared"]))

    def fact(self, table: Table) -> AnyFact:
        if self.rng.random() < self.sense:
            return self.sensible(table)
        return self.junk(table)

    # ---- what the table waits for

    def card(self) -> str:
        if not self.deck or self.rng.random() < 0.02:
            self.deck = [*DECK]
            self.rng.shuffle(self.deck)
        return self.deck.pop()

    def sensible(self, table: Table) -> AnyFact:
        r = self.rng
        if r.random() < 0.08:
            return Badge(r.choice(("dealer", "supervisor", "casino-manager", "casino-manager")))
        if table.holds:
            return r.choice((Badge("casino-manager"), Key("resume"), Key("void")))
        if not table.open:
            return Key("open-table")
        if room_in(table) is not None:
            return self.poker(table)
        return self.house(table)

    def house(self, table: Table) -> AnyFact:
        """What a table of the house waits for."""
        r = self.rng
        if table.talk is not None:
            question = r.choice(table.talk.open)
            return self.key(r.choice(question.words), question.place, table)
        layout = look(table, house_game(table.game))
        if layout is not None and layout.waiting:
            return self.answer(r.choice(layout.waiting), table)
        if r.random() < 0.2:
            return Key(r.choice(("checked", "shuffled", "cut", "replaced")))
        return self.bets(table)

    def answer(self, request: Request, table: Table) -> AnyFact:
        """What one request of a script asks for."""
        r = self.rng
        match request:
            case Wagers():
                return Key("no-more-bets") if r.random() < 0.3 else self.bets(table)
            case Cards():
                return CardOut(self.card())
            case Choice():
                return self.choose(request)
            case Press():
                return self.key(request.key, "", table)
            case Order():
                return Key("order", (r.choice(("known", "unknown")),))
        return Key("settle")

    def choose(self, request: Choice) -> AnyFact:
        """A decision, by a key or with chips."""
        r = self.rng
        if request.words and r.random() < 0.4:
            word = r.choice(request.words)
            return Key(word.key, (request.place, *word.args))
        bettor = int(request.place.partition(".")[2] or 1)
        amount = r.choice((request.amount, *request.amounts))
        return Chips(area_of(request.place), (Spot(request.spot, bettor, amount),))

    def bets(self, table: Table) -> AnyFact:
        game, r = house_game(table.game), self.rng
        spots = tuple(
            Spot(s, 1, 500 if s == "jackpot" else 1000) for s in (*game.opening, "jackpot") if r.random() < 0.8
        )
        return Chips(r.randint(1, 4), spots)

    def poker(self, table: Table) -> AnyFact:
        """What a poker table waits for."""
        if len(table.seats) < 3:
            return Key("seat", (str(self.rng.randint(1, 6)), "stack=500"))
        hand = running(table)
        if hand is None:
            return self.between_hands(table)
        turn = choices.choices(table)
        return self.in_turn(hand, turn) if turn is not None else self.by_dealer(table)

    def between_hands(self, table: Table) -> AnyFact:
        r = self.rng
        plan = blinds.next_hand(table) if blinds.able(table) else None
        if plan is None or not plan.posts or r.random() < 0.1:
            keys = ("collect", "confirm-charge", "drop", "agree all", "checked", "shuffled", "cut")
            word, *args = r.choice(keys).split()
            return Key(word, tuple(args))
        seat, amount = next(iter(plan.posts.items()))
        return Key("act", (seat, "post", str(amount // 100)))

    def in_turn(self, hand: Hand, turn: choices.Choices) -> AnyFact:
        """What the player whose turn it is may do."""
        r = self.rng
        if turn.what == "discard":
            return Key("discard", (turn.seat, r.choice(hand.cards.get(turn.seat, ["Kh"]) or ["Kh"])))
        word = r.choice(turn.offers)
        if word == "post":
            return Key("act", (turn.seat, "post", str(turn.amount // 100)))
        if word in ("bet", "raise"):
            return Key("act", (turn.seat, word, str(turn.least // 100)))
        if r.random() < 0.2:
            return f.Pushed(int(turn.seat), (max(turn.amount, 100),))
        return Key("act", (turn.seat, word))

    def by_dealer(self, table: Table) -> AnyFact:
        """What the dealer does next, when it is nobody's turn."""
        r, what = self.rng, stage(table).what
        if what in ("deal", "board"):
            return CardRead(poker.next_reader(table), self.card())
        if what == "over" and r.random() < 0.3:
            return Key(r.choice(("bonus", "confirm-bonus")), (str(r.randint(1, 6)),))
        return Key({"burn": "burn", "shuffle": "shuffled", "cut": "cut", "ruling": "misdeal"}.get(what, "settle"))

    # ---- anything

    def junk(self, table: Table) -> AnyFact:
        r = self.rng
        make = r.choice(
            (*(self.any_key,) * 8, *(self.any_chips,) * 2, *(self.any_card,) * 2, self.any_other, self.any_meter)
        )
        return make(table)

    def any_key(self, table: Table) -> Key:
        name = self.rng.choice((*(key.name for key in keys_of(find(table.game))), *ELSEWHERE, "jump", ""))
        return self.key(name, "", table)

    def key(self, name: str, place: str, table: Table) -> Key:
        r = self.rng
        if r.random() < 0.1:
            return Key(name, tuple(r.choice(JUNK) for _ in range(r.randint(0, 3))))
        if name in ("set", "notice"):
            options = [r.choice((*table.options, *MORE_OPTIONS)) for _ in range(r.choice((1, 1, 2)))]
            return Key(name, tuple(f"{option}={r.choice(VALUES)}" for option in options))
        if name == "refuse":
            return Key(name, (self.seat(place), r.choice((*find(table.game).spots, "x"))))
        words = WORDS.get(name, any_words)
        return Key(name, words(r, self.seat(place)))

    def seat(self, place: str) -> str:
        """A place, most often this one."""
        places = (place,) * 6 if place else SEATS
        return self.rng.choice((*places, *places, *ELSEWHERE_SEATED))

    def any_chips(self, table: Table) -> AnyFact:
        r = self.rng
        area = r.choice((*range(1, 7), *range(1, 7), 0, 9, 12, -1, 250, 2**40))
        spots = (*find(table.game).spots, *find(table.game).spots, "jackpot", "jackpot", "", "ante", "x y", "bonus")
        made = [
            Spot(r.choice(spots), r.choice((1, 1, 1, 2, 3, 0, 9, -1)), r.choice(AMOUNTS), r.random() < 0.1)
            for _ in "ab"
        ]
        amounts = [amount for amount in AMOUNTS if abs(amount) < HUGE] if r.random() < 0.9 else AMOUNTS
        made = [Spot(x.spot, x.bettor, r.choice(amounts), x.token) for x in made]
        return r.choice(
            (
                Chips(area, tuple(made[: r.randint(0, 2)])),
                Chips(area, tuple(made)),
                f.UnknownChip(area, made[0].spot, made[0].bettor),
                f.Pushed(area, tuple(r.choice(amounts) for _ in range(r.randint(0, 3))), r.random() < 0.2),
            )
        )

    def any_card(self, table: Table) -> AnyFact:
        r = self.rng
        cards = [r.choice((self.card(), "??", "1x", "", "Kh", "Kh")) for _ in range(4)]
        reader = r.choice(("1", "2", "3", "board", "9", "12", "", "x", "0"))
        together = tuple(cards[: r.choice((0, 0, 2, 3))])
        return r.choice(
            (
                CardOut(cards[0], r.random() < 0.1),
                f.CardsOut(tuple(cards[: r.randint(0, 4)])),
                CardRead(reader, cards[0], r.random() < 0.1, together),
                CardRead(reader, cards[0], r.random() < 0.1, together),
                f.CuttingCard(),
                f.ShoeEmpty(),
            )
        )

    def any_other(self, table: Table) -> AnyFact:
        r = self.rng
        device, code = r.choice(DEVICES), r.choice(CODES)
        return r.choice(
            (
                Badge(r.choice((*ROLES, "", "emperor")), r.choice(("", "Anna"))),
                f.BadgePresented(r.choice(("1", "2", "")), r.choice(("", "Anna"))),
                f.SignedIn(
                    "Anna", r.choice(("1", "2")), r.choice((*ROLES, "emperor")), r.choice(("console", "page")), -1, 5
                ),
                f.SignedOut(r.choice(("Anna", "")), r.choice(("console", "page"))),
                f.SignInFailed(r.choice(("1", "2", "")), r.choice(("console", "page")), r.choice(("wrong", "x"))),
                f.Key(r.choice(("seat", "void", "sign-out")), (), 0, "Eve", r.choice((*ROLES, "emperor")), "page"),
                f.Shuffled(r.choice((52, 312, 0, 51, -1, HUGE - 1)), r.random() < 0.7),
                f.DeckIn(device, r.choice(("red", "blue", "green", ""))),
                f.DeckDeed(
                    r.choice((*DEEDS, "eat")),
                    r.choice(("Anna", "Anna", "")),
                    r.choice((*ROLES, "emperor")),
                    "page",
                    deck=r.choice((0, 0, 1, 2, 3, 7, -1, HUGE - 1)),
                    colour=r.choice(("red", "blue", "", "RED")),
                    serial=r.choice(("A1", "A2", "", "a b")),
                    count=r.choice((-1, -1, 52, 51, 312, HUGE - 1)),
                    fault=r.choice((*UNFIT, "")),
                    cards=r.choice(((), ("Kh",), ("XX",))),
                    slip=r.choice(("S1", "")),
                    seal=r.choice(("L1", "")),
                    witness=r.choice(("Bob", "Anna", "")),
                ),
                f.DeviceFault(device, code, r.choice(("", "detail"))),
                f.DeviceCleared(device, code),
                f.DeviceLost(device, code, ""),
                f.DeviceReady(device),
                f.Noted(device, r.choice(("CardsLow", "x", ""))),
                f.Serviced(device, "pair", "n", "l", "t", "r", "a"),
                f.HouseChanged(r.choice((*table.options, "x", "", "a:b")), r.choice(VALUES)),
                f.Tick(),
                f.Hold(code, "text", device),
                f.Released(code, device),
                f.Amend(
                    r.choice((*(seen.seq for seen in table.history), 0, 5)), r.choice((None, self.sensible(table)))
                ),
                f.Amend(r.choice((*(seen.seq for seen in table.history), 0, 5)), self.any_key(table)),
            )
        )

    def any_meter(self, table: Table) -> AnyFact:
        r = self.rng
        number = r.choice((*(w.number for w in table.jackpot.pending), 0, 1, 7))
        award = Award(HUGE // 2, 5, (), 0, r.choice((0, 5, -5)))
        value = r.choice((0, 1000, 10**9, -5, HUGE - 1))
        return r.choice(
            (
                f.MeterIs(value, r.choice((None, "", "North"))),
                f.MeterTold(
                    "", r.choice((0, 1, 5, table.jackpot.numbered)), value, r.choice(TERMS), ((number, award),)
                ),
                f.HouseChanged(r.choice(("meter:North", "open:", ":", "jackpot:x", "method")), r.choice(VALUES)),
            )
        )
