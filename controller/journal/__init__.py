"""The durable, ordered, hash-chained record of everything that happened at a table."""

from controller.journal import codes
from controller.journal.errors import JournalError
from controller.journal.records import Anchor, Duplicate, Entry, Record, Snapshot
from controller.journal.store import Head, Journal
from controller.journal.verify import Report, export_anchor, verify
from controller.journal.writer import InlineWriter, JournalWriter, Writer

__all__ = [
    "Anchor",
    "Duplicate",
    "Entry",
    "Head",
    "InlineWriter",
    "Journal",
    "JournalError",
    "JournalWriter",
    "Record",
    "Report",
    "Snapshot",
    "Writer",
    "codes",
    "export_anchor",
    "verify",
]
