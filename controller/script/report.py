"""What a script's run looks like: JSON for programs, a story with a settlement table for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from controller.games import find
from controller.money import dollars, short
from controller.places import is_area, order
from controller.rules import by
from controller.script import model
from controller.script.play import Played
from controller.script.record import RoundOfRun, end_json, prompt_json, refusal_json, round_json, tournament_json
from controller.table.state import Line, Table
from controller.tournament.record import Tournament
from controller.tournament.standing import everybody, pool


def to_json(played: Played) -> str:
    """Returns a run as one JSON object, on one line."""
    named = any(line.table for line, _, _ in played.seen)
    record = played.record
    out: dict[str, Any] = {"script": played.script}
    if played.case is not None:
        out["case"] = played.case
    out |= {
        "game": played.game,
        "ok": not played.failed,
        "failed": [{"line": f.line, "what": f.what, "found": f.instead} for f in played.failed],
        "rounds": [round_json(r, played.tables[r.table], named) for r in record.rounds],
        "refused": [refusal_json(r, named) for r in record.refused],
        "prompts": [prompt_json(p, named) for p in record.prompts],
        "end": [end_json(name, table, named) for name, table in played.tables.items()],
    }
    if any(isinstance(line, model.TournamentLine) for line, _, _ in played.seen):
        out["tournaments"] = [tournament_json(cup) for cup in played.tournaments]
    return json.dumps(out, ensure_ascii=False)


def error_json(script: str, line: int, message: str) -> str:
    """Returns, as JSON on one line, why a script was not played."""
    return json.dumps({"script": script, "ok": False, "error": {"line": line, "message": message}}, ensure_ascii=False)


# ---- for people

RIGHT = (2, 4)  # columns of money


def to_text(played: Played) -> Iterator[str]:
    """Yields what happened line by line, then how each round was settled."""
    title = played.script + (f", case: {played.case}" if played.case else "")
    yield f"{'ok  ' if not played.failed else 'FAIL'} {title}"
    failed = {f.line: f for f in played.failed}
    ends = [*played.seen[1:], (None, len(played.record.prompts), len(played.record.refused))]
    for (line, prompts, refusals), (_, prompts_after, refusals_after) in zip(played.seen, ends, strict=True):
        yield from _line(line, failed)
        if line.number in played.record.remarks:
            yield f"        ({played.record.remarks[line.number]})"
        for refusal in played.record.refused[refusals:refusals_after]:
            yield f"        refused{by(refusal.rule)}: {refusal.why}"
        for shown in played.record.prompts[prompts:prompts_after]:
            p = shown.prompt
            offers = f" -> {' or '.join(p.offers)}" if p.offers else ""
            yield f"        {p.role}{_at(p.place)}{by(p.rule)}: {p.text}{offers}"
    for record in played.record.rounds:
        yield ""
        yield from _round(record, played.tables[record.table])
    for cup in played.tournaments:
        yield ""
        yield from _tournament(cup)


def _line(line: model.Line, failed: dict[int, Any]) -> Iterator[str]:
    prefix = f"{line.table}: " if line.table else ""
    if line.number in failed:
        yield f"  {line.number:>3}  {prefix}{line.text}"
        yield f"        NOT SO: {failed[line.number].instead}"
    else:
        mark = " (holds)" if isinstance(line, model.ExpectLine) else ""
        yield f"  {line.number:>3}  {prefix}{line.text}{mark}"


def _round(record: RoundOfRun, table: Table) -> Iterator[str]:
    r, rules = record.round, find(table.game)
    name = f" at {record.table}" if record.table else ""
    in_words = rules.in_words(table, r, record.hands if r.outcome else {})
    yield f"  {rules.called.round} {r.number}{name}: {r.outcome or 'open'}{by(r.rule)}"
    yield from list(record.course.lines(r, record.hands, in_words.names)) or _hands(
        record, rules.called.place, in_words.names
    )
    lines = rules.settled(table, r).lines
    if rows := [_row(line, pays) for line, pays in zip(lines, in_words.pays, strict=True)]:
        yield from _columns([(rules.called.place, "wager", "stake", "result", "net", "rule", ""), *rows])


def _tournament(cup: Tournament) -> Iterator[str]:
    """Yields how a tournament stands: who has which place, bank and prize."""
    yield f"  tournament {cup.name}: {cup.stage}, level {cup.level}, {dollars(pool(cup))} in the pool"
    people = sorted(everybody(cup), key=lambda one: one.place or len(cup.people) + 1)
    rows = [
        (str(one.place or "-"), one.name, dollars(one.bank), one.state, dollars(one.prize), one.rule) for one in people
    ]
    if rows:
        yield from _columns([("place", "player", "bank", "state", "prize", "rule"), *rows])


def _hands(record: RoundOfRun, called: str, names: Mapping[str, str]) -> Iterator[str]:
    """Yields the hands of a round that is over."""
    for place, hand in sorted(record.hands.items() if record.round.outcome else (), key=lambda item: order(item[0])):
        name = f"  {names[place]}" if place in names else ""
        yield f"    {called + ' ' + place if is_area(place) else place:<10} {' '.join(hand)}{name}"


def _row(line: Line, pays: str) -> tuple[str, ...]:
    net = dollars(line.net) if line.net <= 0 else "+" + dollars(line.net)
    return line.place, line.spot, short(line.stake), line.result, net, line.rule, pays


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.rjust(widths[i]) if i in RIGHT else cell.ljust(widths[i]) for i, cell in enumerate(row)]
        yield ("    " + "  ".join(cells)).rstrip()


def _at(place: str) -> str:
    return f" about {place}" if place else ""
