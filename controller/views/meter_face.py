"""The face of a prize meter: what its displays show at each moment, apart from what the meter holds.

Pure: a `MeterFace` follows the table, and what stands on a display is a function of the face and the time.  Times are
whole milliseconds of any clock that does not go back.  A rise is rolled like an odometer, within a bound and never past
what is stored; a fall and a hit stand there at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from controller.jackpot import ledger
from controller.jackpot.rules import Prize
from controller.places import area_of
from controller.table.state import Frozen, Table, meter_works
from controller.table.view import meter_shown

ROLL_STEP = 100  # milliseconds between two pictures of a roll
NO_JACKPOT = ("NO JACKPOT",)
CLOSED = ("JACKPOT CLOSED",)
OUT_OF_ORDER = ("JACKPOT", "NOT IN PLAY")

Offer: TypeAlias = Literal["unknown", "none", "closed", "running"]  # of a Jackpot; unknown: nobody has looked yet
OFFERED: Final[tuple[Offer, ...]] = ("closed", "running")
Frame: TypeAlias = int | tuple[str, ...]  # an amount in ten-thousandths of a dollar, or lines of text


class MeterStyle(Frozen, frozen=True):
    """How the displays of a table move; milliseconds."""

    roll: int = 0  # a rise is shown as a roll of this length; 0: at once
    hit: int = 60_000  # so long a hit is announced
    turn: int = 4_000  # so long each of several things stands there


class AnnouncedHit(Frozen, frozen=True):
    """Prizes of the meter that were won, and how long they are announced."""

    round: int
    prizes: tuple[Prize, ...]
    at: int
    until: int
    pending: bool = False  # a person has not confirmed it yet
    table: str = ""  # where, if it was at another table of the system


class MeterFace(Frozen, frozen=True):
    """All that a meter display needs to know."""

    offer: Offer = "unknown"
    amount: int = 0  # what the meter holds, in whole cents
    start: int = 0  # a roll begins here,
    since: int = 0  # at this time,
    until: int = 0  # and is over then
    hit: AnnouncedHit | None = None  # the last one here; announced until its time is over
    elsewhere: tuple[AnnouncedHit, ...] = ()  # the last ones at other tables
    fault: bool = False  # the equipment does not work
    turned: int = 0  # when what is shown in turns began


def follow(face: MeterFace, t: Table, now: int, style: MeterStyle, trouble: bool = False) -> MeterFace:
    """Returns the face after something happened; `trouble`: what the table says may not be what is."""
    stored = meter_shown(t)
    offer: Offer = "none" if stored is None else "closed" if t.jackpot.closed else "running"
    amount = stored or 0
    fault = offer == "running" and (trouble or not meter_works(t))
    hit = _hit(face, t, now, style)
    start, since, until = face.start, face.since, face.until
    if (offer, fault) != (face.offer, face.fault) or hit != face.hit or amount < face.amount:
        start, since, until = amount, now, now
    elif amount > face.amount:
        start, since = rolled(face, now), now
        until = until if until > now else now + style.roll  # a roll under way ends when it would have ended
    turned = now if fault and not face.fault else face.turned
    return MeterFace(offer, amount, start, since, until, hit, face.elsewhere, fault, turned)


def _hit(face: MeterFace, t: Table, now: int, style: MeterStyle) -> AnnouncedHit | None:
    last = face.hit
    won = [(waiting.round, waiting.prizes) for waiting in t.jackpot.pending if waiting.prizes]
    pending = [number for number, _ in won]
    if t.round is not None and t.round.award is not None:
        won.append((t.round.number, t.round.award.prizes))
    if last is not None and t.round is not None and t.round.number == last.round and last.round not in dict(won):
        return None  # it was taken back
    number, prizes = max(won, default=(0, ()), key=lambda each: each[0])
    if last is not None and number < last.round:
        return replace(last, pending=last.round in pending)
    if not prizes or (last is not None and (last.round, last.prizes) == (number, prizes)):
        return last if last is None else replace(last, pending=last.round in pending)
    old = face.offer == "unknown" and number not in pending  # after a restart only what is not paid yet is news
    return AnnouncedHit(number, prizes, now, now if old else now + style.hit, number in pending)


def won_elsewhere(face: MeterFace, hits: Iterable[ledger.Hit], now: int, style: MeterStyle) -> MeterFace:
    """Returns the face with what other tables of the system have won."""
    prizes = [(hit, Prize(hit.place, hit.hand, hit.cents, hit.rule)) for hit in hits]
    return replace(
        face,
        elsewhere=tuple(
            AnnouncedHit(hit.round, (prize,), now, now + style.hit, table=hit.table) for hit, prize in prizes
        ),
    )


# ---- what stands there


def dollars(cents: int) -> str:
    """Returns an amount as people read it on a wall.

    >>> dollars(12_499_800)
    '$124,998.00'
    """
    return f"${cents // 100:,}.{cents % 100:02}"


def roll(start: int, to: int, elapsed: int, length: int) -> int:
    """Returns where an odometer stands on its way: quick at first, in whole cents, never past the end.

    >>> [roll(0, 100_000, at, 400) for at in (0, 100, 200, 300, 400)]
    [0, 57800, 87500, 98400, 100000]
    """
    if elapsed >= length or start >= to:
        return to
    left = -(-(to - start) * (length - elapsed) ** 3 // length**3)
    return max(start, (to - left) // 100 * 100)


def rolled(face: MeterFace, now: int) -> int:
    """Returns the amount at which the odometer stands."""
    return roll(face.start, face.amount, now - face.since, face.until - face.since)


def announced(face: MeterFace, now: int) -> list[AnnouncedHit]:
    """Returns the hits that are announced now."""
    hits = face.elsewhere if face.hit is None else (face.hit, *face.elsewhere)
    return [hit for hit in hits if now < hit.until] if face.offer == "running" else []


def rolling(face: MeterFace, now: int) -> bool:
    """Tells whether the odometer moves."""
    return face.offer == "running" and not face.fault and not announced(face, now) and now < face.until


def turning(face: MeterFace, now: int) -> bool:
    """Tells whether several things are shown in turns."""
    return face.offer == "running" and _turns(face, now) is not None


def frame(face: MeterFace, now: int, style: MeterStyle, still: bool = False) -> Frame:
    """Returns what a display shows; `still`: it is too slow to roll."""
    if face.offer == "running":
        turns = _turns(face, now)
        if turns is not None:
            begun, frames = turns
            return frames[(now - begun) // style.turn % len(frames)]
        return face.amount if still else rolled(face, now)
    return CLOSED if face.offer == "closed" else NO_JACKPOT


def next_frame(face: MeterFace, now: int, style: MeterStyle, still: bool = False) -> int | None:
    """Returns when a display may show something else although nothing happens; None: never."""
    times = [hit.until for hit in announced(face, now)]
    if face.offer == "running" and (turns := _turns(face, now)) is not None:
        times.append(now + style.turn - (now - turns[0]) % style.turn)
    elif rolling(face, now) and not still:
        times.append(min(face.until, now + ROLL_STEP))
    return min(times, default=None)


def _turns(face: MeterFace, now: int) -> tuple[int, list[Frame]] | None:
    """Returns what is shown in turns, and since when; None: the amount alone."""
    hits = announced(face, now)
    frames: list[Frame] = []
    for hit in hits:
        table = f"TABLE {hit.table} " if hit.table else ""
        for prize in hit.prizes:
            frames += [(f"{table}AREA {area_of(prize.place)}", prize.hand.upper()), ("WINS", dollars(prize.cents))]
    if face.fault:
        frames.append(OUT_OF_ORDER)
    if not frames:
        return None
    return max((hit.at for hit in hits), default=face.turned), [*frames, face.amount]
