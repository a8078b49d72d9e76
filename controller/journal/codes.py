"""The codes of the journal and of its check."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "the journal",
    {
        "journal.corrupt": (
            "The file of the journal is damaged, or somebody else wrote into it.",
            "Keep the file, do not delete it: run `felt journal verify` on it, then go by docs/recovery.md.",
        ),
        "journal.locked": (
            "Another process has the journal open.",
            "Another process has this journal open: stop it, or ask the running daemon instead.",
        ),
        "journal.full": (
            "The disk that holds the journal is full.",
            "Free space on the disk that holds the journal; what was not stored can then be sent again.",
        ),
        "journal.io": (
            "The journal's file could not be read or written.",
            "Check the disk, its mount and the permissions of the journal's folder.",
        ),
        "journal.foreign": (
            "The file is no journal of feltd.",
            "This file belongs to another program: correct the journal path in table.toml.",
        ),
        "journal.newer": (
            "The journal was written by a newer version.",
            "This journal was written by a newer version: install that version or a later one.",
        ),
        "journal.schema": (
            "The file has a trigger, table, view or index that no version of feltd made, or one of its tables was "
            "changed.",
            "Keep a copy of the file for the inspector and do not delete anything: run `felt journal verify` on it, "
            "then go by docs/recovery.md.",
        ),
        "journal.missing": (
            "There is no journal where table.toml says: none was made for this table, or it is gone.",
            "A new table gets its journal by `felt table init`. For one that has played, put the journal back: "
            "docs/recovery.md.",
        ),
        "journal.exists": (
            "The table has a journal already.",
            "Nothing was touched. To begin a new one, move the old one away first, with its -wal: docs/recovery.md.",
        ),
        "journal.archived": (
            "The records that were asked for left the journal: they are in an archive, which is not at hand.",
            "Plug the disk with that file in, or name its folder: `[journal] archive` in table.toml, or `--archive`.",
        ),
        "journal.other-table": (
            "The journal belongs to another table.",
            "Correct the journal path or the table's name in table.toml.",
        ),
    },
)

declare(
    __name__,
    "the check of a journal",
    {
        "record.altered": (
            "A record is not what it was when it was written.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "record.removed": (
            "A record is missing.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "record.reordered": (
            "A record stands at another place than it was written.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "record.repeated": (
            "A record stands there twice.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "record.unchained": (
            "A record does not follow from the one before it.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "journal.truncated": (
            "Records are gone from the end of the journal.",
            "Records are gone from the end: look for the newer journal or its copy. Take the table out of "
            "service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "journal.devices": (
            "What the journal says of the devices' counters does not fit its records.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "anchor.mismatch": (
            "The journal does not lead to the anchor: it is not the one that was anchored.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "journal.appended": (
            "Records stand behind the checkpoint of a clean stop, and no start of the daemon put them there.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "checkpoint.mismatch": (
            "The journal does not contain what the checkpoint says: records up to it were changed since.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "checkpoint.altered": (
            "A checkpoint that the journal keeps is not what its records come to.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
        "checkpoint.signature": (
            "The checkpoint is not signed by this key.",
            "Use the verifier key that was noted when the table got its key. If it is the right one, the checkpoint "
            "is forged: keep both, and tell the inspector.",
        ),
        "checkpoint.other-table": (
            "The checkpoint belongs to another table.",
            "Use a checkpoint of this table's journal.",
        ),
        "checkpoint.archived": (
            "The checkpoint ends at a record that is in an archive, which was not given: nothing is proved.",
            "Verify again with the archives: `felt journal verify --archive DIR FILE`; or use a newer checkpoint.",
        ),
        "anchor.archived": (
            "The anchor is of a record that is in an archive, which was not given: nothing is proved.",
            "Verify again with the archives: `felt journal verify --archive DIR FILE`; or use a newer anchor.",
        ),
        "anchor.other-table": (
            "The anchor belongs to another table.",
            "Use an anchor that was exported from this table's journal.",
        ),
    },
)

_KEEP_BOTH = (
    "Keep the file and the journal as they are, and look for another copy of the archive: `felt journal archives` says "
    "which SHA-256 it has. Show both to the inspector."
)

declare(
    __name__,
    "the archives of the journal",
    {
        "archive.missing": (
            "An archive, or the folder of the archives, is not there: its disk is not plugged in.",
            "Plug the disk in and look at its mount; the table goes on meanwhile. If a file is gone, put a copy there.",
        ),
        "archive.full": (
            "The disk of the archives is full.",
            "Every record is still in the journal. Make room, or name a folder on a larger disk and move all archives.",
        ),
        "archive.unwritable": (
            "The archive cannot be written.",
            "Every record is still in the journal. Look at its disk: is it read-only, worn out, of another user?",
        ),
        "archive.unreadable": (
            "An archive cannot be read from its disk.",
            "Look at the disk. If it is worn out, put a copy of the file on another one.",
        ),
        "archive.unfaithful": (
            "What the disk of the archives gives back is not what was written to it.",
            "Every record is still in the journal. Replace that disk: it loses what it says to have.",
        ),
        "archive.in-the-way": (
            "A file has the name of the next archive, and is not it.",
            "Every record is still in the journal. Move the file away, and find out who put it there.",
        ),
        "archive.altered": ("An archive is not the file that was sealed.", _KEEP_BOTH),
        "archive.differs": ("The records do not come to what an archive of them was sealed with.", _KEEP_BOTH),
        "archive.unnamed": (
            "Records are not in the journal, and no record of the chain names the archive that is said to have them.",
            "Somebody took records out: take the table out of service, keep the file unchanged, look for a copy, and "
            "hand it to the inspector with this report.",
        ),
        "archive.nothing": (
            "Nothing is old enough to leave the journal.",
            "Nothing is to be done; `[journal] archive-after` says after how many days records leave.",
        ),
        "archive.busy": (
            "An archive is being made, or its records are leaving the journal.",
            "Wait until the table has rested between rounds, and ask again.",
        ),
        "archive.off": (
            "The table keeps every record in its journal.",
            "Name a folder on another disk: `[journal] archive` in table.toml; then restart the daemon.",
        ),
    },
)

declare(
    __name__,
    "the key of the journal",
    {
        "journal-key.missing": (
            "There is no key where table.toml says; checkpoints are not signed.",
            "Make one with `felt journal key --new`, note the line that it prints, and restart the daemon.",
        ),
        "journal-key.unreadable": (
            "The key of the journal cannot be read; checkpoints are not signed.",
            "Give the file to the daemon's user, with mode 600, or let systemd hand it over: docs/journal.md.",
        ),
        "journal-key.permissions": (
            "Others than the daemon may read or change the key of the journal; checkpoints are not signed.",
            "Whoever read it can sign: make a new one with `felt journal key --new`, and tell the inspector since when "
            "it counts.",
        ),
        "journal-key.malformed": (
            "The file has no key of a journal; checkpoints are not signed.",
            "Put the right file there, or make a new key with `felt journal key --new` in another file.",
        ),
        "journal-key.other-table": (
            "The key belongs to the journal of another table; checkpoints are not signed.",
            "Each table has its own key: name the right file in table.toml, or make one with `felt journal key --new`.",
        ),
        "journal-key.beside": (
            "The key lies in the state directory: whoever can change the journal could sign it; checkpoints are not "
            "signed.",
            "Move it away, best to a file that root hands over (docs/journal.md), and correct `[journal] key`.",
        ),
        "journal-key.exists": (
            "There is a file already where the new key would go.",
            "Nothing was touched. A key is replaced by a new file, and `[journal] key` then names that one.",
        ),
        "journal-key.unwritable": (
            "The file of the new key cannot be written.",
            "Check the path and your permissions; `sudo` where the file belongs to root.",
        ),
    },
)

declare(
    __name__,
    "the witness of other tables' journals",
    {
        "witness.unknown": (
            "A checkpoint of a journal was shown that is not witnessed here.",
            "List its verifier key in `[witness] journals`, if it is a table of this house.",
        ),
        "witness.signature": (
            "A checkpoint was shown that the known key of its journal did not sign.",
            "If that table has a new key, list it in `[witness] journals`; else find out who sends this.",
        ),
        "witness.stale": (
            "The proof of a checkpoint begins at another size than the witness knows.",
            "Nothing is to be done: the table is told the size, and proves it from there.",
        ),
        "witness.memory": (
            "What is remembered of another table's journal cannot be read or written; nothing of it is cosigned.",
            "Look at the disk. If the file is damaged, keep it, and move it away: the next checkpoint is then the "
            "first that is known.",
        ),
    },
)

_PLUG_IN = "Plug the disk in and look at its mount; the table goes on meanwhile, and it is tried again each second."

declare(
    __name__,
    "the journal's head file and copy",
    {
        "head.missing": ("The folder of the head file is not there: its disk or stick is not plugged in.", _PLUG_IN),
        "head.unreadable": (
            "The head file cannot be read, or is not of this table's journal.",
            "Look at its disk. If the file is of no use, move it away: a new one is written.",
        ),
        "head.unwritable": (
            "The head file cannot be written.",
            "Look at its disk: is it full, read-only, worn out? The table goes on, and it is tried again each second.",
        ),
        "copy.missing": ("The folder of the journal's copy is not there: its disk is not plugged in.", _PLUG_IN),
        "copy.unwritable": (
            "The copy of the journal cannot be written.",
            "Look at its disk: is it full, read-only, without links (FAT has none; use ext4)? The table goes on, and "
            "it is tried again each second.",
        ),
        "copy.unusable": (
            "What stands at the place of the journal's copy is damaged, or no journal of this table.",
            "Move it away: a new copy is written. Keep it if the journal is in trouble too.",
        ),
        "copy.differs": (
            "The copy has records that the journal has not: one of them went another way, or back.",
            "Nothing is copied, and the copy is not touched. Go by docs/recovery.md; when it is clear which of them "
            "counts, move the copy away.",
        ),
        "repair.sound": ("The journal is sound: there is nothing to repair.", "Nothing was touched."),
        "repair.copy": (
            "The copy is not sound either.",
            "Nothing was touched. Look for another copy, or go by docs/recovery.md.",
        ),
        "repair.differs": (
            "The journal and the copy do not belong together: their chains do not meet.",
            "Nothing was touched. Use the copy of this journal, or go by docs/recovery.md.",
        ),
        "repair.unwritable": (
            "The repaired journal could not be written.",
            "The damaged journal stands where it stood. Look at the disk, make room, and repair again.",
        ),
    },
)
