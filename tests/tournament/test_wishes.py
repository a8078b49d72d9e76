"""What people at a table ask of a record: the table keeps it until it is answered, through snapshots too."""

from __future__ import annotations

from msgspec.structs import replace

from controller.games import defaults, restored, step
from controller.table import state
from controller.table.effects import AnyEffect, Refused
from controller.table.facts import AnyFact, Badge, Key, Started, TournamentTold
from controller.table.play import NOTHING_PLAYED, Play
from controller.table.state import Table
from controller.tournament import wishes
from controller.tournament.deeds import DeskKey, TableDesignated, TableFreed
from controller.tournament.news import FREED
from controller.tournament.wishes import Wish, waiting

CUP = TournamentTold("CUP", least=10_00, most=500_00)
MANAGER = Badge("area-manager")
DIRECTOR = Badge("tournament-director")


def told(*facts: AnyFact) -> tuple[Table, list[AnyEffect]]:
    """The table after these facts, the first of which is fact 2, and the effects of the last."""
    table, effects = Table(), list[AnyEffect]()
    for seq, fact in enumerate((Started("casino-war", defaults("casino-war")), *facts), 1):
        table, effects = step(table, seq, seq, fact)
    return table, effects


def test_a_table_that_is_asked_for_waits_for_the_record() -> None:
    table, _ = told(MANAGER, Key("set", ("tournament=CUP",)))
    (wish,) = waiting(table)
    assert (wish.seq, wish.own, [asked.tournament for asked in wish.asked]) == (3, "", ["CUP"])
    assert isinstance(wish.asked[0].deed, TableDesignated)


def test_to_be_freed_and_taken_by_another_is_one_wish() -> None:
    table, _ = told(CUP, MANAGER, Key("set", ("tournament=LEAGUE",)))
    (wish,) = waiting(table)
    assert wish.own == "CUP"
    assert [type(asked.deed) for asked in wish.asked] == [TableFreed, TableDesignated]


def test_wishes_are_answered_in_their_order() -> None:
    asked = (CUP, DIRECTOR, Key("level", ("2",)), Key("rebuy", ("Ann",)))
    deeds = [asked.deed for wish in waiting(told(*asked)[0]) for asked in wish.asked]
    assert [deed.key for deed in deeds if isinstance(deed, DeskKey)] == ["level", "rebuy"]
    assert [wish.seq for wish in waiting(told(*asked, CUP)[0])] == [4, 5]
    assert [wish.seq for wish in waiting(told(*asked, replace(CUP, answered=4))[0])] == [5]
    assert [wish.seq for wish in waiting(told(*asked, replace(CUP, refused="no", answered=4))[0])] == [5]
    assert waiting(told(*asked, replace(CUP, answered=5))[0]) == ()
    assert told(*asked, replace(CUP, answered=5))[0].wishes is NOTHING_PLAYED


def test_a_table_in_no_tournament_hears_the_answer_too() -> None:
    table, _ = told(MANAGER, Key("set", ("tournament=CUP",)), replace(FREED, refused="there is none", answered=3))
    assert waiting(table) == ()
    assert [prompt.text for prompt in table.prompts] == ["there is none"]


def test_what_an_earlier_version_refused_is_not_asked_again() -> None:
    """It did not say which wish it refused; those that it granted are on record by the number of their fact."""
    asked = (CUP, DIRECTOR, Key("level", ("2",)), Key("rebuy", ("Ann",)))
    table, _ = told(*asked, replace(CUP, refused="Ann may not buy back"), Key("rebuy", ("Bob",)))
    assert [wish.seq for wish in waiting(table)] == [7]


def test_a_snapshot_and_a_copy_keep_the_wishes() -> None:
    table, _ = told(CUP, DIRECTOR, Key("level", ("2",)))
    again = restored(state.encode(table))
    assert waiting(again) == waiting(table) == waiting(state.clone(table))
    after, _ = step(again, 5, 5, replace(CUP, answered=4))
    assert (waiting(after), len(waiting(again))) == ((), 1)


def test_a_record_that_never_answers_is_not_asked_for_ever() -> None:
    table, _ = told(CUP, DIRECTOR)
    asked = tuple(Wish(seq, ()) for seq in range(wishes.MOST))
    table.wishes = Play(wishes.Wishes(asked))
    after, effects = step(table, 500, 500, Key("level", ("2",)))
    assert "too many wishes wait" in next(effect.why for effect in effects if isinstance(effect, Refused))
    assert len(waiting(after)) == wishes.MOST
