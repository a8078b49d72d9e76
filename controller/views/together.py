"""Devices that were lost in one moment behind one hub, on one bus or at one serial server: one cause, one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

TrunkKind: TypeAlias = Literal["hub", "usb", "bus", "server"]
MOMENT: Final = 5_000_000  # microseconds between losses that have one cause: a silent device is missed that late
CODE: Final = "devices.together"  # what technicians call it
_CALLED: Final[Mapping[TrunkKind, str]] = {
    "hub": "hub {}",
    "usb": "USB bus {}",
    "bus": "{}",
    "server": "the serial server {}",
}


class Trunk(NamedTuple):
    """What several devices share on their way to the computer."""

    kind: TrunkKind
    name: str

    @property
    def in_words(self) -> str:
        """It for people.

        >>> Trunk("hub", "1-1").in_words, Trunk("bus", "can0").in_words, Trunk("server", "192.0.2.7").in_words
        ('hub 1-1', 'can0', 'the serial server 192.0.2.7')
        """
        return _CALLED[self.kind].format(self.name)


Trunks: TypeAlias = Mapping[str, tuple[Trunk, ...]]  # by device: the nearest first
NO_TRUNKS: Final[Trunks] = {}


class SharedLoss(NamedTuple):
    """Devices with one cause for their loss; `whole`: nothing behind that trunk answers."""

    trunk: Trunk
    devices: tuple[str, ...]
    since: int
    whole: bool

    def in_words(self, names: str = "") -> str:
        """Returns it as a part of a sentence; `names`: the devices as people call them.

        >>> SharedLoss(Trunk("bus", "can0"), ("lamps", "sensor.1"), 0, True).in_words()
        'all devices of can0 are lost: power or cable (lamps, sensor.1)'
        """
        names = names or ", ".join(self.devices)
        if self.whole:
            return f"all devices of {self.trunk.in_words} are lost: power or cable ({names})"
        return f"several devices of {self.trunk.in_words} were lost in one moment: power or cable ({names})"


def together(lost: Mapping[str, int], trunks: Trunks) -> list[SharedLoss]:
    """Returns the devices that share the cause of their loss, the earliest first; `lost`: since when, by device.

    The widest trunk that is lost as a whole is named; of one that is lost in part only the nearest.

    >>> hub, port = Trunk("hub", "1-1"), Trunk("hub", "1-1.4")
    >>> wired = {"a": (port, hub), "b": (port, hub), "c": (hub,)}
    >>> [each.trunk.name for each in together({"a": 1, "b": 2, "c": 3}, wired)]
    ['1-1']
    >>> [(each.trunk.name, each.whole) for each in together({"a": 1, "b": 2}, wired)]
    [('1-1.4', True)]
    """
    left, out = dict(lost), []
    widest_first = sorted(
        {trunk for chain in trunks.values() for trunk in chain}, key=lambda t: (-_members(t, trunks), t)
    )
    for trunk in widest_first:
        members = [device for device, chain in trunks.items() if trunk in chain]
        if len(members) > 1 and all(device in left for device in members):
            since = [left[device] for device in members]
            if max(since) - min(since) <= MOMENT:
                out.append(SharedLoss(trunk, tuple(members), min(since), whole=True))
                left = {device: at for device, at in left.items() if device not in members}
    out += _in_part(left, trunks)
    return sorted(out, key=lambda each: each.since)


def _members(trunk: Trunk, trunks: Trunks) -> int:
    return sum(trunk in chain for chain in trunks.values())


def _in_part(left: Mapping[str, int], trunks: Trunks) -> Iterator[SharedLoss]:
    nearest = {chain[0] for device, chain in trunks.items() if chain and device in left}
    for trunk in sorted(nearest):
        behind = sorted((at, device) for device, at in left.items() if trunks.get(device, ())[:1] == (trunk,))
        moment: list[tuple[int, str]] = []
        for at, device in [*behind, (behind[-1][0] + 2 * MOMENT, "")]:
            if moment and at - moment[0][0] > MOMENT:
                if len(moment) > 1:
                    yield SharedLoss(trunk, tuple(each for _, each in moment), moment[0][0], whole=False)
                moment = []
            moment.append((at, device))
