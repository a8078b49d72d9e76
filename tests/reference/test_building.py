"""Nothing that is built of the reference firmware comes to lie in the package, which is shipped."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.reference.building import ROOT, SOURCE


def test_output_goes_where_all_other_output_is() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "OUT")}
    words = ("make", "-C", str(SOURCE), "--dry-run", "host", "library", "fuzz", "mps2")
    planned = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    commands = [line.split() for line in planned.stdout.replace("\\\n", "").splitlines()]
    built = [Path(words[words.index("-o") + 1]) for words in commands if "-o" in words]
    assert len(built) > 3
    assert {(SOURCE / path).resolve().is_relative_to(ROOT / "build") for path in built} == {True}
