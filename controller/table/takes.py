"""Takes and pays: what must lie on each spot once a wager is settled, and what the sensors read there.

Dealers take what is lost and pay what is won on the spot where the wager lies; then players lift it.  What is kept here
is frozen, and shared by all copies of a table.  It changes no settlement.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.places import At, area_of
from controller.table.times import SECOND

TakesOption: TypeAlias = Literal["off", "watch", "hold"]
WATCHING: Final[tuple[TakesOption, ...]] = ("watch", "hold")
Mistake: TypeAlias = Literal["untaken", "over", "under", "added", "late", "removed"]
MOST: Final = 16  # mistakes that are kept
PATIENCE: Final = 60 * SECOND  # for takes and pays, before new wagers that are held make a mistake of it


class Take(msgspec.Struct, frozen=True, omit_defaults=True):
    """One spot from its settlement until the chips are lifted, in cents."""

    round: int
    lay: int  # what lay there when it was settled
    want: int  # what must lie there when it is taken and paid
    now: int  # what was read last
    since: int = 0  # table time
    bonus: bool = False  # another line is paid here, whatever becomes of the wager itself
    left: bool = False  # as large a wager as the bonus is gone: it was taken, or left there as the bonus and lifted
    lifted: bool = False  # the winning stake is gone before anything was paid: to be exchanged, or nobody was paid
    back: int = 0  # how much too much was paid before all of the payment went off the spot again: back, or lifted

    @property
    def taken_first(self) -> bool:
        """Whether an empty spot means that the lost wager was taken, and the bonus is still to be paid."""
        return self.bonus and self.now == self.lay

    @property
    def unpaid(self) -> bool:
        """Whether a winning stake lies there as it lay, and nothing was paid on it yet."""
        return 0 < self.lay == self.now < self.want and not self.back

    @property
    def doubtful(self) -> bool:
        """Whether it is a mistake as it lies, when nothing more comes."""
        return self.back > 0 or not self.right

    @property
    def right(self) -> bool:
        """Whether just what must lie there lies there, or may be lifted already."""
        return self.now in ((self.want, 0) if self.left else (self.want,))


class TakeMistake(msgspec.Struct, frozen=True, array_like=True):
    """What was not as it should be, and by how much."""

    round: int
    at: At
    what: Mistake
    by: int


class Takes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The spots that wait, and what was wrong with earlier ones."""

    waiting: dict[At, Take] = {}  # never changed in place
    wrong: tuple[TakeMistake, ...] = ()  # the newest last

    @property
    def unfinished(self) -> list[At]:
        """The spots where something is still to be taken or paid."""
        return [at for at, take in self.waiting.items() if take.doubtful]

    def without(self, *gone: At) -> Takes:
        """Returns the same without these spots."""
        return replace(self, waiting={at: take for at, take in self.waiting.items() if at not in gone})

    def with_mistake(self, take: Take, at: At, what: Mistake, by: int) -> Takes:
        """Returns the same with one mistake more; one of this kind at this spot in this round is told once."""
        new = TakeMistake(take.round, at, what, by)
        others = [each for each in self.wrong if (each.round, each.at, each.what) != (take.round, at, what)]
        return replace(self, wrong=(*others, new)[-MOST:])


NO_TAKES: Final = Takes()


def settled(takes: Takes, at: At, take: Take, staked: int) -> Takes:
    """Returns the same with a wager that was just settled; `staked`: what was accepted there."""
    if take.lay > staked:
        takes = takes.with_mistake(take, at, "late", take.lay - staked)
    if take.lay < staked:
        takes = takes.with_mistake(take, at, "removed", staked - take.lay)
    return replace(takes, waiting={**takes.waiting, at: take})


def bonus(takes: Takes, at: At, net: int) -> Takes:
    """Returns the same with a further line that is paid on this spot."""
    take = takes.waiting.get(at)
    if take is None:
        return takes
    return replace(takes, waiting={**takes.waiting, at: replace(take, want=take.want + net, bonus=True)})


def read(takes: Takes, at: At, amount: int) -> tuple[Takes, int | None]:
    """Returns the same after a reading of a spot that waits, and how much a new wager there is; None: none of it."""
    take = takes.waiting[at]
    before, now = take.now, replace(take, now=amount)
    if take.lifted:
        return _put_back(takes, at, take, amount)
    if amount == take.want:
        return (takes.without(at), None) if not amount else (_kept(takes, at, now), None)
    if not amount and take.taken_first:
        return _kept(takes, at, replace(now, lay=0, bonus=False, left=take.right)), None
    if amount == before:
        return takes, None
    if 0 < amount == take.lay < take.want < before:  # the payment alone is gone: it is paid anew, or was lifted
        return _kept(takes, at, replace(now, back=before - take.want)), None
    if amount < take.want <= before:  # lifted after it was paid
        return _lifted(takes, at, take).without(at), amount or None
    if not amount:
        return _emptied(takes, at, take), None
    if amount > take.lay and not take.want:
        takes = takes.with_mistake(take, at, "added", amount - take.lay)
    return _kept(takes, at, now), None


def _emptied(takes: Takes, at: At, take: Take) -> Takes:
    """Returns the same when nothing lies on a spot any more: a stake on which nothing was paid may be put back."""
    if take.unpaid:
        return _kept(takes, at, replace(take, lifted=True))
    return _judged(takes, at, take).without(at)


def _put_back(takes: Takes, at: At, take: Take, amount: int) -> tuple[Takes, int]:
    """Returns the same after a reading where a winning stake was lifted unpaid.

    Just the stake with the payment: it was exchanged and paid.  Anything else may be a wager of the next round, or only
    part of it: it is one until the rest comes, and what was never paid is told when betting closes.
    """
    if amount == take.want:
        return _kept(takes, at, replace(take, now=amount, lifted=False)), 0
    return takes, amount


def _lifted(takes: Takes, at: At, take: Take) -> Takes:
    return takes if take.now == take.want else takes.with_mistake(take, at, "over", take.now - take.want)


def _kept(takes: Takes, at: At, take: Take) -> Takes:
    return replace(takes, waiting={**takes.waiting, at: take})


def cleared(takes: Takes, *, held: bool) -> Takes:
    """Returns the same when somebody has seen to all mistakes: what held the next round holds it no more."""
    return NO_TAKES if held else replace(takes, wrong=())


def tried(takes: Takes, now: int) -> Takes:
    """Returns the same when new wagers come while they are held: what has waited for long is a mistake by now."""
    for at, take in takes.waiting.items():
        if take.doubtful and now - take.since >= PATIENCE:
            takes = _judged(takes, at, take)
    return takes


def over(takes: Takes, number: int, blind: frozenset[int] = frozenset()) -> Takes:
    """Returns the same when betting closes: what was to be done in rounds before `number` is judged as it lies.

    `blind`: areas whose sensor cannot be believed.
    """
    late = {at: take for at, take in takes.waiting.items() if take.round < number}
    for at, take in late.items():
        if take.doubtful and area_of(at[0]) not in blind:
            takes = _judged(takes, at, take)
    return takes.without(*late) if late else takes


def _judged(takes: Takes, at: At, take: Take) -> Takes:
    if take.back:  # nobody has seen it paid anew and lifted
        return takes.with_mistake(take, at, "over", take.back)
    what: Mistake = "under" if take.now < take.want else "over" if take.want else "untaken"
    return takes.with_mistake(take, at, what, abs(take.now - take.want))
