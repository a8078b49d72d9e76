"""Where packages come from: the sources that this machine has for its own release, told for another one."""

from __future__ import annotations

import subprocess

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
ASKED = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"]


def lines_for(codename: str, ours: str, targets: str) -> list[str]:
    """Returns the lines of a sources.list for a release, from what apt says here, where the codename is `ours`.

    >>> lines_for("trixie", "bookworm", "file:/d/ bookworm-updates main\\nfile:/x/ node main\\n")
    ['deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] file:/d/ trixie-updates main']
    """
    found = set()
    for target in targets.splitlines():
        place, suite, component = target.split()
        if suite.partition("-")[0] == ours:
            found.add(f"deb [signed-by={KEYRING}] {place} {codename}{suite.removeprefix(ours)} {component}")
    return sorted(found)


def sources_list(codename: str) -> str:
    """Returns a sources.list for a release of Debian; it stays on this machine."""
    ours = _said(["sh", "-c", '. /etc/os-release && echo "$VERSION_CODENAME"']).strip()
    lines = lines_for(codename, ours, _said(ASKED))
    return "".join(f"{line}\n" for line in lines)


def _said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
