"""Searches one target: runs inputs, keeps those that reach something new, and makes what it found smaller."""

from __future__ import annotations

import hashlib
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from tests.fuzz.reach import Reach
from tests.fuzz.target import Finding, Target

ROOT: Final = Path(__file__).parents[2]
FOUND: Final = ROOT / "build" / "fuzz" / "found"
CORPUS: Final = ROOT / "build" / "fuzz" / "corpus"
KEPT: Final = Path(__file__).with_name("found")  # findings of before; a test tries them again
CPU: Final = 20.0  # seconds that one input may compute
WAIT: Final = 120.0  # seconds that it may take
MEMORY: Final = 4 << 30  # bytes of the whole process
MOST_KEPT: Final = 600  # inputs of a target
PATIENCE: Final = 20.0  # seconds to make one smaller
SEVERAL: Final = 0.25  # of all inputs are made anew


class Hung(BaseException):
    """An input took too long; no handler of ours may swallow this."""


class Found(NamedTuple):
    """An input that broke something."""

    target: str
    data: bytes
    kind: str
    told: str

    @property
    def name(self) -> str:
        """The name of the file that it is kept in."""
        return hashlib.sha256(self.data).hexdigest()[:12]

    def keep(self, folder: Path = FOUND) -> Path:
        """Writes the input; returns where it is."""
        path = folder / self.target / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data)
        return path


def limit_memory() -> None:
    """Lets this process fail where an input makes it take far too much."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@contextmanager
def limited() -> Iterator[None]:
    """Ends what takes too long, by raising Hung where it is."""

    def late(_number: int, _frame: object) -> None:
        raise Hung

    before = {number: signal.signal(number, late) for number in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, CPU)
    signal.setitimer(signal.ITIMER_REAL, WAIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def tried(target: Target, data: bytes) -> Found | None:
    """Runs an input; returns what it broke."""
    try:
        with limited():
            target.attempt(data)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        return Found(target.name, data, _kind(error), "".join(traceback.format_exception(error, limit=-12)))
    return None


def _kind(error: BaseException) -> str:
    """Returns what is the same for all inputs that break the same thing: the error, and where it came from."""
    if isinstance(error, Finding):
        return str(error).partition(":")[0]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if str(ROOT) in frame.filename]
    places = [f"{Path(frame.filename).relative_to(ROOT)}:{frame.lineno}" for frame in frames]
    deep = [place for place in places if not place.startswith((".venv", "tests/fuzz/search"))]
    return f"{type(error).__name__} at {deep[-1] if deep else '?'}"


def made_smaller(target: Target, found: Found) -> Found:
    """Returns the smallest input that breaks the same thing, as far as it is found soon."""
    until, best = time.monotonic() + PATIENCE, found
    while True:
        for data in target.smaller(best.data):
            again = tried(target, data) if len(data) < len(best.data) else None
            if again is not None and again.kind == found.kind:
                best = again
                break
            if time.monotonic() > until:
                return best
        else:
            return best


class Search:
    """Looks for inputs that break a target, from a seed on."""

    def __init__(self, target: Target, seed: int, reach: Reach | None = None) -> None:
        self.target = target
        self.inputs = 0
        self.found: dict[str, Found] = {}
        self._rng = Random(f"{target.name} {seed}")
        self._reach = reach
        self._corpus: list[bytes] = []

    def begin(self) -> list[Found]:
        """Tries the inputs that a target begins with, and those that earlier searches kept; returns what they broke."""
        kept = sorted((CORPUS / self.target.name).glob("*")) if self._reach is not None else []
        inputs = (*self.target.seeds(), *(path.read_bytes() for path in kept))
        found = [each for each in map(self._try, inputs) if each is not None]
        if not self._corpus:
            self._corpus = list(self.target.seeds())
        return found

    def step(self) -> Found | None:
        """Tries one more input; returns what it broke, when nothing before it broke the same."""
        rng = self._rng
        anew = not self._corpus or rng.random() < SEVERAL
        return self._try(self.target.generate(rng) if anew else self.target.mutate(rng, rng.choice(self._corpus)))

    def keep(self) -> None:
        """Writes the inputs that reached something new."""
        folder = CORPUS / self.target.name
        folder.mkdir(parents=True, exist_ok=True)
        for data in self._corpus:
            (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)

    @property
    def kept(self) -> int:
        """How many inputs reached something new."""
        return len(self._corpus)

    def _try(self, data: bytes) -> Found | None:
        self.inputs += 1
        found = tried(self.target, data)
        if self._reach is not None and self._reach.fresh() and found is None and len(self._corpus) < MOST_KEPT:
            self._corpus.append(data)
        if found is None or found.kind in self.found:
            return None
        self.found[found.kind] = found
        small = made_smaller(self.target, found)
        self.found[found.kind] = small
        return small
