"""For whom a package is: a release of Debian and an architecture, and what follows from these two."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}  # as Debian calls them: as the kernel and Python do


@dataclass(frozen=True)
class Release:
    """A release of Debian."""

    number: int
    codename: str
    python: tuple[int, int]
    glibc: int  # 2.x: wheels may ask for this one or an older one
    suggests: tuple[str, ...] = ()  # packages of Raspberry Pi OS in place of wheels that pip does not have
    modules: tuple[str, ...] = ()  # of them, linked into our environment: gpio://lgpio and gpio://rpigpio ask for them


RELEASES: Final = (
    Release(number=12, codename="bookworm", python=(3, 11), glibc=36),
    Release(
        number=13,
        codename="trixie",
        python=(3, 13),
        glibc=41,
        suggests=("python3-rpi-lgpio",),
        modules=("lgpio.py", "_lgpio.cpython-313-{machine}-linux-gnu.so", "RPi"),
    ),
)


@dataclass(frozen=True)
class Target:
    """One package: for this release and this architecture."""

    release: Release
    arch: str

    @property
    def name(self) -> str:
        return f"debian{self.release.number}-{self.arch}"

    @property
    def machine(self) -> str:
        return MACHINES[self.arch]

    @property
    def python(self) -> str:
        return "python{}.{}".format(*self.release.python)

    @property
    def foreign(self) -> bool:
        """Whether programs of this target run here only by an emulator."""
        return self.machine != platform.machine()

    @property
    def depends(self) -> tuple[str, ...]:
        """What the package needs of Debian."""
        return (self.python, "libusb-1.0-0", "iproute2", "systemd", "udev", "libpam-runtime")

    @property
    def links(self) -> tuple[str, ...]:
        """Names of the modules of the system that stand as links in our environment."""
        return tuple(module.format(machine=self.machine) for module in self.release.modules)

    def markers(self) -> dict[str, str]:
        """Returns what environment markers of requirements are asked about, as Python there answers."""
        major, minor = self.release.python
        return {
            "implementation_name": "cpython",
            "implementation_version": f"{major}.{minor}.0",
            "os_name": "posix",
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "platform_release": "",
            "platform_system": "Linux",
            "platform_version": "",
            "python_full_version": f"{major}.{minor}.0",
            "python_version": f"{major}.{minor}",
            "sys_platform": "linux",
        }

    def platforms(self) -> list[str]:
        """Returns the platform tags of wheels that run there, the newest first.

        >>> Target(RELEASES[0], "arm64").platforms()[0]
        'manylinux_2_36_aarch64'
        """
        tags = [f"manylinux_2_{minor}_{self.machine}" for minor in range(self.release.glibc, 4, -1)]
        return [*tags, *(f"{old}_{self.machine}" for old in ("manylinux2014", "manylinux2010", "manylinux1"))]


def own_release(os_release: Path = Path("/etc/os-release")) -> Release | None:
    """Returns the release of this machine; None when it is another system."""
    lines = os_release.read_text(encoding="utf-8").splitlines() if os_release.is_file() else []
    fields = dict(line.split("=", 1) for line in lines if "=" in line)
    number = (
        fields.get("VERSION_ID", "").strip('"') if fields.get("ID", "").strip('"') in ("debian", "raspbian") else ""
    )
    return next((release for release in RELEASES if str(release.number) == number), None)


def own_arch() -> str:
    """Returns the architecture of this machine, as Debian calls it; "" when no package is made for it."""
    return next((arch for arch, machine in MACHINES.items() if machine == platform.machine()), "")
