"""The table of the documents: three areas of Casino War on simulated devices, in the places of a real one below a folder."""

from __future__ import annotations

import os
from pathlib import Path

from tests.asking import Client
from tests.daemon.house import House, Manager, table_toml


class DocumentTable(House):
    """A daemon whose /etc/feltd, /var/lib/feltd and /run/feltd are below a folder."""

    def __init__(self, root: Path) -> None:
        self.directory = root
        written = table_toml(root / "etc/feltd", seats=3, options='min = "5"\nmax = "500"', state=root / "var/lib/feltd")
        self.config = written
        self.socket = root / "run/feltd/feltd.sock"
        written.write_text(written.read_text().replace(str(root / "etc/feltd/feltd.sock"), str(self.socket)))
        self.journal = root / "var/lib/feltd/journal.db"
        self.client = Client(str(self.socket))
        self.manager = Manager(root / "run/notify.sock")
        self.process = None
        self._log = root / "log"
        os.chmod(root / "var/lib/feltd", 0o750)
