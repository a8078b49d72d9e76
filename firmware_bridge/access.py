"""Why the system refuses a device node: its file permissions, or the list of devices that a service may use.

EACCES comes from the node's owner, group and mode.  EPERM comes from the unit's DeviceAllow=, whatever the node says.
"""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat
from pathlib import Path
from typing import Final

DENIED: Final = "denied"  # last part of the code: the node's permissions
FORBIDDEN: Final = "forbidden"  # the service's list of devices
REFUSALS: Final = (errno.EACCES, errno.EPERM)


def refusal(number: int, path: str) -> tuple[str, str]:
    """Returns the last part of the code, and the cause, of an EACCES or EPERM at this node."""
    if number == errno.EPERM:
        return FORBIDDEN, "the service may not use such devices: its unit does not allow them, whoever owns the node"
    return DENIED, f"no permission: {_owned(path)}, and the user {_name()} may not read and write it"


def refused(path: str) -> int:
    """Returns EACCES or EPERM when this process may not open the node, else 0; nothing is read or written."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError as error:
        return error.errno if error.errno in REFUSALS else 0
    return 0


def _owned(path: str) -> str:
    try:
        node = Path(path).stat()
    except OSError:
        return "the node or its folder is shut"
    try:
        group = grp.getgrgid(node.st_gid).gr_name
    except KeyError:
        group = str(node.st_gid)
    return f"the node belongs to the group {group} ({stat.filemode(node.st_mode)})"


def _name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())
