"""felt table init: a journal comes from a person, once; the daemon of a table with real devices makes none.

As installing.md and recovery.md say.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from controller.daemon.main import MISCONFIGURED
from controller.journal import Journal
from controller.journal.records import Anchor
from tests.cli.conftest import felt
from tests.daemon.house import failed_start, table_toml


def real_table(directory: Path) -> Path:
    """A table of which one device is real."""
    path = table_toml(directory)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("sim://lamps", "serial:///dev/feltd-test-lamps"), encoding="utf-8")
    return path


def test_a_journal_is_made_once(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    made = felt("table", "init", str(path), "--json")
    told = json.loads(made.stdout)
    journal = Path(told["journal"])
    assert (made.returncode, told["table"], journal.exists()) == (0, "T1", True)
    anchor = Anchor.from_text(told["anchor"])
    opened = Journal.open(journal, table="T1", create=False)
    assert opened.head == (anchor.seq, anchor.hash)
    opened.close()
    before = journal.read_bytes()
    again = felt("table", "init", str(path))
    assert again.returncode == 1 and "journal.exists" in again.stderr
    assert journal.read_bytes() == before


def test_what_it_says(tmp_path: Path) -> None:
    said = felt("table", "init", str(table_toml(tmp_path))).stdout.splitlines()
    assert said[0].endswith("journal.db: the journal of table T1")
    assert said[1].startswith("  anchor: feltd-anchor-1 0 ")


def test_a_daemon_with_a_real_device_makes_no_journal(tmp_path: Path) -> None:
    refused = failed_start(real_table(tmp_path))
    assert refused.returncode == MISCONFIGURED  # the unit does not try again
    assert "journal.missing" in refused.stderr and "felt table init" in refused.stderr
    assert not (tmp_path / "state" / "journal.db").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_makes_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    path = table_toml(tmp_path)
    state = tmp_path / "state"
    state.mkdir()
    os.chown(state, 65534, 65534)
    assert felt("table", "init", str(path)).returncode == 0
    assert (state / "journal.db").stat().st_uid == 65534
