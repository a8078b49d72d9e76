"""Which alert is about which planted deed; what is left is a false alarm."""

from __future__ import annotations

from benchmarks.week.planted import ORDER, Habit, Innocent, Kind, Planted
from benchmarks.week.told import Alarm, Told

A_SHOE = 130  # rounds that a shoe of several decks may last


def judge(told: Told, decks: int) -> None:
    """Notes with every deed which alert has found it, and with every other alert what it came of."""
    for alarm in told.alarms:
        deed = next((each for each in reversed(told.planted) if _about(alarm, each, decks)), None)
        if deed is not None:
            alarm.why = ""
            if deed.found is None:
                deed.found, deed.by = alarm.number - deed.round, alarm.about or alarm.kind
            continue
        habit = next((each for each in told.innocents if _of(alarm, each, decks)), None)
        if habit is not None:
            alarm.why = habit.kind.value


def _about(alarm: Alarm, deed: Planted, decks: int) -> bool:
    if deed.seq > alarm.seq:
        return False
    words = alarm.about.split()
    match alarm.kind:
        case "takes":
            return words[:2] == [str(deed.round), deed.place]
        case "order":
            return deed.kind in ORDER and alarm.number - deed.round <= (A_SHOE if decks > 1 else 0)
        case "cards" if words[0] == "count":
            return deed.kind is Kind.COUNT and alarm.number == deed.round
        case "cards":
            in_time = alarm.number - deed.round <= (A_SHOE if decks > 1 else 0)
            return deed.kind is Kind.FOREIGN and deed.card == alarm.card and in_time
        case "pace":
            return deed.kind is Kind.SLOW and alarm.round == deed.round
        case "win":
            return deed.kind is Kind.LUCKY and words[1] == deed.place
    return False


def _of(alarm: Alarm, habit: Innocent, decks: int) -> bool:
    if habit.kind is Habit.MISREAD:
        in_time = alarm.number - habit.round <= (A_SHOE if decks > 1 else 0)
        return alarm.kind == "cards" and alarm.card == habit.place and in_time
    return alarm.kind == "takes" and alarm.about.split()[:2] == [str(habit.round), habit.place]
