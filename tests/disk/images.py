"""The disk images that a power cut can leave: all that was synced, and of the rest any part, in any order, torn."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from tests.disk.shim import Call

SECTOR: Final = 512
FEW: Final = 4  # things that were not synced: up to here every subset is an image of its own

Image = dict[str, bytes]  # what the directory has: content by name


class Change(NamedTuple):
    """A change of one file's content: bytes at an offset, or (None) a new length."""

    offset: int
    data: bytes | None
    settled: bool = False  # synced, behind something that may be lost


class File:
    """A file: what is certainly on the disk, and the changes behind it in their order."""

    def __init__(self) -> None:
        self.content = b""
        self.changes: list[Change] = []
        self.doubtful = False  # a sync failed: what waited then may be lost although later syncs succeed

    def sync(self) -> None:
        """Makes the changes certain; those that a failed sync had before it stay doubtful."""
        if not self.doubtful:
            self.content, self.changes = applied(self.content, self.changes), []
            return
        self.changes = [each if index < self._lost else each._replace(settled=True) for index, each in self._numbered()]

    def fail(self) -> None:
        """Notes that a sync failed."""
        self.doubtful, self._lost = True, len(self.changes)

    def _numbered(self) -> list[tuple[int, Change]]:
        return list(enumerate(self.changes))

    _lost = 0


class Disk:
    """A directory as a process changed it, with what of it would outlive a power cut."""

    def __init__(self, *, lies: bool = False) -> None:
        self._lies = lies  # it says that it synced, and did not
        self.live: dict[str, File] = {}
        self.synced: dict[str, File] = {}
        self.moves: list[dict[str, File]] = []  # the names after each change that is not synced

    def follow(self, call: Call) -> bool:
        """Takes in one call; tells whether another image may be left than before."""
        act = getattr(self, f"_{call.word}")
        return bool(act(call))

    def open_changes(self) -> list[tuple[File, int]]:
        """Returns the changes of contents that a cut may take."""
        files = {id(file): file for names in (self.live, self.synced, *self.moves) for file in names.values()}
        return [(file, index) for file in files.values() for index, each in enumerate(file.changes) if not each.settled]

    def _note(self, call: Call) -> bool:
        return False

    def _create(self, call: Call) -> bool:
        if call.name in self.live:
            return False
        self._named({**self.live, call.name: File()})
        return True

    def _empty(self, call: Call) -> bool:
        self._create(call)
        self.live[call.name].changes.append(Change(0, None))
        return True

    def _write(self, call: Call) -> bool:
        self.live[call.name].changes.append(Change(call.offset, call.data))
        return True

    def _cut(self, call: Call) -> bool:
        self.live[call.name].changes.append(Change(call.offset, None))
        return True

    def _sync(self, call: Call) -> bool:
        if self._lies:
            return False
        if call.name in self.live:
            self.live[call.name].sync()
        else:  # a folder, and with it all names before: a file system keeps its changes of names in their order
            self.synced, self.moves = self.live, []
        return True

    def _unsynced(self, call: Call) -> bool:
        if call.name in self.live:
            self.live[call.name].fail()
        return True

    def _rename(self, call: Call) -> bool:
        below = f"{call.name}/"  # where it is a folder
        names = {
            call.other + name.removeprefix(call.name) if name == call.name or name.startswith(below) else name: file
            for name, file in self.live.items()
            if name != call.other
        }
        self._named(names)
        return True

    def _link(self, call: Call) -> bool:
        self._named({**self.live, call.other: self.live[call.name]})
        return True

    def _unlink(self, call: Call) -> bool:
        self._named({name: file for name, file in self.live.items() if name != call.name})
        return True

    def _named(self, names: dict[str, File]) -> None:
        self.live = names
        self.moves.append(names)


def applied(content: bytes, changes: Sequence[Change]) -> bytes:
    """Returns the content after these changes."""
    now = bytearray(content)
    for offset, data, _ in changes:
        if data is None:
            del now[offset:]
            now.extend(bytes(offset - len(now)))
        else:
            now.extend(bytes(max(0, offset - len(now))))
            now[offset : offset + len(data)] = data
    return bytes(now)


def images(disk: Disk, chance: random.Random, sample: int) -> Iterator[Image]:
    """Yields what a cut can leave now: every subset where few changes are open, and a sample of all else."""
    names = [disk.synced, *disk.moves]
    open_ = disk.open_changes()
    if len(open_) <= FEW:
        for kept, present in product(names, product((True, False), repeat=len(open_))):
            yield _image(kept, {(id(file), at): keep for (file, at), keep in zip(open_, present, strict=True)}, None)
    for _ in range(sample):
        often = chance.choice((0.1, 0.5, 0.9))
        choices = {(id(file), at): chance.random() < often for file, at in open_}
        yield _image(chance.choice(names), choices, chance)


def _image(names: dict[str, File], choices: dict[tuple[int, int], bool], chance: random.Random | None) -> Image:
    return {name: _content(file, choices, chance) for name, file in names.items()}


def _content(file: File, choices: dict[tuple[int, int], bool], chance: random.Random | None) -> bytes:
    """Returns the content of a file with the changes that were chosen; with a chance some are torn or come late."""
    changes: list[Change] = []
    for index, change in enumerate(file.changes):
        if change.settled:
            changes.append(change)
        elif choices[id(file), index]:
            changes += torn(change, chance) if chance is not None else [change]
    if chance is not None and not file.doubtful and chance.random() < 0.2:
        chance.shuffle(changes)
    return applied(file.content, changes)


def torn(change: Change, chance: random.Random) -> list[Change]:
    """Returns what reached the disk of a change: all, its first bytes, or some of its sectors."""
    if change.data is None:
        return [change]
    match chance.randrange(4):
        case 0:
            return [change._replace(data=change.data[: chance.randrange(len(change.data) + 1)])]
        case 1:
            return [change._replace(data=change.data[: SECTOR * chance.randrange(len(change.data) // SECTOR + 1)])]
        case 2:
            starts = [at for at in range(0, len(change.data), SECTOR) if chance.random() < 0.5]
            return [Change(change.offset + at, change.data[at : at + SECTOR]) for at in starts]
    return [change]
