"""A small piece of the fuzzing in every test run, with the same inputs each time; FELT_FUZZ=20 tries more of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import changes
from tests.fuzz.search import KEPT, Hung, Search, made_smaller, tried
from tests.fuzz.target import Finding, Target
from tests.fuzz.targets import ALL
from tests.searches import times

SEED = 14


@pytest.fixture
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    made = ALL[request.param]()
    yield made
    made.close()


@pytest.mark.parametrize("target", ALL, indirect=True)
def test_nothing_is_found(target: Target) -> None:
    search = Search(target, SEED)
    for _ in range(times(target.daily)):
        found = search.step()
        assert found is None, f"{found.kind}\n{found.told}\nkept in {found.keep()}"


@pytest.mark.parametrize("path", sorted(KEPT.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_mended(path: Path) -> None:
    target = ALL[path.parent.name]()
    try:
        found = tried(target, path.read_bytes())
        assert found is None, found.told
    finally:
        target.close()


# ---- the search itself


class Fragile(Target):
    """Breaks when there is an odd byte behind another one."""

    name = "fragile"

    def seeds(self) -> list[bytes]:
        return [b"abcdefgh" * 8]

    def run(self, data: bytes) -> None:
        if b"\xff" in data and b"a" in data:
            raise ValueError("fragile")
        if data == b"hang":
            raise Hung


def test_a_finding_is_made_smaller_and_tells_itself() -> None:
    search = Search(Fragile(), 1)
    found = next(found for found in (search.step() for _ in range(2000)) if found is not None)
    assert sorted(found.data) == [ord("a"), 0xFF]
    assert "ValueError: fragile" in found.told and found.kind.startswith("ValueError at tests/fuzz/")
    assert all(search.step() is None for _ in range(200))  # the same thing is told once


def test_a_search_is_the_same_for_the_same_seed() -> None:
    class Noting(Fragile):
        def __init__(self) -> None:
            self.seen: list[bytes] = []

        def run(self, data: bytes) -> None:
            self.seen.append(data)

    targets = Noting(), Noting(), Noting()
    for made, seed in zip(targets, (5, 5, 6), strict=True):
        search = Search(made, seed)
        for _ in range(50):
            search.step()
    assert targets[0].seen == targets[1].seen != targets[2].seen


def test_what_hangs_is_a_finding_too() -> None:
    found = tried(Fragile(), b"hang")
    assert found is not None and found.kind.startswith("Hung")
    assert made_smaller(Fragile(), found).data == b"hang"


def test_smaller_inputs_are_smaller() -> None:
    assert all(len(each) < 40 for each in changes.smaller(b"x" * 40))


def test_a_judge_names_what_it_does_not_accept() -> None:
    class Judging(Fragile):
        def judge(self, data: bytes, outcome: object) -> None:
            raise Finding("a colour: red")

    found = tried(Judging(), b"x")
    assert found is not None and found.kind == "a colour"
