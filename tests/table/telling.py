"""A table in a test: facts in short words, without devices."""

from __future__ import annotations

import msgspec

from controller.games import defaults, find, step
from controller.house.game import HouseGame
from controller.house.layout import Layout, lay_out, look
from controller.money import cents
from controller.table.effects import AnyEffect, Prompted, Refused
from controller.table.facts import AnyFact, Badge, CardOut, CardRead, Chips, Key, Pushed, Spot, Started
from controller.table.state import Line, Table, clone, encode
from tests.citing import unknown


class Telling:
    """Tells facts one after the other and checks, after each, what must always hold."""

    def __init__(self, game: str = "casino-war", **options: str) -> None:
        self.table = Table()
        self.seq = 0
        self.at = 0
        self.effects: list[AnyEffect] = []
        self.facts: list[tuple[int, int, AnyFact]] = []
        self.tell(Started(game, {**defaults(game), **{k.replace("_", "-"): v for k, v in options.items()}}))

    def tell(self, fact: AnyFact) -> list[AnyEffect]:
        self.seq += 1
        self.facts.append((self.seq, self.at, fact))
        before = encode(self.table)
        table, effects = step(self.table, self.seq, self.at, fact)
        assert encode(self.table) == before, "a step must leave the old table as it was"
        self.table = table
        self.effects += effects
        assert not self.table.game or not unknown(self.game.document.number, msgspec.to_builtins(effects))
        self._check_reentrant()
        return effects

    def _check_reentrant(self) -> None:
        """The script may be run any number of times: it changes nothing and always says the same."""
        if not self.table.game:
            return
        before = encode(self.table)
        if not isinstance(self.game, HouseGame):
            assert self.game.waiting(self.table) == self.game.waiting(clone(self.table))
            return
        first, second = look(self.table, self.game), look(clone(self.table), self.game)
        assert encode(self.table) == before
        assert (first is None) == (second is None)
        if first is not None and second is not None:
            assert first.waiting == second.waiting
            assert first.hands == second.hands

    @property
    def game(self):  # type: ignore[no-untyped-def]
        return find(self.table.game)

    @property
    def felt(self) -> Layout:
        assert self.table.round is not None
        return lay_out(self.table, self.table.round, self.game)

    def bet(self, area: int, bettor: int = 1, **spots: int) -> list[AnyEffect]:
        """Amounts in dollars; go_to_war is go-to-war."""
        read = tuple(Spot(spot.replace("_", "-"), bettor, 100 * dollars) for spot, dollars in spots.items())
        return self.tell(Chips(area, read))

    def draw(self, cards: str) -> None:
        for card in cards.split():
            self.tell(CardOut(card))

    def key(self, words: str) -> list[AnyEffect]:
        name, *args = words.split()
        return self.tell(Key(name, tuple(args)))

    def do(self, *deeds: str | AnyFact) -> list[str]:
        """Tells facts, or short words for them, and returns what people hear of the last one, each with its rule.

        Words: role, read (a card at a reader), draw (cards of the shoe), bet, push; any others are a key.
        """
        effects: list[AnyEffect] = []
        for deed in deeds:
            effects = self._do(deed) if isinstance(deed, str) else self.tell(deed)
        return heard(effects)

    def _do(self, words: str) -> list[AnyEffect]:
        verb, *args = words.split()
        match verb:
            case "role":
                return self.tell(Badge(args[0]))
            case "read":
                return [effect for card in args[1:] for effect in self.tell(CardRead(args[0], card))]
            case "draw":
                return [effect for card in args for effect in self.tell(CardOut(card))]
            case "push":
                return self.tell(Pushed(int(args[0]), tuple(cents(chip) for chip in args[1:])))
            case "bet":
                lying = [word.partition("=") for word in args[1:]]
                return self.tell(Chips(int(args[0]), tuple(Spot(spot, 1, cents(chips)) for spot, _, chips in lying)))
        return self.key(words)

    def role(self, role: str) -> None:
        self.tell(Badge(role))

    def line(self, place: str, spot: str) -> Line | None:
        return self.felt.line(place, spot)

    def refusals(self) -> list[Refused]:
        return [e for e in self.effects if isinstance(e, Refused)]


def heard(effects: list[AnyEffect]) -> list[str]:
    """Returns what people hear: refusals, rulings and prompts, as "text (rule)"."""
    said = []
    for effect in effects:
        match effect:
            case Refused():
                said.append(f"refused: {effect.why} ({effect.rule})")
            case Prompted():
                said.append(f"{effect.prompt.text} ({effect.prompt.rule})")
    return said


def outcome(t: Table) -> str:
    """Returns how the newest round ended; empty while it runs."""
    assert t.round is not None
    return t.round.outcome
