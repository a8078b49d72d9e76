"""What dpkg reads of a package: its control file, sums, configuration files and maintainer scripts."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

from controller.journal.database import NEWEST_VERSION
from tools.deb.target import Target
from tools.deb.tree import ROOT, SUMS, files

SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm")
PARTS: Final = ROOT / "packaging/deb"
_INCLUDE: Final = re.compile(r"^#INCLUDE (\S+)\n", re.M)
_DESCRIPTION: Final = """daemon that makes a physical gaming table electronic
 feltd runs on a small computer under the table, reads every card and chip from
 the devices on it, follows the round by the approved rules of the game, and
 says what each wager wins, loses or gets back, and by which rule.
 .
 After the installation, "felt config init" describes the table."""


def deb_version(version: str, target: Target) -> str:
    """Returns the version of a package: that of feltd, and the release it is for, so that a newer release's is newer.

    >>> from tools.deb.target import RELEASES
    >>> deb_version("0.2.0", Target(RELEASES[0], "amd64"))
    '0.2.0+deb12'
    """
    return f"{version}+deb{target.release.number}"


def control(version: str, target: Target, kilobytes: int) -> str:
    """Returns the control file."""
    fields = {
        "Package": "feltd",
        "Version": deb_version(version, target),
        "Section": "misc",
        "Priority": "optional",
        "Architecture": target.arch,
        "Maintainer": "the feltd authors <root@localhost>",
        "Installed-Size": str(kilobytes),
        "Depends": ", ".join(target.depends),
        "Recommends": "polkitd",
        "Suggests": ", ".join(("bash-completion", "smartmontools", *target.release.suggests)),
        "Description": _DESCRIPTION,
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def script(name: str, target: Target) -> str:
    """Returns a maintainer script with the parts that it shares with others."""
    text = (PARTS / name).read_text(encoding="utf-8")
    text = _INCLUDE.sub(lambda part: (PARTS / part[1]).read_text(encoding="utf-8"), text)
    users = [line for line in (ROOT / "systemd/feltd.sysusers.conf").read_text().splitlines() if line[:1] != "#"]
    words = {"@USERS@": "\n".join(users), "@FORM@": str(NEWEST_VERSION), "@RELEASE@": str(target.release.number)}
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def write(tree: Path, version: str, target: Target) -> None:
    """Writes the folder DEBIAN of a tree whose files are all there."""
    folder = tree / "DEBIAN"
    listed = [*files(tree), (SUMS, tree / SUMS)]
    folder.mkdir()
    sums = "".join(f"{hashlib.md5(file.read_bytes()).hexdigest()}  {name}\n" for name, file in listed)
    size = sum(-(-file.stat().st_size // 1024) for _, file in listed)
    kept = "".join(f"/{name}\n" for name, _ in listed if name.startswith("etc/"))
    texts = {"control": control(version, target, size), "md5sums": sums, "conffiles": kept}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o644)
    for name in SCRIPTS:
        (folder / name).write_text(script(name, target), encoding="utf-8")
        (folder / name).chmod(0o755)
