"""Alerts of game protection as people read them, at the table and on the floor."""

from __future__ import annotations

from controller.guard.suspicions import Suspicion
from controller.table.facts import ProtectionCleared, ProtectionRaised
from controller.table.shoe import Out
from controller.views.alerts import alerts, kind_of, standing
from controller.views.fact_text import tell
from controller.views.protection import raising, title, waiting
from tests.table.telling import Telling

RAISED = ProtectionRaised("order", "order 3", "The cards come in order.", 7, "Shuffle.")


def test_they_are_listed_and_stand_on_the_floor_until_they_are_cleared() -> None:
    t = Telling()
    t.at = 5_000_000
    t.tell(RAISED)
    (shown,) = waiting(t.table)
    assert (shown.alert, shown.title, shown.since, shown.round) == (t.seq, "Cards not shuffled", 5000, 7)
    (alert,) = alerts(standing(t.table, t.game))
    assert (alert.kind, alert.text) == ("protection", "Cards not shuffled: The cards come in order.")
    assert alert.step == f"Shuffle. Then clear it at that table: felt alerts clear {t.seq}."
    assert kind_of(alert.kind).title == "Game protection"
    t.tell(ProtectionCleared(t.seq, "order", "x", "shuffled", "Floor Eight", "supervisor", "socket", 7))
    assert waiting(t.table) == [] and alerts(standing(t.table, t.game)) == []


def test_a_kind_of_another_version_has_its_name_for_a_heading() -> None:
    assert title("new-kind") == "New kind"


def test_the_journal_tells_them_in_words() -> None:
    assert tell(RAISED) == "game protection: The cards come in order."
    cleared = ProtectionCleared(9, "order", "x", "shuffled", "Floor Eight", "supervisor", "socket", 7)
    who = "supervisor Floor Eight at the socket"
    assert tell(cleared) == f"alert 9 of game protection is cleared by {who}: shuffled (account 7)"


def suspicion(*outs: Out) -> Suspicion:
    return Suspicion("cards", "x", "a card", "look", 1, "the {}", outs)


def test_a_card_is_named_when_it_is_public_or_nothing_lies_face_down() -> None:
    t = Telling("three-card-poker")
    assert raising(suspicion(Out("Kh", 1)), t.table, t.game).text == "a card"
    assert raising(suspicion(Out("Kh", 1, public=True)), t.table, t.game).text == "the king of hearts"
    t.bet(1, ante=10)
    t.draw("Kh")
    assert raising(suspicion(t.table.shoe.cards[-1]), t.table, t.game).text == "a card"
    assert raising(suspicion(Out("Kh", 1, public=True), Out("Qh", 1)), t.table, t.game).text == "a card"
    war = Telling("casino-war")
    war.bet(1, war=10)
    war.draw("Kh")
    assert raising(suspicion(war.table.shoe.cards[-1]), war.table, war.game).text == "the king of hearts"
