"""Promotions of document 002: what is kept of them, what waits to be done, and what people read."""

from __future__ import annotations

from controller.house.promotions import MOST
from controller.table.facts import Key, Started
from controller.table.state import decode, encode
from controller.views.keys_tried import keys_tried
from controller.views.promotions import lines, shown
from tests.table.telling import Telling

SECOND = 1_000_000
DAY = 24 * 60 * 60 * SECOND


def read(t: Telling) -> list[str]:
    return list(lines(shown(t.table)))


def promoted() -> Telling:
    t = Telling("caribbean-stud")
    t.role("area-manager")
    t.key("promotion Spring 20000")
    return t


def test_a_refused_claim_is_kept_with_all_its_details() -> None:
    """002 15.8: who claimed what, why it was refused, by whom and when, and that the patron knows it."""
    t = promoted()
    t.at = 5 * SECOND
    t.tell(Key("refuse-prize", ("Spring", "Ann", "150", "cheating"), person="Bob", role="casino-manager", place="page"))
    (claim,) = shown(decode(encode(t.table)))["claims"]
    assert claim == {
        "fact": t.seq,
        "at": "1970-01-01T00:00:05.000+00:00",
        "promotion": "Spring",
        "person": "Ann",
        "amount": "150.00",
        "refused": "cheating",
        "waits": "informed",
        "how": "",
        "role": "casino-manager",
        "by": "Bob",
    }
    assert [p.rule for p in t.table.live if p.offers == ("informed",)] == ["15.8"]
    t.key("informed Spring Ann")
    assert not [p for p in t.table.live if p.offers == ("informed",)]
    assert shown(t.table)["claims"][0]["how"] == "informed"


def test_people_read_it() -> None:
    t = promoted()
    t.key("scrutineer Spring Cyd")
    t.key("prize Spring Ann 15000 absent")
    t.key("notified Spring Ann e-mail")
    t.key("prize Spring Bob 50 absent")
    t.key("refuse-prize Spring Dan 150 terms")
    t.key("voucher 2 tokens 25")
    t.key("promotion Raffle 10 present")
    t.key("cancel-promotion Raffle postponed")
    assert read(t) == [
        "Spring: offered, prizes up to 20000.00, overseen by Cyd",
        "Raffle: postponed, prizes up to 10.00",
        "1970-01-01 00:00:00  Ann: 15000.00 of Spring won, e-mail",
        "1970-01-01 00:00:00  Bob: 50.00 of Spring won; press notified when it was done",
        "1970-01-01 00:00:00  Dan: 150.00 of Spring refused (terms); press informed when it was done",
        "1970-01-01 00:00:00  voucher at 2: 25.00 in tokens",
    ]


def test_an_overdue_winner_is_told_of_once() -> None:
    t = promoted()
    t.key("prize Spring Ann 100 absent")
    t.at = 2 * DAY - 1
    t.role("dealer")
    assert len([p for p in t.table.prompts if p.rule == "15.6"]) == 1
    for _ in range(2):
        t.at += SECOND
        t.role("supervisor")
    said = [p.text for p in t.table.live if p.rule == "15.6"]
    assert said[-1].startswith("Ann was to be notified within two days")
    assert t.table.claims[0].until == 0


def test_what_is_to_be_done_outlives_another_configuration() -> None:
    t = promoted()
    t.key("prize Spring Ann 100 absent")
    begun = t.table.begun
    assert isinstance(begun, Started)
    t.tell(begun)
    assert list(t.table.promotions) == ["Spring"]
    assert [p.offers for p in t.table.live] == [("notified",)]


def test_the_table_keeps_the_newest_and_the_journal_all() -> None:
    t = promoted()
    kept = t.table.claims
    t.key("prize Spring Ann 1")
    assert len(t.table.claims) == len(kept) + 1
    t.table.claims = t.table.claims * MOST
    t.key("prize Spring Bob 2")
    assert len(t.table.claims) == MOST
    assert t.table.claims[-1].person == "Bob"


def test_nothing_was_promoted() -> None:
    assert read(Telling("casino-war")) == []
    assert "there is no key" in str(Telling("casino-war").key("promotion Spring 5"))


def test_keys_are_lit_for_what_is_offered_and_who_waits() -> None:
    t = promoted()
    for area in range(1, 8):
        t.bet(area, ante=10)
    t.key("prize Spring Ann 5 absent")
    t.key("dispute 1")
    t.key("dispute 2")
    t.key("dispute-decided 1 stands")
    lit = {tried.key for tried in keys_tried(t.table, t.game) if tried.lit}
    assert {"prize", "notified", "refuse-prize", "cancel-promotion", "dispute-decided"} <= lit
    assert "informed" not in lit
