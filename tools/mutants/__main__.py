"""Plants a sample of faults into the pure rooms and prints which of them no test finds: `make mutants`."""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from math import inf
from pathlib import Path
from queue import Queue
from time import monotonic
from typing import Final

from tools import rules_map
from tools.citations import Source
from tools.covered import ROOT
from tools.mutants import reach, results
from tools.mutants.map import files
from tools.mutants.operators import Fault, faults
from tools.mutants.trial import Trials, Tried

GOAL: Final = 0.95


def sample(size: int, seed: int, only: str = "") -> list[tuple[str, Fault]]:
    """Returns this many of all faults of the pure rooms, the same for the same seed."""
    chosen = [path for path in files() if path.startswith(only)]
    every = [(path, fault) for path in chosen for fault in faults((ROOT / path).read_text(encoding="utf-8"))]
    return random.Random(seed).sample(every, min(size, len(every)))


def for_each_rule(most: int, seed: int) -> list[tuple[str, Fault]]:
    """Returns up to so many faults in the code of each rule for software of which none was drawn yet."""
    root, known = rules_map.ROOT, rules_map.planted(rules_map.ROOT, ("faults",))
    by_place: dict[tuple[str, str], list[Fault]] = defaultdict(list)
    for path in files():
        text = (root / path).read_text(encoding="utf-8")
        symbols = Source(text).symbols
        for fault in faults(text):
            named = fault._replace(symbol=fault.symbol or symbols[fault.line])
            by_place[path, named.symbol].append(named)
    chosen: dict[tuple[str, Fault], None] = {}
    for document in rules_map.build():
        for rule in document.software:
            places = sorted(rules_map.acting(rule))
            if any(known[place] for place in places):
                continue
            theirs = [(place[0], fault) for place in places for fault in by_place[place]]
            drawn = random.Random(f"{seed}/{document.number}/{rule.number}").sample(theirs, min(most, len(theirs)))
            chosen |= dict.fromkeys(drawn)
    return list(chosen)


def main() -> int:
    """Prints the share of faults that tests find; returns 1 when it is below the goal."""
    parser = argparse.ArgumentParser(description="faults planted into the pure rooms, and whether tests find them")
    parser.add_argument("--sample", type=int, default=1000, help="how many faults (1000)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("--only", default="", metavar="PATH", help="only of files whose path begins so")
    parser.add_argument("--again", action="store_true", help="use the measurement of which test reaches what again")
    parser.add_argument("--keep", action="store_true", help=f"write {results.KEPT.relative_to(ROOT)}")
    parser.add_argument(
        "--minutes", type=float, default=inf, help="begin no more trials after so many; what came by then is told"
    )
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, help="trials at once")
    parser.add_argument(
        "--each-rule",
        type=int,
        default=0,
        metavar="N",
        help="instead, N faults at most in the code of each rule of which none was drawn; kept apart from the others",
    )
    words = parser.parse_args()
    if not words.again and reach.measure(str(words.j)):
        print("a test fails without any fault: mend it first")
        return 1
    tried: list[Tried] = []
    each_rule = words.each_rule > 0
    drawn = for_each_rule(words.each_rule, words.seed) if each_rule else sample(words.sample, words.seed, words.only)
    chosen = [one for one in drawn if one[0].startswith(words.only)]
    for each in _all_tried(chosen, words.j, words.minutes):
        tried.append(each)
        if not results.is_found(each):
            print(f"\r{results.line(each)}", file=sys.stderr)
        missed = sum(not results.is_found(each) for each in tried)
        print(f"\r{len(tried)} of {len(chosen)} planted, {missed} not found", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if len(tried) < len(chosen):
        print(f"time was over after {len(tried)} of {len(chosen)}: a sample as well, they were drawn in this order")
    print(*results.lines(tried), sep="\n")
    if words.keep:
        results.keep(tried, words.seed, Path(results.KEPT), "each rule" if each_rule else "faults")
    noticed = sum(map(results.is_found, tried))
    return 0 if noticed >= GOAL * len(tried) else 1


def _all_tried(chosen: list[tuple[str, Fault]], jobs: int, minutes: float) -> Iterator[Tried]:
    """Yields what became of each fault, as soon as it is known, of as many as begin within these minutes."""
    known, until = reach.Reach(), monotonic() + 60 * minutes
    free: Queue[Trials] = Queue()

    def attempt(path: str, fault: Fault) -> Tried | None:
        trials = free.get()
        try:
            return trials.attempt(path, fault) if monotonic() < until else None
        finally:
            free.put(trials)

    with ExitStack() as ending, ThreadPoolExecutor(jobs) as pool:
        for trials in pool.map(Trials, [known] * jobs):
            ending.callback(trials.close)
            free.put(trials)
        waiting = [pool.submit(attempt, path, fault) for path, fault in chosen]
        try:
            yield from (tried for each in as_completed(waiting) if (tried := each.result()) is not None)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


if __name__ == "__main__":
    sys.exit(main())
