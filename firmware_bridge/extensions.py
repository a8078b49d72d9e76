"""Registers of what can be added without touching a line here: ours by name, and those that installed packages bring.

A package names what it brings as an entry point, in the group that the register has:

    [project.entry-points."feltd.vendors"]
    acme-shoe = "acme_shoe.driver"

Importing that module runs a decorator, which adds the thing to its register.  A module of ours is found by the same
name, with dashes as underscores, in the register's own package.  A package cannot take the place of one of ours.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from firmware_bridge.errors import Coded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
UNKNOWN: Final = "extension.unknown"
FAILED: Final = "extension.failed"
THEIRS: Final = (Exception, SystemExit)  # what code of a package may raise; Ctrl-C is a person's, and ends feltd
_OURS: Final = ("controller", "drivers", "firmware_bridge", "hw_sim")
_BROUGHT: Final[dict[str, str]] = {}  # module that was loaded for an entry point -> package


class ExtensionError(Coded):
    """Something that a package should bring is not there, or cannot be used."""


class Register(Generic[T]):
    """The things of one kind by name; each is loaded when it is asked for.

    Packages are looked through only for a name that is not ours, or when all names are wanted.
    """

    def __init__(self, group: str, what: str, package: str, ours: Iterable[str]) -> None:
        self.group = group
        self.what = what  # one of them, for people
        self._package = package
        self._ours: Final = tuple(ours)
        self._items: dict[str, T] = {}
        self._points: dict[str, list[EntryPoint]] | None = None  # None: nobody has looked yet
        self._unused: list[EntryPoint] = []  # those that have a name of ours

    def add(self, name: str, item: T, declared: object = None) -> None:
        """Keeps an item under its name; for decorators, which tell what they decorate.

        Raises ExtensionError when a package declares a name that is ours, or that another package brings.
        """
        module = str(getattr(declared, "__module__", ""))
        if module and self._is_of_others(name, module.partition(".")[0]):
            raise ExtensionError("extension.taken", f'{module} declares the {self.what} "{name}", which is not its own')
        self._items[name] = item

    def _is_of_others(self, name: str, package: str) -> bool:
        if package in _OURS:
            return False
        if name in self._ours:
            return True
        brought_by = {point.module.partition(".")[0] for point in self._outside().get(name, [])}
        return bool(brought_by) and package not in brought_by

    @property
    def loaded(self) -> Mapping[str, T]:
        """The items that were asked for so far, by name."""
        return self._items

    def __getitem__(self, name: str) -> T:
        """Returns the item with this name as `find` does, at once when it is loaded."""
        item = self._items.get(name)
        return item if item is not None else self.find(name)

    def __contains__(self, name: object) -> bool:
        """Tells whether there is an item with this name that can be used."""
        try:
            return isinstance(name, str) and self[name] is not None
        except ExtensionError:
            return False

    def find(self, name: str) -> T:
        """Returns the item with this name; ExtensionError when there is none, or when its package cannot be used."""
        if name not in self._items:
            if name in self._ours:
                self._load_ours(name)
            else:
                self._load_outside(name)
        if name in self._items:
            return self._items[name]
        known = ", ".join(self.names())
        raise ExtensionError(
            UNKNOWN,
            f'there is no {self.what} "{name}"; known are {known}',
            "Correct the name, or install the package that brings it.",
        )

    def ours(self) -> Iterator[T]:
        """Yields the items that are part of feltd, in their order."""
        for name in self._ours:
            self._load_ours(name)
            if name in self._items:
                yield self._items[name]

    def names(self) -> tuple[str, ...]:
        """Returns the names of all items: ours first, then those of packages."""
        for name in self._ours:
            self._load_ours(name)
        ours = [name for name in self._ours if name in self._items]
        return tuple(dict.fromkeys((*ours, *self._items, *self._outside())))

    def usable(self) -> Iterator[T]:
        """Yields every item that can be used, ours first; a package that cannot be loaded hides none of the others."""
        for name in self.names():
            try:
                yield self[name]
            except ExtensionError:
                continue

    def unusable(self) -> Iterator[ExtensionError]:
        """Yields why something that an installed package brings cannot be used; loads all of them."""
        outside = self._outside()
        for point in self._unused:
            cause = f'{_package(point)} brings the {self.what} "{point.name}", which is ours: it is not used'
            yield ExtensionError("extension.ours", cause)
        for name in outside:
            try:
                self.find(name)
            except ExtensionError as error:
                yield error

    def _load_ours(self, name: str) -> None:
        module = f"{self._package}.{name.replace('-', '_')}"
        if name not in self._items and find_spec(module) is not None:  # some have no module here
            importlib.import_module(module)

    def _load_outside(self, name: str) -> None:
        points = self._outside().get(name, [])
        if len(points) > 1:
            packages = " and ".join(sorted(_package(point) for point in points))
            raise ExtensionError(
                "extension.twice",
                f'the {self.what} "{name}" is brought by {packages}',
            )
        for point in points:
            self._load(point)

    def _load(self, point: EntryPoint) -> None:
        _BROUGHT[point.module.partition(".")[0]] = _package(point)
        try:
            point.load()
        except ExtensionError:
            raise
        except THEIRS as error:  # whatever it is, it is theirs, and a person must know whose
            raise ExtensionError(
                "extension.broken",
                f'{_package(point)}, which brings the {self.what} "{point.name}", cannot be loaded: '
                f"{words(error)}{_in_their_code(error)}",
                f"Ask the maker of {_package(point)}, or uninstall it: `pip uninstall {_package(point)}`."
                " If it is yours: the cause names the place.",
            ) from error
        if point.name not in self._items:
            raise ExtensionError(
                "extension.nothing",
                f'{_package(point)} should bring the {self.what} "{point.name}", but {point.value} declares none',
            )

    def _outside(self) -> dict[str, list[EntryPoint]]:
        """Returns the entry points of installed packages by name, without those that have a name of ours."""
        if self._points is None:
            from importlib.metadata import entry_points  # takes long to load

            self._points, self._unused = {}, []
            for point in entry_points(group=self.group):
                if point.name in self._ours:
                    self._unused.append(point)
                else:
                    self._points.setdefault(point.name, []).append(point)
        return self._points


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "a package"


# ---- whose fault it is


def package_of(error: BaseException) -> str:
    """Returns the package from outside in whose code an error arose; "" when it is our own."""
    package = ""
    for module, _ in _passed(error):
        package = _BROUGHT.get(module, "" if module in _OURS else package)
    return package


def words(error: BaseException) -> str:
    """Returns the kind of an error and what it says, on one line and without control characters.

    >>> words(RuntimeError("boom\\n second\\tline")), words(SystemExit())
    ('RuntimeError: boom second line', 'SystemExit')
    """
    text = " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())
    return f"{type(error).__name__}: {text}".removesuffix(": ")


def failed(error: BaseException) -> ExtensionError | None:
    """Returns what to tell of an error that arose in a package from outside; None when it is our own."""
    package = package_of(error)
    if not package:
        return None
    return ExtensionError(
        FAILED,
        f"the package {package} failed: {type(error).__name__} at {place_of(error)}",
        f"Update {package}, or ask its maker; without it: `pip uninstall {package}`.",
    )


def place_of(error: BaseException) -> str:
    """Returns the file and the line in which an error arose; never its text, which may quote a card."""
    return next(reversed([place for _, place in _passed(error)]), "unknown")


def _in_their_code(error: BaseException) -> str:
    """Returns, in brackets, the last file and line outside feltd on the way to an error; "" when there is none."""
    theirs = [f" ({place})" for module, place in _passed(error) if module not in (*_OURS, "importlib")]
    return next(reversed(theirs), "")


def _passed(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yields the top module of every call on the way to an error, and the file and line there."""
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        yield module, f"{PurePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
