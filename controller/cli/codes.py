"""The codes of `felt`."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "reaching the daemon",
    {
        "daemon.unreachable": (
            "No daemon answers at the socket, or it ended in the middle.",
            "Start it: `systemctl start feltd`; or name its socket with --socket.",
        ),
        "daemon.answer": (
            "The daemon answers otherwise than this command understands: they are of different versions.",
            "Restart the daemon after an update: `systemctl restart feltd`; `felt --version` has ours.",
        ),
        "daemon.elsewhere": (
            "Another process uses the table's journal and does not answer at this socket.",
            "Name the socket of the daemon that runs with --socket; or stop whatever else reads the journal.",
        ),
        "daemon.ended": (
            "The daemon stopped while it was being followed.",
            "Look at its log: `journalctl -u feltd`.",
        ),
        "command.mistyped": (
            "There is no such command or option, or what comes with it does not fit.",
            "See `felt COMMAND --help`; what may have been meant is named.",
        ),
        "usb.rules": (
            "The rules by which the kernel refuses strange USB devices are not those of table.toml, or cannot be read.",
            "Make them again with `felt config udev` (docs/wiring.md) before the computer is started: a device that is "
            "newer than they are would be refused.",
        ),
        "file.unusable": (
            "There can be no file of that name, or it cannot be used.",
            "Check the path: its length, its folders, and who may read or write there.",
        ),
        "shuffle.source": (
            "It is not said which shuffles are meant.",
            "Give a FILE with one shuffle a line, or --journal, or --simulate fair; one of them.",
        ),
        "shuffle.unread": (
            "The shuffles cannot be read.",
            "Write one shuffle a line, the cards as they lie, each once for every deck: `Ah Td 3c`.",
        ),
        "completion.shell": (
            "Your shell is none that is known.",
            "Name one of bash, zsh and fish: `felt completion install bash`.",
        ),
        "completion.unwritable": (
            "The file for the shell cannot be written.",
            "Use `felt completion show`, and write what it prints where your shell reads it.",
        ),
        "config.exists": (
            "There is a configuration already; it is not overwritten.",
            "Name another file, or move this one away.",
        ),
        "config.init": (
            "With these answers no table can start.",
            "Run it again with other answers.",
        ),
        "config.unwritable": (
            "The configuration cannot be written there.",
            "Name a file in a directory of your own, or run it as root.",
        ),
        "correct.unsigned": (
            "A correction needs somebody who signs for it.",
            "Give --yes, or run it on a terminal.",
        ),
        "correct.words": (
            "It is not clear what is to be corrected.",
            "See `felt correct --help`.",
        ),
        "cards.unconfigured": (
            "A table with real devices has no key for its cards in table.toml: whoever copied its journal could read "
            "every card.",
            'Write [journal] and cards-key = "/etc/feltd/cards.key" into table.toml; `felt table init` makes the key.',
        ),
        "journal.copy-alone": (
            "The copy of a running table's journal is open, and can be compared when the table is stopped.",
            "See what is wrong with it in `felt status`; to compare them, stop the daemon and give the journal too.",
        ),
        "journal.archive-alone": (
            "The running table has its archives in the folder of its table.toml.",
            "Leave out --archive; or stop the daemon, and give the journal too.",
        ),
        "journal.follow": (
            "What is over cannot be followed.",
            "Follow the running table with --device and --since alone.",
        ),
        "checkpoint.none": (
            "The journal keeps no checkpoint yet.",
            "The daemon makes one soon after its start, and then between rounds: ask again.",
        ),
        "ledger.unsigned": (
            "The checkpoint of the ledger is not signed by the key that was given.",
            "Compare the key with the one that you were given for this table; keep the checkpoint apart.",
        ),
        "checkpoint.unreadable": (
            "The file with the checkpoint or the key cannot be read.",
            "Check the path; it is the text as `felt journal checkpoint` or `felt journal key` printed it.",
        ),
        "journal-key.nowhere": (
            "It is not said where the key of the journal is.",
            'Name a FILE, or write `[journal] key = "/etc/feltd/journal.key"` in table.toml.',
        ),
        "journal.whole": (
            "A part of the journal cannot be exported for an inspector: only the whole can be computed again.",
            "Leave out --output, --round, --since, --until and --device.",
        ),
        "journal.unwritable": (
            "The facts cannot be written into this file.",
            "Name a new file in a directory where you may write.",
        ),
        "monitor.missing": (
            "The package textual, which `felt monitor` needs, is not installed.",
            "Install it: `pip install feltd[tui]`.",
        ),
        "monitor.terminal": (
            "The output is no terminal, which `felt monitor` needs.",
            "Run it on one; for programs there are `felt status --json` and `felt journal tail -f --json`.",
        ),
        "report.span": (
            "It is not clear which rounds are to be counted.",
            "Give --day, or --since and --until.",
        ),
        "export.nothing": (
            "None of these rounds is at hand.",
            "Look at those that are: `felt round list`.",
        ),
        "export.form": (
            "It is not clear as what rounds are to be written.",
            "Give one of --phh, --csv, --json, and --parquet with -o FILE.",
        ),
        "export.phh": (
            "The Poker Hand History format cannot say this round.",
            "Take `felt round show N --json`, which says all of it.",
        ),
        "export.parquet": (
            "Parquet files are written by pyarrow, which is an extra.",
            "Install it: `pip install 'feltd[parquet]'`; or take --csv.",
        ),
        "keys.unknown": (
            "The table has no such key.",
            "Look at all of them: `felt keys`.",
        ),
        "explain.unknown": (
            "There is no such code.",
            "Give the code as it was printed; `felt explain` without one lists all.",
        ),
    },
)

declare(
    __name__,
    "what felt doctor finds",
    {
        "config.elsewhere": (
            "The daemon that answers has another configuration file.",
            "Name it: `felt doctor --config FILE`.",
        ),
        "config.unreadable": (
            "You may not read the configuration, or it cannot be read.",
            "Run it as root; see `felt config check FILE`.",
        ),
        "devices.starting": (
            "Some devices are not ready yet.",
            "Wait a moment, then look again: `felt devices`.",
        ),
        "disk.errors": (
            "The file system of the journal has found errors in itself since it was checked: the disk, its cable or "
            "the power may have damaged it.",
            "Make a backup to another disk now (`felt backup`); then let it be checked at the next start "
            "(`fsck.mode=force` behind the kernel's words). If errors come again, replace the disk: docs/backup.md.",
        ),
        "disk.failing": (
            "The disk of the journal fails: it says so itself, or the kernel lost it.",
            "Make a backup to another disk now (`felt backup`), and replace the disk: docs/backup.md.",
        ),
        "disk.hot": (
            "The disk of the journal is too hot.",
            "Let air to it; a drive that stays too hot becomes slow, and then fails.",
        ),
        "disk.slow": (
            "The disk of the journal takes long to keep what it was told: every lamp waits for it.",
            "See what else writes to it. If nothing does, it may be about to fail: make a backup (`felt backup`), and "
            "take another disk or memory card.",
        ),
        "disk.wears": (
            "The disk of the journal has done most of the writing that it was made for.",
            "Order another one and plan the exchange between two rounds: `felt backup`, `felt restore`.",
        ),
        "disk.worn": (
            "The disk of the journal has done all the writing that it was made for, or has hardly a spare block left.",
            "Make a backup to another disk now (`felt backup`), and replace the disk: docs/backup.md.",
        ),
        "disk.full": (
            "No space is left for the journal.",
            "Free space on it: the table stops when nothing can be recorded.",
        ),
        "disk.read-only": (
            "The disk for the journal is read-only.",
            "Mount it writable; see `dmesg` for why it is not.",
        ),
        "disk.scarce": (
            "Little space is left for the journal.",
            "Free space on it: the table stops when nothing can be recorded.",
        ),
        "disk.unreadable": (
            "The disk for the journal cannot be looked at.",
            "Check the disk and its mount: `findmnt`.",
        ),
        "journal.unsigned": (
            "Checkpoints of the journal are not signed: what they say could come from anybody who can write the file.",
            "Make a key outside the state directory: docs/journal.md, `felt journal key --new`.",
        ),
        "program.unsigned": (
            "No signed manifest says which files the program should have, so nobody has checked them.",
            "Get the manifest of this version from whoever approved it, and name it in [program]: docs/program.md.",
        ),
        "test.mode": (
            "The table is in test mode: its rounds and prizes count for nothing.",
            "When the tests are over, stop it and start the table with its live table.toml: docs/program.md.",
        ),
        "journal.denied": (
            "The service's user may not write the journal.",
            "Give it back to that user with `chown`, and see who changed it.",
        ),
        "journal.private": (
            "You may not read the journal, so it was not looked at.",
            "Run `felt doctor` as root.",
        ),
        "journal.gone": (
            "The daemon runs, and its journal is not where it was.",
            "Leave the daemon running and call the technician: find who moved the journal before anything stops.",
        ),
        "log.empty": (
            "No line of the service's log can be seen.",
            "Run it as root, or join the group: `sudo usermod -aG systemd-journal $USER`, then sign in again.",
        ),
        "bundle.unwritable": (
            "The support file is there already or cannot be written.",
            "Choose another file with --bundle.",
        ),
        "power.low": (
            "The voltage of the machine is too low: anything may fail.",
            "Use the power supply that belongs to the machine, and take USB devices with much current to a hub of "
            "their own.",
        ),
        "power.was-low": (
            "The voltage of the machine was too low since it started.",
            "Look at its power supply and cable before it fails again.",
        ),
        "power.slowed": (
            "The machine is slowed down.",
            "Let air to it: it is most often too hot.",
        ),
        "jackpot.unsound": (
            "The movements of a prize meter do not add up.",
            "Look at all of them: `felt jackpot verify`, and call the technician before anything is paid.",
        ),
        "table.tells": (
            "The table tells somebody at the table something, and waits for it.",
            "Let the person who is named see to it: the console says which key answers it.",
        ),
        "service.absent": (
            "The service is not installed.",
            "Install it as the README says.",
        ),
        "service.disabled": (
            "The service does not start when the machine starts.",
            "Let it: `systemctl enable feltd`.",
        ),
        "service.failed": (
            "The service has failed, or starts again and again.",
            "See the log below; then `systemctl restart feltd`.",
        ),
        "service.stopped": (
            "The service is stopped.",
            "Start it: `systemctl start feltd`.",
        ),
    },
)

declare(
    __name__,
    "backup and restore",
    {
        "backup.exists": (
            "There is something of this name already, or another backup of this name is being written.",
            "Name a new folder; a backup never goes into one that is there.",
        ),
        "backup.unreadable": (
            "A file of the table, or of the backup, cannot be read.",
            "Run it as root; if that does not help, look at the disk: `dmesg`.",
        ),
        "backup.unwritable": (
            "The copy cannot be written: its disk is full, broken or read-only, or you may not write there.",
            "Free space there, or name a folder on another disk; nothing that was begun is left there as a backup.",
        ),
        "backup.busy": (
            "The journal was changed during each attempt to copy it.",
            "Try again, to a faster disk; between rounds least is written.",
        ),
        "backup.unsound": (
            "The copy of the journal or of the prize meter is not sound, so no backup was made of it.",
            "Look at the table itself: `felt journal verify`, `felt jackpot verify`; go on with docs/recovery.md.",
        ),
        "backup.unfinished": (
            "This folder is no backup, or one that was never finished.",
            "Name the folder that `felt backup` said it had written.",
        ),
        "backup.damaged": (
            "The backup is not what was written: a file of it is missing, was changed, or was added.",
            "Take another backup. Keep this one: what is sound in its journal can still be read, by docs/recovery.md.",
        ),
        "backup.other-seal": (
            "The backup is sound in itself, and is not the one that had this seal.",
            "Take the seal that was kept of this backup; if it is the right one, somebody made this folder anew.",
        ),
        "backup.newer": (
            "A newer version of feltd wrote the backup.",
            "Install that version, or a later one, and restore with it.",
        ),
        "restore.exists": (
            "The table has a journal, or an archive that is not the one of the backup; nothing is overwritten.",
            "Move it away, with its -wal, if it is to be replaced, and delete nothing (docs/backup.md).",
        ),
        "restore.running": (
            "The table's daemon runs.",
            "Stop it: `systemctl stop feltd`.",
        ),
    },
)

declare(
    __name__,
    "files that a command was given",
    {
        "anchor.unreadable": (
            "The file with the anchor cannot be read.",
            "Name the file that holds the anchor.",
        ),
        "capture.unwritable": (
            "The file for the capture cannot be written.",
            "Choose another file with --save.",
        ),
        "deck.unknown": (
            "There is no such deck among the newest of this table.",
            "Look at those that are at hand: `felt deck list`.",
        ),
        "receipt.differs": (
            "The receipt does not say what is on record now.",
            "Lines with - stand in the file, those with + on record; what was ruled, corrected or decided since it was "
            "printed stands there too. Another version may choose other words: print a new one beside it.",
        ),
        "receipt.unreadable": (
            "The file with the receipt cannot be read.",
            "Name the file that `felt round receipt -o` or `felt deck receipt -o` wrote.",
        ),
        "receipt.unwritable": (
            "The file for the receipt is there already or cannot be written.",
            "Choose another file with -o.",
        ),
        "image.missing": (
            "The firmware image cannot be read.",
            "Check the file's name.",
        ),
        "firmware.exists": (
            "The file is there already.",
            "Choose another name.",
        ),
        "firmware.file": (
            "The file cannot be read or written.",
            "Check the file's name.",
        ),
        "firmware.key": (
            "The file is no private key, or the passphrase is wrong.",
            "Make one with `felt firmware keygen FILE`.",
        ),
        "firmware.key-permissions": (
            "Others may read the private key.",
            "Run `chmod 600` on it, or better: make a new key.",
        ),
        "firmware.no-key": (
            "Nobody's signature is trusted.",
            "Give --key, or --config of a table that has keys.",
        ),
        "firmware.public-key": (
            "The text is no public key.",
            "Give 64 hexadecimal digits, as `felt firmware keygen` printed them.",
        ),
        "jackpot.no-store": (
            "The store of the prize meter is not there.",
            "Start the table once: it makes its meter then.",
        ),
    },
)

declare(
    __name__,
    "the simulated table",
    {
        "sim.no-daemon": (
            "A simulated device lives in the daemon's process, which does not run.",
            "Start the daemon: simulated devices live and die with it.",
        ),
        "sim.not-ready": (
            "A simulated device did not answer.",
            "Is the machine overloaded?",
        ),
        "sim.real-device": (
            "The configuration has devices that are not simulated.",
            "Write sim:// addresses, or run `feltd` for a table with real devices.",
        ),
    },
)
