"""The table of the documents: Casino War on simulated devices, in the places of a real one below a folder."""

from __future__ import annotations

from pathlib import Path

from tests.asking import Client
from tests.daemon.house import House, Manager, table_toml


class DocumentTable(House):
    """A daemon whose /etc/feltd, /var/lib/feltd and /run/feltd are below a folder; three areas."""

    def __init__(self, root: Path) -> None:
        self.directory = root
        self.config = table_toml(
            root / "etc/feltd", seats=3, options='min = "5"\nmax = "500"', state=root / "var/lib/feltd"
        )
        self.socket = root / "run/feltd/feltd.sock"
        text = self.config.read_text()
        self.config.write_text(text.replace(str(root / "etc/feltd/feltd.sock"), str(self.socket)))
        self.journal = root / "var/lib/feltd/journal.db"
        self.client = Client(str(self.socket))
        self.manager = Manager(root / "run/notify.sock")
        self.process = None
        self._log = root / "log"
