"""What `felt monitor` shows, as lines of text: made from what the daemon answers, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from controller.api.shapes import Device, FactShown, FrameShown, StatusShown
from controller.cli.frame_filter import HEARTBEATS
from controller.counts import many
from controller.rules import by
from controller.views import round_text
from controller.views.moments import clock
from controller.views.plain import one_line

GOOD = "ready"


def headline(status: StatusShown | None, lost: str, paused: bool, pattern: str) -> str:
    """Returns the first line: which table, how it is, and what this screen does."""
    parts = []
    if status is not None:
        sign = "open" if status["open"] else "closed"
        round_ = status["round"]
        called = status["called"].get("round", "round")
        parts = [f"{status['table']}", status["game"], sign, f"{called} {round_['number']}", round_["phase"]]
    if lost:
        parts = [lost, *parts]
    parts += ["PAUSED"] if paused else []
    parts += [f"only /{pattern}/"] if pattern else []
    return one_line("  ".join(parts) or "asking the table...")


def round_lines(status: StatusShown) -> Iterator[str]:
    """Yields what the table waits for, what it tells people, what is wrong, and the round with hands and wagers."""
    for wait in status["waiting"][:3]:
        yield f"-> {wait['text']}{by(wait['rule'])}"
    for notice in status["notices"]:
        about = f" about {notice['place']}" if notice["place"] else ""
        yield f"! {' and '.join(notice['roles'])}{about}: {notice['text']}{by(notice['rule'])}"
    for trouble in status["trouble"]:
        yield f"! {trouble['code']}: {trouble['cause']}"
        yield f"  {trouble['next_step']}"
    yield from status["in_lines"]
    yield from round_text.headed(status["last"])


def device_row(device: Device) -> tuple[str, str, str]:
    """Returns a device with its state, and whether that is good."""
    if device["phase"] == GOOD and device["faults"]:
        state = ",".join(fault["code"].rpartition(".")[2] for fault in device["faults"])
    else:
        state = str(device["phase"])
    return device["name"], state, "" if state == GOOD else "!"


def fact_line(fact: FactShown) -> str:
    """Returns a fact as one line.

    >>> fact_line({"seq": 7, "at": "2026-01-02T03:04:05.678+00:00", "device": "shoe", "text": "the shoe is empty"})
    '03:04:05      7 shoe      the shoe is empty'
    """
    at = clock(fact["at"]).partition(".")[0]
    return one_line(f"{at} {fact['seq']:>6} {fact['device'] or '-':<9} {fact['text']}")


def fits(fact: FactShown, pattern: str) -> bool:
    """Tells whether a fact has these words in its device or text, whatever their case."""
    return pattern.lower() in f"{fact['device']} {fact['text']}".lower()


def device_lines(device: Device, frames: list[FrameShown], room: int) -> Iterator[str]:
    """Yields one device whole: what it is, what is wrong with it, and its latest frames; heartbeats are counted."""
    identity, stats = device["identity"] or {}, device["stats"]
    yield f"{device['name']}, {device['family']}: {device['phase']} at {device['address']}"
    words = (identity.get("model"), identity.get("serial"), identity.get("firmware"))
    yield " ".join(str(word) for word in words if word) or "it has not said what it is"
    errors = sum(stats["errors"].values())
    wrong_ones, again = many(errors, "error"), many(stats["retries"], "retry", "retries")
    yield f"{many(stats['frames_in'], 'frame')} in, {stats['frames_out']} out, {wrong_ones}, {again}"
    for wrong in (*([device["cause"]] if device["cause"] else []), *device["faults"]):
        yield f"{wrong['code']}: {wrong['cause']}"
        yield f"  -> {wrong['next_step']}"
    yield ""
    latest = list(_frames(frames))
    yield from latest[-room:] or ["no frame passed yet"]


def _frames(frames: list[FrameShown]) -> Iterator[str]:
    """Yields frames; several heartbeats one after the other are one line."""
    beats = 0
    for frame in frames:
        if frame["kind"] in HEARTBEATS:
            beats += 1
            continue
        if beats:
            yield f"{'':12}     {beats} heartbeats"
        beats = 0
        yield f"{clock(frame['at'] or '')} {frame['way']:>3} {one_line(frame['text'])}"
    if beats:
        yield f"{'':12}     {beats} heartbeats"
