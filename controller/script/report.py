"""What a script's run looks like: JSON for programs, a story with a settlement table for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from controller.games import find
from controller.house.games import pays
from controller.house.layout import BURN, COMMUNITY
from controller.money import dollars, short
from controller.places import area_of, order, place_of
from controller.poker.state import hand_in
from controller.script import model, poker_hand
from controller.script.play import Played
from controller.script.record import RoundRecord, end_json, prompt_json, refusal_json, round_json
from controller.table.state import Line, Table


def to_json(played: Played) -> str:
    """One object, on one line."""
    named = any(line.table for line, _, _ in played.seen)
    record = played.record
    out: dict[str, Any] = {"script": played.script}
    if played.case is not None:
        out["case"] = played.case
    out |= {
        "game": played.game,
        "ok": not played.failed,
        "failed": [{"line": f.line, "what": f.what, "found": f.found} for f in played.failed],
        "rounds": [round_json(r, played.tables[r.table], named) for r in record.rounds],
        "refused": [refusal_json(r, named) for r in record.refused],
        "prompts": [prompt_json(p, named) for p in record.prompts],
        "end": [end_json(name, table, named) for name, table in played.tables.items()],
    }
    return json.dumps(out, ensure_ascii=False)


def error_json(script: str, line: int, message: str) -> str:
    return json.dumps({"script": script, "ok": False, "error": {"line": line, "message": message}}, ensure_ascii=False)


# ---- for people

RIGHT = (2, 4)  # columns of money


def to_text(played: Played) -> Iterator[str]:
    """What happened line by line, then how each round was settled."""
    title = played.script + (f", case: {played.case}" if played.case else "")
    yield f"{'ok  ' if not played.failed else 'FAIL'} {title}"
    failed = {f.line: f for f in played.failed}
    ends = [*played.seen[1:], (None, len(played.record.prompts), len(played.record.refused))]
    for (line, prompts, refusals), (_, prompts_after, refusals_after) in zip(played.seen, ends, strict=True):
        yield from _line(line, failed)
        for refusal in played.record.refused[refusals:refusals_after]:
            yield f"        refused{_by(refusal.rule)}: {refusal.why}"
        for shown in played.record.prompts[prompts:prompts_after]:
            p = shown.prompt
            offers = f" -> {' or '.join(p.offers)}" if p.offers else ""
            yield f"        {p.role}{_at(p.place)}{_by(p.rule)}: {p.text}{offers}"
    for record in played.record.rounds:
        yield ""
        yield from _round(record, played.tables[record.table])


def _line(line: model.Line, failed: dict[int, Any]) -> Iterator[str]:
    prefix = f"{line.table}: " if line.table else ""
    if line.number in failed:
        yield f"  {line.number:>3}  {prefix}{line.text}"
        yield f"        NOT SO: {failed[line.number].found}"
    else:
        mark = " (holds)" if isinstance(line, model.ExpectLine) else ""
        yield f"  {line.number:>3}  {prefix}{line.text}{mark}"


def _round(record: RoundRecord, table: Table) -> Iterator[str]:
    r = record.round
    name = f" at {record.table}" if record.table else ""
    yield f"  {'round' if hand_in(r) is None else 'hand'} {r.number}{name}: {r.outcome or 'open'}{_by(r.rule)}"
    if hand_in(r) is not None:
        yield from poker_hand.tell(r, record.hands, record.story)
    elif r.outcome:
        for place, hand in sorted(record.hands.items(), key=lambda item: order(item[0])):
            if place != BURN:
                cards, name = " ".join(hand), _name(record, place)
                yield f"    {'area ' + place if place[0].isdigit() else place:<10} {cards}{'  ' + name if name else ''}"
    if rows := [_row(record, table, line) for line in find(table.game).settled(table, r)]:
        yield from _columns([("area", "wager", "stake", "result", "net", "rule", ""), *rows])


def _hand(record: RoundRecord, place: str) -> pays.Ranked | None:
    return pays.ranked(record.hands.get(place, []), record.hands.get(COMMUNITY, [])) if record.round.outcome else None


def _name(record: RoundRecord, place: str) -> str:
    hand = _hand(record, place) if place != COMMUNITY else None
    return "" if hand is None else hand.name


def _row(record: RoundRecord, table: Table, line: Line) -> tuple[str, ...]:
    net = dollars(line.net) if line.net <= 0 else "+" + dollars(line.net)
    odds = pays.words(table.game, table.options, line, _hand(record, place_of(area_of(line.place))))
    return line.place, line.spot, short(line.stake), line.result, net, line.rule, odds


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(widths[i]) if i in RIGHT else cell.ljust(widths[i]) for i, cell in enumerate(row)]
        yield ("    " + "  ".join(cells)).rstrip()


def _by(rule: str) -> str:
    return f" ({rule})" if rule else ""


def _at(place: str) -> str:
    return f" about {place}" if place else ""
