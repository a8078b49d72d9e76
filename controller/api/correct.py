"""A correction: an earlier fact of the running round is replaced, first as a preview, then for good."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from controller.api.correction import Correction
from controller.api.people import Answerable
from controller.cards import UNREAD, is_card
from controller.errors import FeltError
from controller.games import retell
from controller.service.engine import Engine
from controller.table.effects import Refused
from controller.table.facts import (
    Amend,
    AnyFact,
    Badge,
    BadgePresented,
    CardOut,
    CardRead,
    CardsOut,
    Chips,
    Hold,
    Key,
    Missed,
    Pushed,
    Released,
    SignedIn,
    SignedOut,
    SignInFailed,
)
from controller.table.keys import find_key
from controller.table.rules import Rules
from controller.table.state import Seen, Table
from controller.table.step import Refusal
from controller.views.cards import BOARD
from controller.views.changes import difference
from controller.views.fact_text import tell

_PEOPLE = (Badge, BadgePresented, SignedIn, SignedOut, SignInFailed)


def understood(body: bytes) -> Correction:
    """Returns the request in this body; raises msgspec.DecodeError when it is none.

    Facts of a journal may have fields of a later version; a person who writes one that we do not know means something.
    """
    wish = msgspec.json.decode(body, type=Correction)
    unknown = _unknown(msgspec.json.decode(body)["to"], wish.to)
    if unknown:
        raise msgspec.ValidationError(f"Object contains unknown field `{unknown}` - at `$.to`")
    return wish


def _unknown(written: Any, read: object) -> str:
    """Returns the first field that was written and not read; "" when all were."""
    if isinstance(read, tuple):
        return next(filter(None, map(_unknown, written, read)), "")
    if not isinstance(read, msgspec.Struct):
        return ""
    config, fields = read.__struct_config__, msgspec.structs.fields(read)
    if config.array_like:
        return str(len(fields)) if len(written) > len(fields) else ""
    for name, value in written.items():
        field = next((each.name for each in fields if each.encode_name == name), None)
        if field is None and name != config.tag_field:
            return str(name)
        if field is not None and (unknown := _unknown(value, getattr(read, field))):
            return unknown
    return ""


class CorrectionRefused(FeltError):
    """The error of a correction that the rules do not allow."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__("correct.refused", why)
        self.rule = rule


class CorrectionUnfit(FeltError):
    """The error of a correction that makes no sense, whatever the rules say."""

    def __init__(self, cause: str) -> None:
        super().__init__("correct.unfit", cause)


def preview(engine: Engine, wish: Correction) -> dict[str, Any]:
    """Returns what would change; nothing does."""
    if key := _asks_for_cards(engine.game, wish):
        raise CorrectionUnfit(f"a {key} is corrected without a preview, which would tell of cards that lie face down")
    table, lost = _corrected(engine, wish)
    return difference(engine.table, table, engine.game) | lost


async def commit(engine: Engine, wish: Correction, who: Answerable) -> dict[str, Any]:
    """Records the correction and lets it act; returns what changed."""
    try:
        _, lost = _corrected(engine, wish)  # what is refused or makes no sense is not recorded at all
    except CorrectionRefused:
        if not _asks_for_cards(engine.game, wish):
            raise
        lost = {}  # who tries out which cards lie there is on record
    before = engine.table
    account = who.account
    to = _pressed_as_before(engine, wish)
    amend = Amend(wish.seq, to, wish.by, account.uid, account.login, who.person, who.role, who.place)
    for effect in (await engine.submit(amend)).effects:
        if isinstance(effect, Refused):  # the round went on while the correction was on its way
            raise CorrectionRefused(effect.rule, effect.why)
    return difference(before, engine.table, engine.game) | lost


def _pressed_as_before(engine: Engine, wish: Correction) -> AnyFact | None:
    """Returns the fact in the other's place: a key stays the one of whoever pressed it, whatever the request says."""
    target = _target(engine.table, wish.seq)
    if not isinstance(wish.to, Key) or not isinstance(target, Key):
        return wish.to
    return replace(wish.to, account=target.account, person=target.person, role=target.role, place=target.place)


def _target(table: Table, seq: int) -> AnyFact | None:
    return next((seen.fact for seen in table.history if seen.seq == seq), None)


def _asks_for_cards(game: Rules, wish: Correction) -> str:
    """Returns the key whose refusal would give a card away: that of a discard says whether it is in the hand."""
    key = find_key(game, wish.to.key) if isinstance(wish.to, Key) else None
    return key.name if key is not None and key.proves_cards else ""


def _corrected(engine: Engine, wish: Correction) -> tuple[Table, dict[str, Any]]:
    """Returns the table as it would be, and what happened since that would not count any more."""
    if not wish.by.strip():
        raise CorrectionUnfit("a correction needs the name of who answers for it")
    table = engine.table
    if wish.to is not None and not _possible(wish.to, table.options.typed.seats):
        raise CorrectionUnfit("there is no such card, place or amount")
    target = _target(table, wish.seq)
    if isinstance(wish.to, _PEOPLE) or isinstance(target, _PEOPLE):
        raise CorrectionUnfit("who was signed in is not corrected: it would give powers to somebody")
    if isinstance(target, (Hold, Released, Missed)):
        raise CorrectionUnfit("why the table is held is not corrected: a supervisor presses resume, or void")
    if target is not None and wish.to is not None and type(wish.to) is not type(target):
        says = tell(engine.disclosure.public(wish.seq, target, table))
        raise CorrectionUnfit(f"fact {wish.seq} says: {says}; it can only become one of its kind")
    lost: list[Seen] = []
    try:
        retold = retell(table, engine.seq + 1, wish.seq, _pressed_as_before(engine, wish), lost)
    except Refusal as no:
        raise CorrectionRefused(no.rule, no.why) from None
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise CorrectionUnfit(f"the round cannot be told with that: {type(error).__name__}") from None
    refused = [{"seq": seen.seq, "text": tell(engine.disclosure.public(seen.seq, seen.fact, table))} for seen in lost]
    return retold, {"refused": refused} if refused else {}


def _possible(fact: AnyFact, seats: int) -> bool:
    """Tells whether a device could report it: anything else would stop the table later."""
    match fact:
        case CardOut(card):
            return card == UNREAD or is_card(card)
        case CardsOut(cards):
            return len(cards) > 0 and all(card == UNREAD or is_card(card) for card in cards)
        case CardRead(reader, card, _, together):
            places = {BOARD, *map(str, range(1, seats + 1))}
            return reader in places and all(each == UNREAD or is_card(each) for each in (card, *together))
        case Pushed(area, chips):
            return 0 < area <= seats and len(chips) > 0 and min(chips) > 0
        case Chips(area, spots):
            return 0 < area <= seats and all(spot.amount >= 0 and spot.bettor > 0 for spot in spots)
    return True
