"""What has become worse is named and fails: ratios beside kept runs, counts of instructions beside kept counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import history, instructions
from benchmarks.__main__ import failed
from benchmarks.history import Number, Run, compare
from benchmarks.instructions import UNIT, lines, read
from benchmarks.measure import Measured, NothingMeasured


def run(*numbers: Number, kind: str = "a Pi") -> Run:
    return Run("2026-01-01", "abc", kind, "", numbers)


def time_of(ratio: float) -> Number:
    return Number("card", ratio, "us", 1.0, ratio)


def rate_of(ratio: float) -> Number:
    return Number("facts", ratio, "/s", 1.0, ratio)


def test_a_time_is_worse_when_its_ratio_grows_and_a_rate_when_it_falls() -> None:
    before = [run(time_of(2.0), rate_of(0.8))]
    assert compare(run(time_of(2.19), rate_of(0.73)), before) == (2, [])
    assert compare(run(time_of(1.0), rate_of(2.0)), before) == (2, [])
    _, worse = compare(run(time_of(2.21), rate_of(0.72)), before)
    assert [each.what for each in worse] == ["card", "facts"]
    assert worse[0].text == "card: the ratio was 2 and is 2.21 (10 % worse)"


def test_only_the_newest_runs_on_the_same_kind_of_machine_count() -> None:
    old, new = [run(time_of(9.0))] * 5, [run(time_of(2.0)), run(time_of(8.0)), run(time_of(2.0))]
    assert [each.was for each in compare(run(time_of(3.0)), old + new)[1]] == [2.0]
    assert compare(run(time_of(3.0), kind="a server"), old + new) == (0, [])


def test_a_run_is_kept_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    measured = [Measured("card", 3.0, "us", 2.0), Measured("gone", 0, ""), Measured("step", 9, UNIT, guarded=True)]
    for _ in range(2):
        history.keep(history.run(measured, "a machine", "ordinary priority"), file)
    history.keep(history.run(measured[1:], "a machine", "ordinary priority"), file)  # nothing was measured
    first, second = history.kept(file)
    assert first.measured == second.measured == (Number("card", 3.0, "us", 2.0, 1.5),)
    assert first.kind.endswith("ordinary priority")


def test_a_count_that_grew_by_more_than_a_tenth_fails() -> None:
    grown, same, fresh = lines({"a": 1101, "b": 1100, "c": 5}, {"a": 1000, "b": 1000})
    assert (grown.met, same.met, fresh.met) == (False, True, None)
    assert failed([grown], keeping=False)
    assert not failed([grown], keeping=True)
    assert not failed([same, fresh], keeping=False)
    assert failed([Measured("x: failed", 0, "")], keeping=True)


def test_a_count_that_is_gone_fails() -> None:
    (gone,) = lines({}, {"a": 1000})
    assert failed([gone], keeping=False)


def test_what_counting_costs_is_no_part_of_a_count(tmp_path: Path) -> None:
    for number, (case, total) in enumerate((("nothing|1|1", 100), ("rank|10|1", 1100), ("step|2|3", 900))):
        text = f"version: 1\ndesc: Trigger: Client Request: {case}\nevents: Ir\n\ntotals: {total}\n"
        (tmp_path / f"counted.{number + 1}").write_text(text)
    assert read(tmp_path) == {"rank": 100, "step": 300}
    (tmp_path / "counted.1").unlink()
    with pytest.raises(NothingMeasured):
        read(tmp_path)


def test_counts_of_other_machines_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(instructions, "KEPT", tmp_path / "instructions.json")
    for kind, count in (("a", 1), ("b", 2), ("a", 3)):
        monkeypatch.setattr(instructions, "kind", lambda kind=kind: kind)
        instructions.keep([Measured("step", count, UNIT)])
    assert instructions.kept() == {"a": {"step": 3}, "b": {"step": 2}}


def test_every_game_is_counted() -> None:
    from controller.games import GAMES

    for counts in instructions.kept().values():
        for game in GAMES:
            assert {f"a step of {game}", f"settlement of a full table, {game}"} <= counts.keys()
