"""What a table does with the word of the record: it numbers on, and tells people what is not granted."""

from __future__ import annotations

from controller.games import defaults, step
from controller.table.facts import AnyFact, Started, TournamentTold
from controller.table.state import Table
from controller.tournament.play import TournamentPlay, play_in


def told(*facts: AnyFact) -> Table:
    table = Table()
    for seq, fact in enumerate((Started("casino-war", defaults("casino-war")), *facts), 1):
        table, _ = step(table, seq, seq, fact)
    return table


def play(table: Table) -> TournamentPlay:
    own = play_in(table)
    assert own is not None
    return own


def test_a_table_numbers_on_from_what_is_on_record() -> None:
    assert play(told(TournamentTold("CUP", least=10_00, most=500_00, recorded=6))).numbered == 6


def test_what_is_not_granted_is_told_at_the_table() -> None:
    table = told(TournamentTold("CUP", least=10_00, most=500_00, refused="Ann is in", refused_rule="10.4.3(a)(iv)"))
    assert [(prompt.role, prompt.text, prompt.rule) for prompt in table.prompts] == [
        ("dealer", "Ann is in", "10.4.3(a)(iv)")
    ]
    assert told(TournamentTold("CUP", least=10_00, most=500_00)).prompts == []
