"""The index of rounds: kept, found by what is asked, bounded, and thrown away when it is of no use."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.service.round_store import Position, RoundStore, Wanted, Waypoint, discard
from controller.views.asides import Aside
from controller.views.float_form import FloatEntry
from controller.views.moments import iso
from controller.views.record import Irregular, Moment, Paid, RoundRecord
from controller.views.recorder import summary

NOON = 1_700_000_000_000_000


def record(
    number: int,
    *,
    opened: int = 0,
    game: str = "casino-war",
    outcome: str = "settled",
    areas: tuple[str, ...] = ("1",),
    irregular: tuple[Irregular, ...] = (),
) -> RoundRecord:
    at = Moment(opened or number * 10, iso(NOON + number * 60_000_000))
    paid = tuple(Paid(area, "war", "10.00", "win", "10.00", "5.7.1") for area in areas)
    return RoundRecord(
        number=number,
        game=game,
        title="Casino War",
        opened=at,
        ended=at,
        outcome=outcome,
        irregular=irregular,
        settlement=paid,
        last=at.seq + 5,
    )


@pytest.fixture
def store(tmp_path: Path) -> RoundStore:
    return RoundStore.open(tmp_path / "rounds.db", "T1")


def kept(store: RoundStore, *records: RoundRecord) -> None:
    store.keep(records, Position(max(each.last for each in records), "aa"))


def numbers(store: RoundStore, **wanted: object) -> list[int]:
    return [each.number for each in store.list(Wanted(**wanted))]  # type: ignore[arg-type]


RECORDS = (
    record(1),
    record(2, outcome="void", irregular=("void", "hold")),
    record(3, areas=("3", "3.2", "13")),
    record(4, game="holdem", irregular=("ruling",)),
    record(5, areas=("13",)),
)
MINUTE_3 = iso(NOON + 3 * 60_000_000)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, [5, 4, 3, 2, 1]),
        ({"game": "holdem"}, [4]),
        ({"area": "3"}, [3]),
        ({"area": "13"}, [5, 3]),
        ({"outcome": "void"}, [2]),
        ({"irregular": "any"}, [4, 2]),
        ({"irregular": "none"}, [5, 3, 1]),
        ({"irregular": "hold"}, [2]),
        ({"since": MINUTE_3}, [5, 4, 3]),
        ({"until": MINUTE_3}, [2, 1]),
        ({"before": 30}, [2, 1]),
        ({"most": 2}, [5, 4, 3]),  # one more than that: there are more
        ({"area": "1", "irregular": "any"}, [4, 2]),
    ],
)
def test_rounds_are_found_by_what_is_asked(store: RoundStore, wanted: dict[str, object], found: list[int]) -> None:
    kept(store, *RECORDS)
    assert numbers(store, **wanted) == found
    fits = [each.number for each in reversed(RECORDS) if Wanted(**wanted).fits(summary(each))]  # type: ignore[arg-type]
    assert fits[: len(found)] == found
    store.close()


def test_the_oldest_are_let_go(tmp_path: Path) -> None:
    store = RoundStore.open(tmp_path / "rounds.db", "T1", keep=3)
    assert store.gone == 0
    kept(store, *map(record, range(1, 6)))
    assert numbers(store) == [5, 4, 3]
    assert (store.gone, store.count(), store.find(2)) == (20, 3, None)
    store.close()


def test_a_number_may_come_again(store: RoundStore) -> None:
    kept(store, record(1), record(2), record(1, opened=900, outcome="void"))
    newest = store.find(1)
    assert newest is not None and newest.outcome == "void"
    older = store.find(1, 10)
    assert older is not None and older.outcome == "settled"
    assert store.others(1, 900) == [10]
    assert store.newest() == 900
    store.close()


def test_a_record_that_comes_again_takes_the_place_of_the_first(store: RoundStore) -> None:
    kept(store, record(1))
    kept(store, record(1, outcome="void"))
    assert [each.outcome for each in store.list(Wanted())] == ["void"]
    store.close()


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    store = RoundStore.open(tmp_path / "rounds.db", "T1")
    kept(store, record(1))
    store.close()
    store = RoundStore.open(tmp_path / "rounds.db", "T1")
    assert store.position == Position(15, "aa")
    assert store.find(1) == record(1)
    store.close()


def other_form(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '0 old' WHERE name = 'form'")
    connection.close()


def another_program(path: Path) -> None:
    discard(path)
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE meta (name TEXT, value TEXT)")
    connection.close()


def garbage(path: Path) -> None:
    path.write_bytes(b"nothing that anybody could read" * 500)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("spoil", [other_form, another_program, garbage, cut_off, empty])
def test_what_is_of_no_use_is_made_anew(tmp_path: Path, spoil: object) -> None:
    path = tmp_path / "rounds.db"
    store = RoundStore.open(path, "T1")
    kept(store, *RECORDS)
    store.close()
    assert callable(spoil)
    spoil(path)
    store = RoundStore.open(path, "T1")
    assert store.position.seq == 0 and store.count() == 0
    kept(store, record(1))
    store.close()


def test_an_index_of_another_table_is_made_anew(tmp_path: Path) -> None:
    store = RoundStore.open(tmp_path / "rounds.db", "T1")
    kept(store, record(1))
    store.close()
    store = RoundStore.open(tmp_path / "rounds.db", "T2")
    assert store.count() == 0
    store.close()


def test_ten_thousand_rounds_take_little_and_are_found_at_once(tmp_path: Path) -> None:
    store = RoundStore.open(tmp_path / "rounds.db", "T1")
    store.keep((record(n, areas=(str(n % 7 + 1),)) for n in range(1, 10_001)), Position(1, "aa"))
    assert store.count() == 10_000
    assert numbers(store, area="7", irregular="none", most=1) == [9_995, 9_988]
    store.close()


def test_a_search_begins_near_the_round(tmp_path: Path) -> None:
    """The numbers began anew once, between the second waypoint and the third."""
    with closing(RoundStore.open(tmp_path / "rounds.db", "T1")) as store:
        for waypoint in (Waypoint(10, 3, False, b"a"), Waypoint(20, 6, True, b"b"), Waypoint(30, 2, False, b"c")):
            store.keep_waypoint(waypoint)
        store._set({"gone": "40"})
        assert store.last_waypoint() == 30
        parts = [(part.begin.seq, part.end, part.begin.state) for part in store.stretches(5, 0)]
        assert parts == [(30, 40, b"c"), (20, 30, b"b"), (10, 20, b"a"), (0, 10, b"")]
        assert [part.begin.seq for part in store.stretches(9, 0)] == [30, 20, 0]
        assert next(store.stretches(5, 15)).begin == Waypoint(10, 3, False, b"a")


def test_what_happened_beside_the_rounds(tmp_path: Path) -> None:
    def at(seq: int) -> Moment:
        return Moment(seq, iso(NOON + seq * 60_000_000))

    def fault(seq: int, game: str = "casino-war") -> Aside:
        return Aside(at(seq), "fault", "shoe shoe.jam", game, "")

    moved = [
        FloatEntry(at(seq), deed, "5.00")
        for seq, deed in ((1, "opening"), (2, "fill"), (200, "fill"), (300, "closing"))
    ]
    with closing(RoundStore.open(tmp_path / "rounds.db", "T1", keep=100)) as store:
        faults = [fault(seq, "holdem" if seq == 150 else "casino-war") for seq in range(10, 160)]
        store.keep([], Position(300, "aa"), [*moved[:2], *faults, *moved[2:]])
        store.keep([], Position(300, "aa"), moved[:1])  # told again after a crash
        assert list(store.floats()) == moved
        assert [each.at.seq for each in store.asides(Wanted())] == list(range(60, 160))  # the latest
        assert [each.at.seq for each in store.asides(Wanted(since=at(158).at))] == [158, 159]
        assert [each.at.seq for each in store.asides(Wanted(until=at(61).at))] == [60]
        assert [each.at.seq for each in store.asides(Wanted(game="holdem"))] == [150]


class GoesOn:
    """The lock of an index in which another round is kept whenever it is let go of, as by the thread that keeps it."""

    def __init__(self, lock: threading.Lock, keep: Callable[[], None]) -> None:
        self._lock, self._keep = lock, keep

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self._lock.release()
        self._keep()


def test_a_position_is_of_one_fact_while_the_index_goes_on(store: RoundStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Position(15, "aa"), Position(25, "bb")
    store.keep([record(1)], first)
    lock = store._lock

    def keep_another() -> None:
        monkeypatch.setattr(store, "_lock", lock)
        store.keep([record(2)], second)

    monkeypatch.setattr(store, "_lock", GoesOn(lock, keep_another))
    assert (store.position, store.position) == (first, second)
