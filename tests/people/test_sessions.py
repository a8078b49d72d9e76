"""Sessions: bound to their place, and over when nobody uses them, when they are old, or when there are too many."""

from __future__ import annotations

from controller.people.sessions import Sessions
from controller.table.facts import EXPIRED, IDLE, REPLACED


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock, idle: float = 600.0, most: int = 32) -> Sessions:
    return Sessions(idle, 43_200.0, clock, most)


def test_a_session_is_found_by_its_token_at_its_place() -> None:
    sessions = opened(Clock())
    token, session = sessions.open("Ann", "supervisor", "page 10.0.0.1", -1)
    assert sessions.find(token, "page 10.0.0.1", -1) is session
    assert sessions.find(token, "page 10.0.0.2", -1) is None
    assert sessions.find(token, "page 10.0.0.1", 0) is None
    assert sessions.find(token + "x", "page 10.0.0.1", -1) is None
    assert len(token) >= 43 and token not in repr(sessions.__dict__) and session.csrf not in repr(session)
    assert session.carries(session.csrf) and not session.carries("") and not session.carries("\udcff")


def test_every_session_has_words_of_its_own() -> None:
    sessions = opened(Clock())
    words = [
        word for _ in range(3) for token, s in [sessions.open("Ann", "dealer", "p", -1)] for word in (token, s.csrf)
    ]
    assert len(set(words)) == 6


def test_it_ends_when_nobody_uses_it() -> None:
    clock = Clock()
    sessions = opened(clock)
    token, session = sessions.open("Ann", "dealer", "p", -1)
    for _ in range(3):
        clock.now += 599
        assert sessions.find(token, "p", -1) is session
    assert sessions.left(session) == 600
    clock.now += 600
    assert sessions.find(token, "p", -1) is None
    assert sessions.sweep() == [(session, IDLE)] and not len(sessions) and sessions.sweep() == []


def test_it_ends_when_it_is_old_whatever_is_done_in_it() -> None:
    clock = Clock()
    for idle in (600.0, 0.0):
        sessions = opened(clock, idle)
        token, session = sessions.open("Ann", "dealer", "p", -1)
        for _ in range(86):
            clock.now += 500
            assert sessions.find(token, "p", -1) is session
        clock.now += 200
        assert sessions.find(token, "p", -1) is None
        assert sessions.sweep() == [(session, EXPIRED)]


def test_of_too_many_the_one_that_was_used_longest_ago_ends() -> None:
    clock = Clock()
    sessions = opened(clock, most=2)
    first, one = sessions.open("Ann", "dealer", "p", -1)
    _, two = sessions.open("Ben", "dealer", "p", -1)
    assert sessions.find(first, "p", -1) is one
    sessions.open("Cat", "dealer", "p", -1)
    assert sessions.sweep() == [(two, REPLACED)]
    assert sessions.close(one) and not sessions.close(one) and not sessions.close(two)
