"""The account under which the service runs, and what it may do with a file."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

READ, WRITE = 4, 2


@dataclass(frozen=True, slots=True)
class ServiceUser:
    """A user with groups."""

    name: str
    uid: int
    gids: frozenset[int]

    def may(self, path: Path, wanted: int) -> bool:
        """Tells whether this user may, as far as owner, group and mode say; of ourselves the system itself knows."""
        if self.uid == os.geteuid():
            wishes = (os.R_OK if wanted & READ else 0) | (os.W_OK if wanted & WRITE else 0)
            return os.access(path, wishes, effective_ids=True)
        node = path.stat()
        if self.uid == 0:
            return True
        shift = 6 if node.st_uid == self.uid else 3 if node.st_gid in self.gids else 0
        return (stat.S_IMODE(node.st_mode) >> shift) & wanted == wanted


def service_user(name: str) -> ServiceUser:
    """Returns the user of the service by name; ourselves when there is no service, or no such user here."""
    try:
        entry = pwd.getpwnam(name) if name else pwd.getpwuid(os.geteuid())
    except KeyError:
        return ServiceUser(str(os.geteuid()), os.geteuid(), frozenset(os.getgroups()))
    gids = frozenset(os.getgrouplist(entry.pw_name, entry.pw_gid))
    return ServiceUser(entry.pw_name, entry.pw_uid, gids)


def owned(path: Path) -> str:
    """Returns whose a file is, as `ls -l` has it: owner, group, mode."""
    node = path.stat()
    try:
        owner = pwd.getpwuid(node.st_uid).pw_name
    except KeyError:
        owner = str(node.st_uid)
    return f"{owner}:{group_of(path)} {stat.filemode(node.st_mode)}"


def group_of(path: Path) -> str:
    """Returns the name of a file's group."""
    try:
        return grp.getgrgid(path.stat().st_gid).gr_name
    except KeyError:
        return str(path.stat().st_gid)


def holders(path: str) -> list[str]:
    """Returns which programs have this file open, each as name (number); those of other users are seen by root only."""
    place, users = os.path.realpath(path), []
    for process in sorted(Path("/proc").glob("[0-9]*"), key=lambda each: int(each.name)):
        try:
            if any(os.path.realpath(link) == place for link in (process / "fd").iterdir()):
                users.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
        except OSError:
            continue  # gone, or not for our eyes
    return users
