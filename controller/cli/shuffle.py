"""felt shuffle: whether a shuffling machine is accepted, by shuffles that were recorded."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from controller.cards import DECK, UNREAD, is_card
from controller.cli.client import TROUBLE, columns, dumped, explained, with_json
from controller.cli.journal_file import Bar, logs_beside, with_keys
from controller.cli.journal_keys import veil_by
from controller.cli.output import say
from controller.counts import many
from controller.errors import FeltError
from controller.guard.acceptance import SURE, Acceptance, Order, accept
from controller.views import shuffle_plot

NEW = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
MACHINES = 20  # simulated ones of each kind, to tell what would be found
LONGEST = 2000  # shuffles; more of them are not simulated


@click.group(name="shuffle")
def command() -> None:
    """Shuffling machines: the procedure by which one is accepted."""


@command.command(name="accept")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--journal", type=click.Path(path_type=Path), help="The shoes of this journal, of a stopped table.")
@with_keys
@click.option("--simulate", metavar="fair|RIFFLES", help="A simulated machine: fair, or so many riffles of a new deck.")
@click.option("--count", default=260, show_default=True, type=click.IntRange(2, LONGEST), help="Shuffles to simulate.")
@click.option("--seed", default=1, show_default=True, help="Of the simulation.")
@click.option("--decks", default=1, show_default=True, type=click.IntRange(1, 8), help="Decks in the machine.")
@click.option("--from-new", is_flag=True, help="Every shuffle of FILE began with a deck in new order.")
@click.option("--svg", "drawing", type=click.Path(path_type=Path), help="Draw the picture into this file.")
@click.option("--power/--no-power", default=True, help="Simulate which machines so many shuffles would find.")
@with_json
@explained
def accepted(
    file: Path | None,
    journal: Path | None,
    simulate: str | None,
    count: int,
    seed: int,
    decks: int,
    from_new: bool,
    drawing: Path | None,
    power: bool,
    as_json: bool,
) -> None:
    """Accept a machine or not, at 95 %, by recorded shuffles.

    FILE has one shuffle a line, the cards as they lie, such as `Ah Td 3c ...`; each line is the order before the next
    one.  Exit status 0: nothing speaks against the machine; 1: something does, or nothing could be asked.
    """
    if sum(each is not None for each in (file, journal, simulate)) != 1:
        raise FeltError("shuffle.source", "name a FILE, a --journal or a machine to --simulate, one of them")
    before: list[Order] | None
    if file is not None:
        shuffles, before = _of_file(file, decks, from_new=from_new)
    elif journal is not None:
        shuffles, before = _of_journal(journal, decks), None
    else:
        shuffles, before = _simulated(simulate or "", count, seed, decks)
    result = accept(shuffles, decks, before)
    if drawing is not None:
        drawing.write_text(shuffle_plot.svg(result), encoding="utf-8")
    tried = _power(len(shuffles)) if power and before is not None and decks == 1 else []
    if as_json:
        print(dumped(_json(result, tried)))
    else:
        for line, colour in _text(result, tried):
            say(line, colour)
    sys.exit(0 if result.accepted else TROUBLE)


# ---- where shuffles come from


def _of_file(file: Path, decks: int, *, from_new: bool) -> tuple[list[Order], list[Order] | None]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise FeltError("shuffle.unread", f"{file}: {error}") from None
    orders = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            orders.append(_checked(words, decks, f"{file}:{number}"))
    whole = all(len(order) == len(DECK) * decks for order in orders)
    if from_new and decks == 1:
        return orders, [NEW] * len(orders) if whole else None
    return (orders[1:], orders[:-1]) if whole and decks == 1 and len(orders) > 1 else (orders, None)


def _checked(words: list[str], decks: int, where: str) -> Order:
    wrong = next((word for word in words if not is_card(word)), None)
    if wrong is not None:
        raise FeltError("shuffle.unread", f"{where}: {wrong!r} is no card")
    double = next((word for word in words if words.count(word) > decks), None)
    if double is not None:
        raise FeltError("shuffle.unread", f"{where}: {double} is there {words.count(double)} times")
    return words


def _of_journal(file: Path, decks: int) -> list[Order]:
    """Returns the shoes of a journal, those with cards that could not be read left out."""
    from controller.journal.errors import JournalError
    from controller.journal.store import Journal
    from controller.service.follower import Follower

    follower, bar = Follower(), Bar()
    shoes: dict[int, list[str]] = {}
    try:
        journal = Journal.inspect(file, veil_by())
        try:
            with logs_beside():
                for record in journal.iterate(1):
                    follower.retell(record)
                    shoe = follower.table.shoe
                    if shoe.cards and follower.table.options.typed.decks == decks:
                        shoes[shoe.number] = [each.card for each in shoe.cards]
                    bar.show(record.seq, journal.head.seq)
        finally:
            bar.end()
            journal.close()
    except JournalError as error:
        raise FeltError(error.code, error.cause, error.next_step) from None
    return [order for order in shoes.values() if UNREAD not in order]


def _simulated(machine: str, count: int, seed: int, decks: int) -> tuple[list[Order], list[Order]]:
    if machine != "fair" and not (machine.isdecimal() and 0 < int(machine) < 100):
        raise FeltError("shuffle.source", f"a simulated machine is `fair` or a number of riffles, not {machine[:40]!r}")
    chance = random.Random(seed)
    riffles = 0 if machine == "fair" else int(machine)
    return [_shuffle(riffles, decks, chance) for _ in range(count)], [NEW * decks] * count


def _shuffle(riffles: int, decks: int, chance: random.Random) -> Order:
    cards = NEW * decks
    for _ in range(riffles):
        cards = riffled(cards, chance)
    return cards if riffles else chance.sample(cards, len(cards))


def riffled(cards: Sequence[str], chance: random.Random) -> list[str]:
    """Returns the cards after one riffle: cut about the middle, dropped in proportion to the packets that are left."""
    left = chance.getrandbits(len(cards)).bit_count()
    sides = sorted(range(len(cards)), key=lambda _: chance.random())
    packets = iter(cards[:left]), iter(cards[left:])
    return [next(packets[side >= left]) for side in sides]


# ---- telling


def _power(count: int) -> list[tuple[int, int]]:
    """Returns how many of some simulated machines so many shuffles find, by the number of riffles they do."""
    out = []
    for riffles in (4, 5, 6, 7):
        chance = random.Random(riffles)
        verdicts = []
        for _ in range(MACHINES):
            shuffles = [_shuffle(riffles, 1, chance) for _ in range(min(count, 400))]
            verdicts.append(accept(shuffles, 1, [NEW] * len(shuffles)).accepted)
        out.append((riffles, verdicts.count(False)))
    return out


def _text(result: Acceptance, tried: list[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    yield f"{many(result.shuffles, 'shuffle')}, {many(result.cards, 'card')} of each", ""
    rows: list[tuple[str, ...]] = [("question", "chi-squared", "freedom", "chance", "measured")]
    for each in result.tests:
        rows.append((each.name, f"{each.x:.1f}", str(each.freedom), f"{each.chance:.4f}", each.measured))
    yield from ((line, "") for line in columns(rows, right=(1, 2, 3), spare=(4,)))
    for why in result.left_out:
        yield f"not asked: {why}", "yellow"
    yield from ((line, "") for line in shuffle_plot.lines(result))
    for riffles, times in tried:
        yield f"so many shuffles find {times} of {MACHINES} simulated machines that riffle {riffles} times", ""
    if tried:
        yield "what a machine does in a way that none of these questions asks about is not found", ""
    low = f"below {result.level:.4f}"
    if result.accepted:
        yield f"accepted at {100 * (1 - SURE):.0f} %: no chance is {low}; that proves no machine fair", "green"
    elif result.tests:
        yield f"NOT accepted at {100 * (1 - SURE):.0f} %: a chance is {low}", "red"
    else:
        yield "nothing could be asked: record more shuffles", "red"


def _json(result: Acceptance, tried: list[tuple[int, int]]) -> dict[str, object]:
    return {
        "accepted": result.accepted,
        "shuffles": result.shuffles,
        "cards": result.cards,
        "level": result.level,
        "tests": [each._asdict() for each in result.tests],
        "left_out": list(result.left_out),
        "neighbours": list(result.neighbours),
        "found": [{"riffles": riffles, "machines": MACHINES, "found": times} for riffles, times in tried],
    }
