"""What somebody at the table has to know or do, in plain words: holds, questions, faults, prompts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from controller.places import family_and_place
from controller.table import causes
from controller.table.faults import LOST
from controller.table.holds import FREED_BY
from controller.table.rules import Rules
from controller.table.state import Held, Prompt, Table
from controller.views.device_words import fault_text, sentence, spoken_device, step_at_table
from controller.views.notices import CauseNotice, notices
from controller.views.together import NO_TRUNKS, Trunks
from controller.views.words import prompt_words

RESUME: Final = "A supervisor checks what lies on the felt, then presses resume, or declares the round void."
LEAVE: Final = "Leave cards and chips as they lie and call the technician."
Advice: TypeAlias = Callable[[str], str]  # what to do about a fault with this code
Severity: TypeAlias = Literal["stopped", "held", "question", "fault", "told"]  # worst first
CALM: Final[tuple[Severity, ...]] = ("question", "told")  # nothing is broken


class Concern(msgspec.Struct, frozen=True):
    """Something that somebody has to know, or to do something about."""

    severity: Severity
    text: str
    step: str = ""
    rule: str = ""
    place: str = ""
    role: str = ""
    offers: tuple[str, ...] = ()  # words of keys that answer it


def troubles(
    table: Table,
    rules: Rules,
    stopped: str = "",
    trunks: Trunks = NO_TRUNKS,
    offset: int = 0,
    advice: Advice = step_at_table,
) -> list[Concern]:
    """Returns what somebody has to know or to do now, worst first, each once.

    `trunks`: what the devices share on their way; `offset`: seconds from UTC to the clock on the wall; `advice` is for
    whoever reads it.
    """
    out = [Concern("stopped", stopped, LEAVE)] if stopped else []
    called = rules.called.place
    out += [_held(held, called) for held in table.holds.values()]
    notes = [trouble(prompt, table, called) for prompt in table.live]
    broken = [notice for notice in notices(table, rules, trunks) if notice.devices and not notice.due]
    faults = [_fault(notice, offset, advice) for notice in broken]
    return [*out, *(each for each in notes if each.severity == "question"), *faults, *_others(notes)]


def _fault(notice: CauseNotice, offset: int, advice: Advice) -> Concern:
    place = _place_of(notice.devices[0]) if len(notice.devices) == 1 else ""
    step = advice(LOST if notice.lost else notice.code)
    return Concern("fault", sentence(notice.line(offset)), step, place=place)


def _others(notes: Sequence[Concern]) -> list[Concern]:
    """Returns what is merely told, the newest first; the same words once."""
    newest = [each for each in reversed(notes) if each.severity == "told"]
    return list({(each.text, each.place): each for each in newest}.values())


def _held(held: Held, place_called: str) -> Concern:
    about = f"{spoken_device(held.device, place_called)}: {held.text}" if held.device else held.text
    text, offers = sentence(f"the table is held: {about}"), ("resume", "void")
    return Concern("held", text, RESUME, held.rule, held.place, FREED_BY, offers)


def trouble(prompt: Prompt, table: Table, place_called: str) -> Concern:
    """Returns a prompt for people at the table."""
    match prompt.cause:
        case causes.OnHold(name) if name in table.holds:
            return _held(table.holds[name], place_called)
        case causes.Fault(device, code):
            text, step = fault_text(device, code, place_called), step_at_table(code)
            return Concern("fault", text, step, prompt.rule, prompt.place, prompt.role)
        case causes.Asked() | causes.Dialogue():
            return _concern_of("question", prompt)
    return _concern_of("told", prompt)


def _concern_of(severity: Severity, prompt: Prompt) -> Concern:
    return Concern(severity, sentence(prompt_words(prompt)), "", prompt.rule, prompt.place, prompt.role, prompt.offers)


def _place_of(device: str) -> str:
    _, place = family_and_place(device)
    return place if place.isdigit() else ""
