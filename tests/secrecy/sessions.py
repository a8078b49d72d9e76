"""Rounds that are played twice: once at random, once with other cards in the place of those that nobody may see.

Whatever leaves the table must be the same to the last byte: then it tells nothing of these cards, in no form.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from controller.cards import DECK, spoken
from controller.errors import FeltError
from controller.games import find
from controller.service.round_store import FILE
from controller.sim.dealers import dealers
from controller.sim.soak.oracle import Oracle
from controller.views.cards import seen
from hw_sim.loop import run
from tests.secrecy.commands import commands
from tests.secrecy.files import files, keep_checkpoint
from tests.secrecy.watched import Outputs, Watched, determined, masked, watched

SLIPS: Final = ("exposed 1", "exposed dealer", "misdeal", "void", "settle", "fold 2", "short 1", "taken 1")
FAULTS: Final = ("unplug", "hang", "power")
MOST: Final = 150  # looks at one round: the dealer here answers no question that only an area manager may
TROUBLE: Final = 0.04  # how often something goes wrong after a deed
LOOK: Final = 0.15  # how often everything is asked after a deed
EXAMPLES: Final = ("reconstruct 1=Kh,2d",)  # in what people are told of a key
SIGNS: Final = dict(zip("cdhs", "♣♦♥♠", strict=True))


class Plan(NamedTuple):
    """One session: the game, what is set at the table, how many rounds, and the seed of all that is random."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    rounds: int = 1
    seed: int = 0
    trouble: bool = False
    console: bool = True  # the dealer's page is open
    felt: bool = False  # commands are tried at the end
    looks: float = LOOK


class Deed(NamedTuple):
    """Something that was done at a device, or to it; no device: the table came to rest and was looked at."""

    at: float
    deck: int  # which deck its cards are of
    device: str = ""
    verb: str = ""
    args: tuple[Any, ...] = ()
    whole: bool = False  # everything was asked


class Leak(AssertionError):
    """Something that somebody could see of a card."""


class Cards:
    """The cards of a session: which were dealt, and which of them have been turned."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.deck = -1
        self.dealt: list[list[str]] = []
        self.turned: list[set[str]] = []
        self._left: list[str] = []

    def shuffle(self) -> None:
        self.deck += 1
        self.dealt.append([])
        self.turned.append(set())
        self._left = self._chance.sample(DECK, len(DECK))

    def next(self) -> str:
        card = self._left.pop()
        self.dealt[self.deck].append(card)
        return card

    def hidden(self, deck: int) -> list[str]:
        return [card for card in self.dealt[deck] if card not in self.turned[deck]]

    def never_seen(self) -> set[str]:
        """Returns the cards that lie hidden now, and were not turned in another round either."""
        return set(self.hidden(self.deck)) - set().union(*self.turned) if self.dealt else set()

    def others(self, chance: random.Random) -> list[dict[str, str]]:
        """Returns for each deck which card takes the place of each hidden one: any that nobody has seen."""
        out = []
        for deck, dealt in enumerate(self.dealt):
            hidden = self.hidden(deck)
            unseen = hidden + [card for card in DECK if card not in dealt]
            out.append(dict(zip(hidden, chance.sample(unseen, len(hidden)), strict=True)))
        return out


# ---- the first time


class Session:
    """Plays a plan, and keeps what was done and what left the table."""

    def __init__(self, plan: Plan, table: Watched) -> None:
        self.plan = plan
        self.table = table
        self.chance = random.Random(plan.seed)
        self.cards = Cards(self.chance)
        self.deeds: list[Deed] = []
        self.seen: list[Outputs] = []
        self.rounds = self.steps = self.withheld = 0
        self.hashes: dict[str, str] = {}
        self._oracle = Oracle()
        self._one_deck = table.table.state.options.typed.decks == 1

    async def play(self, directory: Path) -> None:
        """Plays until the rounds are over, or the table waits for somebody who is not here."""
        engine = self.table.table.service.engine
        for name, device in self.table.table.sim.devices.items():
            device.do = self._kept(name, device.do)  # type: ignore[method-assign]
        dealer = dealers(engine.game).lively(self.table.table.sim, engine, self._rest, self.plan.seed)
        dealer._card = self.cards.next  # type: ignore[attr-defined]
        self.cards.shuffle()
        cut = self.chance.randint(8, self.chance.choice((20, 40, 80)))
        try:
            for number in range(self.plan.rounds):
                if number and self._one_deck:
                    self.cards.shuffle()
                self._cut = cut if number == self.plan.rounds - 1 else MOST
                await dealer.round(await dealer.players((1, 2, 3)))
                self.rounds += 1
        except (FeltError, _Cut):
            self.rounds += 1
        await self._look(whole=True)
        if self.plan.felt:
            outputs = await commands(self.table, directory)
            self._search(outputs)
            self.seen.append(outputs)
        self.hashes = self.table.hashes()
        left = files(self.table, directory)
        self._search(left)
        self.seen.append(left)

    def _kept(self, name: str, do: Callable[..., None]) -> Callable[..., None]:
        def deed(verb: str, *args: Any) -> None:
            self.deeds.append(Deed(_now(), self.cards.deck, name, verb, args))
            do(verb, *args)

        return deed

    async def _rest(self) -> None:
        await self._look(whole=self.chance.random() < self.plan.looks)
        if self.plan.trouble and self.chance.random() < TROUBLE:
            await self._trouble()
        self._cut -= 1
        if self._cut == 0:
            raise _Cut

    async def _trouble(self) -> None:
        """Lets something go wrong: a key that is pressed by mistake, perhaps with a card in it, or a fault."""
        if self.chance.random() < 0.6:
            words = self.chance.choice(SLIPS).split()
            if self.cards.hidden(self.cards.deck) and self.chance.random() < 0.3:
                words.append(self.chance.choice(self.cards.hidden(self.cards.deck)))
            self.table.table.sim.device("console").do("press", *words)
            await self._look(whole=True)
            return
        device, fault = self.chance.choice(self.table.cards_devices), self.chance.choice(FAULTS)
        for verb, args in (("fault", (fault,)), ("clear", ())):
            self.deeds.append(Deed(_now(), self.cards.deck, device, verb, args))
            do_to(self.table, device, verb, args)
            await self._look(whole=True)

    async def _look(self, *, whole: bool) -> None:
        self.deeds.append(Deed(_now(), self.cards.deck, whole=whole))
        await self.table.rest()
        if whole:
            keep_checkpoint(self.table.table.journal)
        self._turn()
        outputs = await self.table.all() if whole else self.table.cheap()
        self._search(outputs)
        self.seen.append(outputs)
        self.steps += 1

    def _turn(self) -> None:
        """Notes which cards the rules have turned."""
        state = self.table.table.state
        lying = find(state.game).cards(state)
        up = {card for cards in seen(lying).values() for card in cards}
        up |= {burn.card for burn in (*state.deck.burns, *lying.burns) if burn.shown}
        self.cards.turned[self.cards.deck] |= up & set(self.cards.dealt[self.cards.deck])
        if early := self._oracle.early(state, lying):
            raise Leak(f"the rules have not turned {early} in {self.plan}")

    def _search(self, outputs: Outputs) -> None:
        """Looks for the names of cards that lie hidden."""
        hidden = self.cards.never_seen()
        self.withheld += len(hidden)
        if not hidden:
            return
        pattern = named(hidden)
        for where, text in outputs.items():
            if where.endswith("/openapi.json"):  # examples of ours
                continue
            for example in EXAMPLES:
                text = text.replace(example, "")
            if '"body"' not in text and pattern.search(text) is None:
                continue
            text = masked(text, self.table.hashes())  # among so many digits there is every short word by chance
            if (found := pattern.search(text)) is not None:
                around = text[max(0, found.start() - 200) : found.end() + 100]
                raise Leak(f"{where} tells {found[0]!r}, which lies hidden: ...{around}... in {self.plan}")


class _Cut(Exception):
    """The session ends here, in the middle of a round."""


# ---- the second time


async def replay(first: Session, table: Watched, others: Sequence[dict[str, str]], directory: Path) -> None:
    """Does the same with other cards; raises Leak where anything that leaves the table is another thing."""
    looks = iter(first.seen)
    for deed in first.deeds:
        if deed.at > _now():
            await asyncio.sleep(deed.at - _now())
        if deed.device:
            do_to(table, deed.device, deed.verb, tuple(_other(arg, others[deed.deck]) for arg in deed.args))
            continue
        await table.rest()
        if deed.whole:
            keep_checkpoint(table.table.journal)
        outputs = await table.all() if deed.whole else table.cheap()
        _compare(first, next(looks), outputs, table, others)
    if first.plan.felt:
        _compare(first, next(looks), await commands(table, directory), table, others)
    _compare(first, next(looks), files(table, directory), table, others)


def do_to(table: Watched, device: str, verb: str, args: tuple[Any, ...]) -> None:
    target = table.table.sim.device(device)
    match verb:
        case "fault":
            target.fault(*args)
        case "clear":
            target.clear()
        case _:
            target.do(verb, *args)


def _other(arg: Any, others: dict[str, str]) -> Any:
    return others.get(arg, arg) if isinstance(arg, str) else arg


def _compare(first: Session, then: Outputs, now: Outputs, table: Watched, others: Sequence[dict[str, str]]) -> None:
    for where, text in then.items():
        if text == now[where]:
            continue
        before, after = masked(text, first.hashes), masked(now[where], table.hashes())
        if before != after:
            at = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), -1)
            around = slice(max(0, at - 150), at + 150)
            what = f"{where} depends on hidden cards: {before[around]!r} and {after[around]!r}"
            raise Leak(f"{what} in {first.plan} with {others}")


# ---- both


def play_twice(plan: Plan, directory: Path) -> Session:
    """Plays a plan twice; raises Leak when a card that lies hidden can be told from anything."""

    with determined() as log:
        first = run(_once(plan, directory, log))
    (directory / FILE).unlink()
    with determined() as log:
        run(_again(first, directory, log))
    (directory / FILE).unlink()
    return first


async def _once(plan: Plan, directory: Path, log: list[str]) -> Session:
    async with watched(plan.game, dict(plan.options), directory, log, console=plan.console) as table:
        first = Session(plan, table)
        await first.play(directory)
        return first


async def _again(first: Session, directory: Path, log: list[str]) -> None:
    plan = first.plan
    async with watched(plan.game, dict(plan.options), directory, log, console=plan.console) as table:
        await replay(first, table, first.cards.others(random.Random(plan.seed + 1)), directory)


def named(cards: set[str]) -> re.Pattern[str]:
    """Returns what finds these cards however they are written: Kh, K♥, king of hearts, as they are on a wire."""
    words = []
    for card in sorted(cards):
        rank, suit = card[0], card[1]
        rank = f"(?:{rank}|10)" if rank == "T" else rank
        words += [rf"\b{rank}(?:{suit}|{suit.upper()})\b", rank + SIGNS[suit], spoken(card), spoken(card).capitalize()]
        words.append(f"a2{card.encode().hex()}")
    return re.compile("|".join(words))


def _now() -> float:
    return asyncio.get_running_loop().time()
