"""Who is signed in, and who must wait: decided by facts alone, the same in every replay."""

from __future__ import annotations

import pytest

from controller.games import find, step
from controller.rules import NO_KEYS
from controller.table.effects import Refused
from controller.table.facts import (
    LOCKED_OUT,
    NO_BADGE,
    WRONG_PIN,
    Amend,
    Badge,
    BadgePresented,
    CardOut,
    Hold,
    Key,
    SignedIn,
    SignedOut,
    SignInFailed,
    Started,
    decode,
    encode,
)
from controller.table.keys import keys_of
from controller.table.sign_in import MINUTE, attempts_left, idle_at, locked_until
from controller.table.state import Table
from tests.table.telling import Telling

ANN = SignedIn("Ann", "7", "supervisor", "console")


def who(t: Telling) -> tuple[str, str]:
    return t.table.role, t.table.name


def refused(effects: object) -> list[str]:
    return [e.why for e in effects if isinstance(e, Refused)]  # type: ignore[attr-defined]


def test_a_badge_asks_and_the_same_badge_signs_out() -> None:
    t = Telling()
    t.tell(BadgePresented("7", "Ann"))
    assert t.table.asked is not None and t.table.asked.person == "Ann" and who(t) == ("dealer", "")
    t.tell(ANN)
    assert t.table.asked is None and who(t) == ("supervisor", "Ann")
    t.tell(BadgePresented("8", "Ben"))  # somebody else: Ann stays until his PIN is right
    assert who(t) == ("supervisor", "Ann")
    t.tell(BadgePresented("7", "Ann"))
    assert who(t) == ("dealer", "") and t.table.signed is None and t.table.asked is None


def test_a_key_signs_out_also_while_the_table_is_held() -> None:
    t = Telling()
    t.tell(ANN)
    t.tell(Hold("x", "y"))
    assert not refused(t.key("sign-out"))
    assert who(t) == ("dealer", "")
    assert refused(t.key("sign-out now"))


def test_a_key_takes_the_console_back_from_who_did_not_enter_a_pin() -> None:
    t = Telling()
    t.tell(BadgePresented("7", "Ann"))
    t.bet(1, war=10)
    assert t.table.asked is not None
    t.key("no-more-bets")
    assert t.table.asked is None


def test_a_wrong_pin_is_told_where_it_was_entered() -> None:
    t = Telling()
    t.tell(BadgePresented("7", "Ann"))
    told = []
    for place, why in (("page", WRONG_PIN), ("console", WRONG_PIN), ("page", NO_BADGE), ("console", LOCKED_OUT)):
        t.tell(SignInFailed("7", place, why, "Ann"))
        told.append(t.table.asked.failed if t.table.asked is not None else None)
    assert told == ["", WRONG_PIN, WRONG_PIN, LOCKED_OUT]


def test_signing_out_is_of_the_person_who_is_there() -> None:
    t = Telling()
    t.tell(ANN)
    t.tell(SignedOut("Ben", "console"))
    t.tell(SignedOut("Ann", "page 10.0.0.1"))
    assert who(t) == ("supervisor", "Ann")
    t.tell(SignedOut("Ann", "console", "idle"))
    assert who(t) == ("dealer", "")


def test_who_signs_in_elsewhere_is_not_at_the_console() -> None:
    t = Telling()
    t.tell(SignedIn("Ann", "7", "supervisor", "page 10.0.0.1"))
    assert who(t) == ("dealer", "")


def test_a_key_from_elsewhere_has_the_power_of_its_person() -> None:
    t = Telling()
    t.tell(Hold("x", "y"))
    assert refused(t.key("resume")) == ["this needs the supervisor"]
    t.tell(SignedIn("Ann", "7", "casino-manager", "console"))
    low = Key("resume", (), -1, "Ben", "dealer", "page 10.0.0.1")
    assert refused(t.tell(low)) == ["this needs the supervisor"]  # whoever is signed in at the console
    t.tell(SignedOut("Ann", "console"))
    effects = t.tell(Key("resume", (), -1, "Cat", "supervisor", "page 10.0.0.1"))
    assert not refused(effects) and not t.table.holds
    assert "by the supervisor Cat" in str(effects)
    assert who(t) == ("dealer", "")


@pytest.mark.parametrize("role", ["inspector", "technician", "tournament-director"])
def test_who_has_no_keys_has_none_elsewhere(role: str) -> None:
    t = Telling()
    why = [f"the {role.replace('-', ' ')} has no keys at this table"]
    assert refused(t.tell(Key("seat", ("1",), -1, "Eve", role, "page"))) == why
    assert refused(t.tell(Key("no-more-bets", (), -1, "Eve", role, "page"))) == why


def test_nobody_invents_a_role() -> None:
    t = Telling()
    assert refused(t.tell(Key("seat", ("1",), -1, "Eve", "emperor", "page"))) == ['there is no role "emperor"']
    assert refused(t.tell(SignedIn("Eve", "1", "emperor", "console"))) == ['there is no role "emperor"']
    assert who(t) == ("dealer", "")
    assert refused(t.tell(Key("sign-out", (), -1, "Ann", "supervisor", "page")))


def test_a_correction_needs_a_supervisor() -> None:
    t = Telling()
    t.bet(1, war=10)
    t.key("no-more-bets")
    t.draw("2h Kd")
    assert refused(t.tell(Amend(5, CardOut("Qd"), "me", role="dealer", person="Ben"))) == ["this needs the supervisor"]
    assert not refused(t.tell(Amend(5, CardOut("Qd"), "me", role="supervisor", person="Ann")))


def test_the_wait_grows_and_is_of_the_badge_and_of_the_place() -> None:
    t = Telling()
    t.tell(BadgePresented("7", "Ann"))
    for n in range(4):
        assert attempts_left(t.table, "7", "console") == 5 - n
        t.tell(SignInFailed("7", "console", WRONG_PIN, "Ann"))
        assert locked_until(t.table, "7", "console", t.at) is None
    waits = []
    for _ in range(6):
        t.tell(SignInFailed("7", "console", WRONG_PIN, "Ann"))
        until = locked_until(t.table, "7", "console", t.at)
        assert until is not None
        waits.append((until - t.at) // MINUTE)
        assert locked_until(t.table, "7", "page 1", t.at) is None  # elsewhere it has a wait of its own
        assert locked_until(t.table, "8", "console", t.at) == until  # the place, whoever
        assert locked_until(t.table, "8", "page 1", t.at) is None
        t.at = until
    assert waits == [1, 2, 4, 8, 15, 15]
    t.tell(SignInFailed("7", "console", LOCKED_OUT, "Ann"))
    t.tell(SignInFailed("", "console", NO_BADGE))
    assert locked_until(t.table, "7", "console", t.at) is None  # these do not count
    t.tell(ANN)
    assert not t.table.attempts and attempts_left(t.table, "7", "console") == 5


def test_attempts_outlive_a_replay_a_correction_and_another_configuration() -> None:
    t = Telling()
    for _ in range(4):
        t.tell(SignInFailed("7", "console", WRONG_PIN))
    t.bet(1, war=10)
    t.tell(SignInFailed("7", "console", WRONG_PIN))
    t.key("no-more-bets")
    t.draw("2h Kd")
    t.tell(Amend(9, CardOut("Qd"), "me"))
    assert locked_until(t.table, "7", "console", t.at) == MINUTE
    again = Table()
    for seq, at, fact in t.facts:
        again, _ = step(again, seq, at, decode(encode(fact)))
    assert again.attempts == t.table.attempts
    other, _ = step(t.table, 99, t.at, Started("casino-war", {}))
    assert other.attempts == t.table.attempts


def test_somebody_who_invents_badges_does_not_fill_the_table() -> None:
    t = Telling()
    for n in range(400):
        t.table, _ = step(t.table, n + 2, n, SignInFailed(f"{n}", f"page {n}", WRONG_PIN))
    assert len(t.table.attempts) == 256 and "badge 399" in t.table.attempts


def test_idle_time_begins_again_with_each_key_at_the_console() -> None:
    t = Telling()
    assert idle_at(t.table) is None
    t.tell(SignedIn("Ann", "7", "supervisor", "console", -1, 600))
    assert idle_at(t.table) == 600
    t.at = 100
    t.bet(1, war=10)
    assert idle_at(t.table) == 600
    t.key("no-more-bets")
    assert idle_at(t.table) == 700
    t.at = 200
    t.tell(Key("seat", ("1",), -1, "Ben", "dealer", "page"))
    assert idle_at(t.table) == 700


def test_what_older_consoles_told_still_counts() -> None:
    t = Telling()
    t.tell(SignedIn("Ann", "7", "supervisor", "console", -1, 600))
    t.tell(Badge("casino-manager", "Zoe"))
    assert who(t) == ("casino-manager", "Zoe") and t.table.signed is None


def test_nobody_signs_in_as_what_does_not_exist() -> None:
    t = Telling()
    assert refused(t.tell(SignedIn("Ann", "7", "owner", "console"))) == ['there is no role "owner"']
    assert t.table.role == "dealer"


def wrong(t: Telling, badge: str, place: str, person: str = "") -> None:
    t.tell(SignInFailed(badge, place, WRONG_PIN, person))


def waits(t: Telling, badge: str, place: str) -> bool:
    return locked_until(t.table, badge, place, t.table.now) is not None


def test_who_tries_from_far_away_locks_nobody_at_the_table() -> None:
    t = Telling()
    for n in range(5):
        wrong(t, "7", f"page 10.0.0.{n}", "Ann")
    assert waits(t, "7", "page 10.0.0.9") and waits(t, "7", "socket") and not waits(t, "7", "console")
    for _ in range(5):
        wrong(t, "8", "console", "Ben")
    assert waits(t, "9", "console") and waits(t, "8", "console") and not waits(t, "8", "socket")


def test_an_account_at_the_socket_locks_no_other() -> None:
    t = Telling()
    for n in range(5):
        t.tell(SignInFailed(f"made up {n}", "socket", WRONG_PIN, account=1001))
    assert locked_until(t.table, "7", "socket", t.table.now, 1001) is not None
    assert locked_until(t.table, "7", "socket", t.table.now, 1002) is None
    t.tell(SignedIn("Ann", "7", "supervisor", "socket", 1001))
    assert locked_until(t.table, "7", "socket", t.table.now, 1001) is None


def test_a_supervisor_frees_who_must_wait() -> None:
    t = Telling()
    assert refused(t.key("unlock")) == ["this needs the supervisor"]
    t.tell(ANN)
    assert refused(t.key("unlock 8")) == ["nobody has to wait"]
    for place in ("console", "socket"):
        for _ in range(5):
            wrong(t, "8", place, "Ben")
    assert not refused(t.key("unlock 8"))
    assert waits(t, "8", "console") and waits(t, "8", "socket")  # the places, where somebody tried
    assert {name.partition(" ")[0] for name in t.table.attempts} == {"place"}  # the badge is free at both
    t.tell(Hold("x", "y"))
    assert not refused(t.key("unlock")) and not t.table.attempts
    assert refused(t.key("unlock a b"))


def test_no_flood_of_made_up_badges_and_places_frees_a_badge() -> None:
    t = Telling()
    for _ in range(5):
        wrong(t, "7", "page 10.0.0.1", "Ann")
    for n in range(400):
        wrong(t, f"made up {n}", f"page fd00::{n:x}")
    assert waits(t, "7", "socket") and len(t.table.attempts) <= 256


@pytest.mark.parametrize("role", NO_KEYS)
def test_whoever_has_no_keys_has_no_power_at_the_table(role: str) -> None:
    """A technician, an inspector: of every key, with any words, only those that anybody may press do something."""
    t = Telling()
    rules = find(t.table.game)
    for key in keys_of(rules):
        if key.anyone:
            continue
        for words in {(), ("1",), *((word,) for word in key.first_words)}:
            pressed = Key(key.name, words, 1000, "Cat", role, "socket")
            after, effects = step(t.table, t.seq + 1, t.at + 1, pressed)
            assert refused(effects), (key.name, words)
            assert after.round == t.table.round and after.options == t.table.options


def test_who_signs_out_of_one_session_keeps_the_others() -> None:
    t = Telling()
    for place, account in (("page 1", -1), ("page 2", -1), ("socket", 1000)):
        t.tell(SignedIn("Ann", "7", "supervisor", place, account))
    t.tell(SignedOut("Ann", "page 2"))
    assert [(each.place, each.account) for each in t.table.elsewhere] == [("page 1", -1), ("socket", 1000)]
    t.tell(SignedOut("Ann", "socket"))  # of another account: there is no such session
    assert len(t.table.elsewhere) == 2
