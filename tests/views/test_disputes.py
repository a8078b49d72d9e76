"""Disputes: noted with the round by a named person, decided by another, found wherever the round is."""

from __future__ import annotations

from controller.games import defaults
from controller.table.disputes import MOST
from controller.table.facts import Key, Started
from controller.table.state import decode, encode
from controller.views import receipt, record_text
from controller.views.record import Who
from controller.views.recorder import renewed, summary
from tests.views.following import Following


def pressed(t: Following, words: str, person: str, role: str) -> None:
    name, *args = words.split()
    t.tell(Key(name, tuple(args), person=person, role=role, place="page"))


def played() -> Following:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.bet(2, war=20)
    t.draw("Kh 5c Qd")
    t.key("settle")
    return t


def test_a_dispute_is_part_of_its_round() -> None:
    t = played()
    assert not t.last.disputes
    pressed(t, "dispute 2 payment", "Ann", "supervisor")
    (noted,) = t.last.disputes
    assert (noted.number, noted.place, noted.what, noted.by) == (1, "2", "payment", Who("supervisor", "Ann"))
    assert (noted.decision, noted.decided, noted.decided_by) == ("", None, Who())
    assert t.last.irregular == summary(t.last).irregular == ("dispute",)
    assert t.last.unfinished
    pressed(t, "dispute-decided 1 stands", "Bob", "area-manager")
    (decided,) = t.last.disputes
    assert decided.decided is not None and decided.decided.seq == t.seq
    assert (decided.decision, decided.decided_by) == ("stands", Who("area-manager", "Bob"))
    assert not t.last.unfinished


def test_it_is_told_with_the_round_and_on_its_receipt() -> None:
    t = played()
    pressed(t, "dispute 2 payment", "Ann", "supervisor")
    (line,) = [line for line in record_text.lines(t.last) if "disputes" in line]
    assert line.startswith("  disputes    ") and "1: area 2 (payment) [supervisor Ann]; open" in line
    pressed(t, "dispute-decided 1 inspector", "Bob", "area-manager")
    said = "\n".join(receipt.lines(t.last)).replace("\n    ", " ")
    assert "Disputes:" in said
    assert "1: area 2 (payment) [supervisor Ann]; " in said
    assert "the player asks an inspector to look into it [area-manager Bob]" in said


def test_a_dispute_without_a_subject() -> None:
    t = played()
    t.key("dispute 1")
    assert "1: area 1 [dealer]" in record_text.dispute(t.last.disputes[0], "area")


def test_one_of_an_earlier_round_reaches_its_record() -> None:
    t = played()
    first = t.last
    t.bet(1, war=10)
    t.key("dispute 2 payment last")
    (later,) = t.later
    changed = renewed(first, later)
    assert [each.what for each in changed.disputes] == ["payment"]
    assert changed.irregular == ("dispute",)
    assert changed.steps[-1].text == "dispute 1 about area 2, noted: payment"
    assert (changed.last, changed.unfinished) == (t.seq, True)
    t.role("area-manager")
    t.key("dispute-decided 1 changed")
    decided = renewed(changed, t.later[-1])
    assert [each.decision for each in decided.disputes] == ["changed"]
    assert decided.steps[-1].text == "dispute 1 about area 2, decided: changed"
    assert decided.steps[-1].by == Who("area-manager", "")
    t.draw("Kh Qd")
    t.key("settle")
    assert t.last.disputes == ()


def test_another_round_with_the_same_number_is_left_alone() -> None:
    t = played()
    first = t.last
    t.key("dispute 2")
    t.tell(Started("casino-war", defaults("casino-war")))
    t.bet(1, war=10)
    t.draw("Kh Qd")
    t.key("settle")
    t.role("area-manager")
    t.key("dispute-decided 1 stands")
    (later,) = t.later
    assert renewed(t.last, later) is t.last
    assert [each.decision for each in renewed(first, later).disputes] == ["stands"]


def test_it_waits_through_rounds_and_restarts() -> None:
    t = played()
    t.key("dispute 2 payment")
    t.tell(Started("casino-war", defaults("casino-war")))
    for _ in range(2):
        t.bet(1, war=10)
        t.draw("Kh Qd")
        t.key("settle")
    kept = decode(encode(t.table))
    assert list(kept.disputes) == [1]
    assert [(p.role, p.rule, p.offers) for p in kept.live] == [("area-manager", "11.10", ("dispute-decided",))]
    t.role("area-manager")
    t.key("dispute-decided 1 stands")
    assert t.table.disputes == {}
    assert not [p for p in t.table.live if p.offers]


def test_what_is_about_no_round_is_told_and_attached_to_none() -> None:
    t = Following("casino-war")
    t.key("dispute 1")
    assert "no such round was played here" in t.table.prompts[-1].text
    t.bet(1, war=10)
    t.key("dispute 1 wager last")  # the first round has none before it
    assert "no such round was played here" in t.table.prompts[-1].text
    assert t.table.disputes == {}


def test_last_is_the_last_round_when_none_is_running() -> None:
    t = played()
    t.key("dispute 2 payment last")
    assert t.table.disputes[1].round == 1


def test_not_more_than_somebody_can_decide() -> None:
    t = played()
    for _ in range(MOST + 1):
        t.key("dispute 1")
    assert len(t.table.disputes) == MOST
    assert "too many disputes wait" in t.table.prompts[-1].text


def test_a_correction_of_the_round_keeps_its_dispute() -> None:
    t = Following("casino-war")
    t.bet(1, war=10)
    t.key("dispute 1 wager")
    assert t.recorder.running() is not None
    before = t.table.disputes
    t.draw("Kh Qd")
    t.key("settle")
    assert t.table.disputes == before
    assert [each.what for each in t.last.disputes] == ["wager"]
