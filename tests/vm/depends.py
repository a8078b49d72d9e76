"""What a run depends on: the program as shipped, its units and its packaging, the commands of its pages, the checks."""

from __future__ import annotations

from typing import Final

from tests.vm import install, results

FOLDERS: Final = (*install.SHIPPED, "tests/vm")


def tried() -> str:
    """Returns the digest of all that; what only people read is not in it."""
    files = [path for path in install.files(FOLDERS, install.BESIDE) if results.KEPT not in path.parents]
    return results.digest(files, [*install.of_readme(), *install.of_the_page()])
