"""Which prompts are the same: decided by who is told by which rule about what, never by the words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.table import causes
from controller.table.prompts import same, show
from controller.table.state import Prompt
from tests.table.telling import Telling

TOLD = Prompt(7, 1, "dealer", "10 is under the minimum (25 to 500)", "6.2", "3", ("refuse",))


def test_other_words_are_the_same_prompt() -> None:
    again = replace(TOLD, seq=9, text="15 is under the minimum (25 to 500)")
    assert same(TOLD, again)
    assert show([TOLD], again) == [again]


def test_what_is_said_after_one_fact_is_said_side_by_side() -> None:
    also = replace(TOLD, text="tell the player")
    assert show([TOLD], also) == [TOLD, also]
    assert show([TOLD, also], replace(TOLD)) == [also, TOLD]
    again, also_again = replace(TOLD, seq=9), replace(also, seq=9)
    assert show(show([TOLD, also], again), also_again) == [again, also_again]


@pytest.mark.parametrize(
    "other",
    [
        replace(TOLD, role="supervisor"),
        replace(TOLD, place="4"),
        replace(TOLD, rule="6.3"),
        replace(TOLD, offers=()),
        replace(TOLD, cause=causes.Noted()),
    ],
    ids=lambda p: f"{p.role} {p.place} {p.rule} {p.offers} {p.cause}",
)
def test_the_same_words_to_others_or_about_something_else_are_another_prompt(other: Prompt) -> None:
    assert not same(TOLD, other)
    assert show([TOLD], other) == [TOLD, other]


@pytest.mark.parametrize("cause", [causes.Fault("shoe", "jam"), causes.OnHold("journal.behind"), causes.Chips("war")])
def test_of_these_causes_only_what_was_said_last_is_open(cause: causes.AnyCause) -> None:
    first = replace(TOLD, cause=cause)
    then = replace(first, rule="6.3", offers=())
    assert not same(first, then)
    assert show([first], then) == [then]


def test_a_question_is_open_until_its_place_has_answered() -> None:
    t = Telling("wsop-bonus-holdem")
    for area in (1, 2, 3):
        t.key(f"seat {area} player=anna" if area < 3 else "seat 3 player=bob")
        t.bet(area, ante=10)
    t.key("no-more-bets")
    t.draw("2h 3h 4h 5h 6h 7h")
    t.key("viewed 2")
    asked = [p for p in t.table.live if isinstance(p.cause, causes.Asked)]
    assert [(p.role, p.place, p.offers) for p in asked] == [("supervisor", "2", ("reconstruct",))]
    t.role("supervisor")
    t.key("reconstruct")
    assert not [p for p in t.table.live if isinstance(p.cause, causes.Asked)]
