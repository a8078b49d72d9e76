"""Fuzzes for as long as one likes: `make fuzz`, or `python -m tests.fuzz --minutes 30 --target wire`.

Prints each finding with its smaller input, and keeps that in build/fuzz/found; `--again FILE` tries one again.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Final

from tests.fuzz.reach import Reach

SLICE: Final = 5.0  # seconds for a target before it is another's turn


def main() -> int:
    """Returns 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="for how long, over all targets (60)")
    parser.add_argument(
        "--target", default="", metavar="T", help="only targets whose name begins so, such as wire or text.terms"
    )
    parser.add_argument("--seed", type=int, default=int(time.time()), help="what chooses the inputs (the time)")
    parser.add_argument("-j", type=int, default=1, help="processes at once (1)")
    parser.add_argument("--again", metavar="FILE", help="try the input in this file, of the one target that is named")
    parser.add_argument("--list", action="store_true", help="name the targets")
    words = parser.parse_args()
    print(f"seed {words.seed}", file=sys.stderr)
    if words.j <= 1 or words.again or words.list:
        return _work(words, words.seed)
    context = multiprocessing.get_context("spawn")
    with context.Pool(words.j) as pool:
        return max(pool.starmap(_work, [(words, words.seed + n) for n in range(words.j)]))


def _work(words: argparse.Namespace, seed: int) -> int:
    reach = Reach()
    reach.switch_on()
    import structlog

    from tests.fuzz import search, targets  # from now on every module of ours is marked

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))

    kinds = {name: kind for name, kind in targets.ALL.items() if name.startswith(words.target)}
    if not kinds:
        print(f"there is no target {words.target!r}; there are {', '.join(targets.ALL)}", file=sys.stderr)
        return 2
    if words.list:
        print(*kinds, sep="\n")
        return 0
    if words.again:
        return _again(words, kinds[words.target]())
    search.limit_memory()
    searches = []
    try:
        for kind in kinds.values():
            searches.append(search.Search(kind(), seed, reach))
        return _search(searches, words.minutes * 60, reach)
    finally:
        for each in searches:
            each.target.close()


def _again(words: argparse.Namespace, target: object) -> int:
    from tests.fuzz.search import tried
    from tests.fuzz.target import Target

    assert isinstance(target, Target)
    found = tried(target, Path(words.again).read_bytes())
    target.close()
    print(found.told if found else "nothing is broken by it")
    return 1 if found else 0


def _search(searches: list, seconds: float, reach: Reach) -> int:  # type: ignore[type-arg]
    began = time.monotonic()
    spent = dict.fromkeys((each.target.name for each in searches), 0.0)
    fresh = True
    while fresh or time.monotonic() < began + seconds:
        for each in searches:
            start = time.monotonic()
            for found in each.begin() if fresh else ():
                _tell(found)
            while time.monotonic() < min(start + SLICE, began + seconds):
                if (found := each.step()) is not None:
                    _tell(found)
            spent[each.target.name] += time.monotonic() - start
            _progress(each.target.name, searches, reach, time.monotonic() - began)
            each.keep()
        fresh = False
    print(file=sys.stderr)
    for each in searches:
        name = each.target.name
        print(f"{name:24} {each.inputs:9,} inputs {spent[name]:7.0f} s  {each.kept:4} kept  {len(each.found)} found")
    return 1 if any(each.found for each in searches) else 0


def _tell(found: object) -> None:
    from tests.fuzz.search import FOUND, Found

    assert isinstance(found, Found)
    path = found.keep(FOUND)
    print(f"\r== {found.target}: {found.kind}\n{found.told}input: {found.data[:300]!r}", flush=True)
    print(f"again: python -m tests.fuzz --target {found.target} --again {path}", flush=True)


def _progress(name: str, searches: list, reach: Reach, seconds: float) -> None:  # type: ignore[type-arg]
    inputs, count = sum(each.inputs for each in searches), sum(len(each.found) for each in searches)
    text = f"{seconds / 60:5.1f} min {inputs:,} inputs, {len(reach.known):,} blocks reached, {count} found; {name}"
    print(f"\r{text:100}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
