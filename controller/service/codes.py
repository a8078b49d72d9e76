"""The codes of a running table: its devices, its prize meter, its log."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "the running table",
    {
        "devices.together": (
            "Several devices behind one hub, on one bus or at one serial server were lost in one moment.",
            "Check the power and the cable of what they share first; the daemon reconnects by itself.",
        ),
        "device.babbles": (
            "The device tells more than a table can take in.",
            "It tells too much at once: look at its sensor and its cable; it goes on when it is quiet.",
        ),
        "device.unstorable": (
            "The device told something that no journal can hold, or nobody could read back.",
            "Switch the device off and on; if it lasts, replace it, or update the package of its driver. If a shoe, a "
            "shuffler or a reader told it, the table is held: check the cards, then a supervisor rules.",
        ),
        "device.gap": (
            "Events of a device are missing in the journal and cannot be had any more.",
            "Check what lies on the felt; then a supervisor presses resume, or void for the round.",
        ),
        "device.memory": (
            "Another memory than before answers in the device's place; its earlier events went elsewhere.",
            "Look whether the device was swapped; the table goes on.",
        ),
        "clock.unsure": (
            "No time server keeps the clock of the computer right, so the times on record are not confirmed.",
            "Let one: `timedatectl set-ntp true`; or compare it with another clock: `felt clock confirm`; see "
            "docs/time.md.",
        ),
        "clock.wrong": (
            "The clock of the computer shows a time that cannot be.",
            "The table plays on by a clock that nobody sets. "
            "Set it: `timedatectl set-ntp true`, or put in a battery for its clock; see docs/time.md.",
            "Call the technician; the table plays on, and the times on record are wrong until then.",
        ),
        "clock.behind": (
            "The clock of the computer went back, and no time server confirms it.",
            "The table plays on by a clock that nobody sets. "
            "Set it, and let a time server keep it (`timedatectl set-ntp true`); if it is right, a supervisor says so: "
            "`felt clock confirm --reason TEXT`.",
            "Compare the time with another clock and call the technician; the table plays on.",
        ),
        "clock.ahead": (
            "The clock of the computer went ahead by more than a week, and no time server confirms it.",
            "The table plays on by a clock that nobody sets. "
            "Set it, and let a time server keep it (`timedatectl set-ntp true`); if it is right, a supervisor says so: "
            "`felt clock confirm --reason TEXT`.",
            "Compare the time with another clock and call the technician; the table plays on.",
        ),
        "clock.drift": (
            "The clock of the computer runs faster or slower than a time server ever lets it.",
            "What it counts too much or too little does not count for the table. "
            "Look who sets its rate (`adjtimex --print`, `chronyc tracking`); it is over when the rate is right for a "
            "minute. If it lasts, replace the computer.",
            "Call the technician; the table plays on.",
        ),
        "clock.request": (
            "The request to confirm the clock makes no sense.",
            "Say how you know that the time is right: `felt clock confirm --reason TEXT`.",
        ),
        "clock.refused": (
            "The clock is confirmed by somebody who may.",
            "A supervisor, or somebody above, signs in and confirms it: `felt sign-in`.",
        ),
        "journal.slow": (
            "The disk of the journal takes long to store a record; cards and keys wait for it, and nothing is lost.",
            "Wait. If it comes again, replace the disk or the memory card before it fails: docs/backup.md.",
        ),
        "ledger.unreadable": (
            "The checkpoint that was kept of the prize meter's ledger cannot be read.",
            "Give a checkpoint of a ledger, as `felt jackpot checkpoint` prints it; the next check makes another.",
        ),
        "ledger.unwritable": (
            "The checkpoint of the prize meter's ledger cannot be kept beside the journal.",
            "Look at the disk of the state directory; the table goes on.",
        ),
        "witness.away": (
            "A table that cosigns the checkpoints of this one is not reached; the table goes on, and it is tried again "
            "with ever longer pauses.",
            "Look at that table's computer, its network and its address in `[witness.neighbours]`.",
        ),
        "witness.defect": (
            "The daemon's own code failed at the answer of a witness; the table goes on, and it is tried again.",
            "Keep the logs for the technician.",
        ),
        "witness.noteless": (
            "The device has no room for a note: it does not remember the checkpoints of the journal.",
            "Nothing is to be done; `[witness] devices` in table.toml asks the others all the same.",
        ),
        "witness.refused": (
            "A witness does not take the checkpoints of this table, and shows nothing that contradicts them.",
            "Compare the keys: `felt journal key` of this table stands in `[witness] journals` of the other, and "
            "`felt journal key --witness` of the other in `[witness.neighbours]` of this one. After a decided return "
            "to an older journal, make a new journal key and list it there: docs/recovery.md.",
        ),
        "witness.two-histories": (
            "A table that is witnessed here has shown two different checkpoints of one size, both signed by its key.",
            "Keep both files for the inspector, and find out which computers have that table's journal and key. When "
            "it is decided, move the .refused file away and restart the daemon.",
        ),
        "copy.behind": (
            "The copy of the journal is being written and not complete yet.",
            "Nothing is to be done: it follows behind the table.",
        ),
        "journal.retold": (
            "The table was told again from its facts, by another version than the one that dealt.",
            "Compare stakes, wagers and limits with the table: docs/recovery.md; then a supervisor rules.",
        ),
        "table.unfinished": (
            "The configuration was changed while a round, Jackpot wagers or prizes were open: it does not start.",
            "Put the former options back and start it, finish what is open, then change them.",
        ),
        "test.live-journal": (
            "A table in test mode, or with simulated devices, was to go on with the journal of a live table.",
            "Give the test a state directory of its own: [table] state in its table.toml; see docs/program.md.",
        ),
        "test.journal": (
            "A live table was to go on with the journal of tests, which counts for nothing.",
            "Put the live table's own state directory into [table] state; see docs/program.md.",
        ),
        "table.unannounced": (
            "The configuration changes what the sign must announce first, such as another game or no Jackpot any more, "
            "and it cannot wait: the table does not start.",
            "Put the former options back and start it; announce the change with notice (close-table for another game), "
            "and change them when its time is over.",
        ),
        "table.changed": (
            "The configuration of the table changed while it was not running, and what was known is forgotten.",
            "Seat the players again with the stakes that they have in their hands; then a supervisor resumes.",
        ),
        "sign-in.defect": (
            "The daemon could not check a PIN, by a mistake of its own.",
            "Enter it again; if it lasts, keep the daemon's log and call the technician.",
        ),
        "display.differs": (
            "A display shows something else than it was told.",
            "The daemon tells it once more by itself; if it lasts, switch the display off and on.",
        ),
    },
)

declare(
    __name__,
    "hidden cards",
    {
        "cards.closed": (
            "Cards of the journal cannot be opened: their key is not there, or was destroyed when its time was over.",
            "Bring the keys back: [journal] cards-key and day-keys in table.toml say where they belong; a command that "
            "only reads a journal takes that file with --config. If they are gone for good, a new journal is begun as "
            "for a lost one, and a supervisor rules: docs/recovery.md.",
        ),
        "cards.wrong-key": (
            "The key of the cards is not the one with which the day keys were written.",
            "Put back the key of this table, or the day keys that belong to it; both are kept apart from the journal: "
            "docs/backup.md. If one is gone for good: docs/recovery.md.",
        ),
        "cards.day-keys-unreadable": (
            "The file of the day keys cannot be read, or is not this table's.",
            "Give it to the daemon's user with mode 600, or put back the copy that belongs to this table: "
            "docs/backup.md.",
        ),
        "cards.day-keys-permissions": (
            "Others than the daemon may read or change the day keys.",
            "Set the mode of the file to 600, and look who could read it.",
        ),
        "cards.day-keys-unwritable": (
            "A day key could not be kept.",
            "Check the folder of [journal] day-keys, its disk and its permissions: the daemon's user writes there. The "
            "cards of the day are hidden under the last key until it is possible.",
        ),
        "cards.plain": (
            "The cards of this table are stored in plain: table.toml names no key for them.",
            "Between two rounds write [journal] and cards-key into table.toml, run `felt table key`, restart feltd.",
        ),
        "card.altered": (
            "A hidden card of the journal is not the one that was stored.",
            "Take the table out of service, keep the file unchanged and hand it to the inspector with this report.",
        ),
    },
)

declare(
    __name__,
    "the floor",
    {
        "floor.unreachable": (
            "A table of the floor does not answer at its read-only door.",
            "Look whether that table runs (`felt status` there) and whether this computer reaches its address; "
            "[floor] in table.toml has it.",
        ),
        "floor.unfit": (
            "What answers at the address of a table is no table, or one of a version that is too far away.",
            "Compare the address in [floor] with [web] listen or [api] read-socket of that table; bring both to one "
            "version.",
        ),
        "floor.another": (
            "Another table answers at the address of a table of the floor.",
            "Correct its name or its address in [floor] of table.toml.",
        ),
        "floor.defect": (
            "The daemon could not look at a table of the floor, by a mistake of its own.",
            "The tables go on. Keep the log and report it.",
        ),
        "floor.none": (
            "This daemon watches no floor.",
            "Ask the daemon whose table.toml has [floor], or add that section: docs/configuration.md.",
        ),
        "alert.unknown": (
            "There is no such alert: somebody has acknowledged it, or it never was.",
            "Look at the floor again: `felt floor`.",
        ),
        "deck.refused": (
            "The table refuses what was asked for with a deck.",
            "The cause says why, and by which rule; `felt deck list` has the decks and what is to be done with them.",
        ),
        "inspection.unknown": (
            "There is no such inspection among the newest.",
            "Look at those that are at hand: `felt deck list`; every fact: `felt journal tail`.",
        ),
        "alert.refused": (
            "The alert is not acknowledged.",
            "Let a supervisor, or somebody above, sign in and acknowledge it.",
        ),
        "protection.unknown": (
            "No such alert of game protection waits at this table: somebody has cleared it, or it never was.",
            "Look again: `felt alerts list`.",
        ),
        "protection.request": (
            "The request to clear an alert of game protection names no alert, or has no reason that can be kept.",
            "Say in a sentence, up to 400 characters, what came of it: `felt alerts clear NUMBER --reason "
            "'the deck was replaced'`.",
        ),
        "protection.refused": (
            "The alert of game protection is not cleared.",
            "Let a supervisor, or somebody above, sign in and clear it with a reason.",
        ),
        "protection.defect": (
            "The table could not be looked at for game protection, by a mistake of the daemon's own.",
            "The table goes on, and nothing new is warned of. Keep the log and report it.",
        ),
        "float.request": (
            "What was to be recorded of the float makes no sense.",
            "Write it as `felt float record fill 5000 --slip F17`.",
        ),
        "float.role": (
            "Somebody with a higher role does this to the float.",
            "Let them sign in: `felt sign-in`; docs/float.md says who may do what.",
        ),
        "float.refused": (
            "The table does not record this of its float.",
            "Do first what it says; `felt float show` has what is on record.",
        ),
        "float.no-proposal": (
            "Nothing waits to be confirmed by this code.",
            "Record it again: it waits five minutes for its witness.",
        ),
        "float.witness": (
            "Two people are needed for this.",
            "Let somebody else sign in and confirm it: `felt sign-in`, `felt float confirm CODE`.",
        ),
    },
)

declare(
    __name__,
    "the index of rounds",
    {
        "rounds.unkept": (
            "The index of rounds cannot be written or read; the table and its journal go on without it.",
            "Look at the disk of the state directory (`df`, `felt doctor`); it is made anew by itself.",
        ),
        "rounds.anew": (
            "The index of rounds was damaged: it is made anew from the journal.",
            "Nothing is to be done; if it comes again, look at the disk: `felt doctor`.",
        ),
        "rounds.telling": (
            "The journal is told again for the index of rounds; the log says how far it is.",
            "Nothing is to be done: the table is played meanwhile.",
        ),
        "rounds.defect": (
            "A mistake of the program: a round could not be put on record. The journal has all its facts.",
            "Keep the log and call the technician; the table goes on.",
        ),
    },
)

declare(
    __name__,
    "the prize meter of a running table",
    {
        "jackpot.audit": (
            "The movements on record do not lead to what the prize meter holds.",
            "See `felt jackpot verify`, put it right, then `felt jackpot verify --clear --by NAME`.",
            "Call the technician; no Jackpot wagers are taken until it is right.",
        ),
        "jackpot.starting": (
            "The prize meter is being checked.",
            "Wait: the prize meter is being checked; new Jackpot wagers are taken when that is done.",
        ),
        "test.live-meter": (
            "A table in test mode was to move a live prize meter. Nothing was moved.",
            "Remove [jackpot] from the test's table.toml, or mark the database as one for tests; see docs/program.md.",
        ),
        "jackpot.live": (
            "A table with simulated devices was to move a live prize meter.",
            "Use real devices, or mark the database as one for tests; see docs/configuration.md.",
        ),
        "jackpot.dsn-permissions": (
            "Others than the daemon may read the file with the database's password.",
            "Run `chmod 600` on it.",
        ),
        "jackpot.dsn-unreadable": (
            "The file that names the database cannot be read.",
            "Write it as one line: host=... dbname=... user=... password=..., readable for the daemon only.",
        ),
        "jackpot.no-driver": (
            "The library for PostgreSQL is missing.",
            "Install feltd with its extra: `pip install feltd[postgres]`.",
        ),
    },
)

declare(
    __name__,
    "the check of a table's snapshots",
    {
        "snapshot.altered": (
            "A snapshot is not what it was when it was written.",
            "No start believes it. Find out who wrote to the file, and keep a copy of it for the inspector.",
        ),
        "snapshot.differs": (
            "A snapshot is not what the facts before it come to.",
            "Take the table out of service and keep the file: the facts do not come to what the snapshot says.",
        ),
        "round.differs": (
            "The index of rounds says something else of a round than the facts of the journal come to.",
            "Keep both files. If the journal is proven by a checkpoint or an anchor from elsewhere, the index was "
            "changed: remove rounds.db while the table is stopped, and it is made anew.",
        ),
        "replay.defect": (
            "This version cannot follow a fact of the journal.",
            "Keep the file and call the technician: this version cannot follow a fact of it.",
        ),
    },
)

declare(
    __name__,
    "the log of a running table",
    {
        "device.ready": (
            "A device is there and works.",
            "Nothing is to be done.",
        ),
        "device.lost": (
            "A device was there and is gone; the line has the code and the cause.",
            "Explain that code; the daemon reconnects by itself.",
        ),
        "device.frames": (
            "The last frames before a device was lost.",
            "Nothing: it is for the technician; `felt device NAME trace` shows them decoded.",
        ),
        "witness.later": (
            "The checkpoint of this stop was not shown to a witness, which did not take it.",
            "Nothing is to be done: the next start shows it what comes of the journal, and says so if it contradicts.",
        ),
        "checkpoint.later": (
            "The table stopped before its tree had all records of an old journal: this stop has no checkpoint.",
            "Nothing is to be done: the next start goes on with it.",
        ),
        "display.agrees": (
            "A display shows again what it was told.",
            "Nothing is to be done.",
        ),
        "display.defect": (
            "The daemon's own code for a display failed.",
            "Keep the daemon's log and call the technician.",
        ),
        "disclosure.defect": (
            "The daemon could not judge what is public, so it stays hidden.",
            "Keep the daemon's log and call the technician.",
        ),
        "view.defect": (
            "The daemon's own code for what people see failed; the table goes on.",
            "Keep the daemon's log and call the technician.",
        ),
        "jackpot.trouble": (
            "The prize meter could not be told or asked; the line has the code and the cause.",
            "Explain that code.",
        ),
        "journal.failed": (
            "The journal could not be written; the line has the code and the cause.",
            "Explain that code: nothing is played until it is right.",
        ),
        "game.missing": (
            "The journal is of a game that is not installed, or whose package cannot be used.",
            "Install the package that brings the game (`pip install`), or do what the cause asks for; then restart "
            "feltd. Until then the journal is only read, and nothing is written to it.",
        ),
        "listener.full": (
            "Too many clients are connected.",
            "Look who opens so many connections; the table itself goes on.",
        ),
        "listener.request": (
            "A client sent what is no request.",
            "Nothing, if it is rare; else look who sends it.",
        ),
        "listener.stuck": (
            "A client did not take its answer in time and was cut off.",
            "Nothing, if it is rare; else look at the client's network.",
        ),
        "shuffle.failed": (
            "The shuffler could not be asked to shuffle; the line has the code and the cause.",
            "Explain that code; it is asked again when the machine is back.",
        ),
        "shuffle.refused": (
            "The shuffler refuses to shuffle.",
            "Look at the machine and clear what it reports.",
        ),
    },
)

declare(
    __name__,
    "tournaments",
    {
        "tournament.unknown": (
            "There is no tournament of this name in the store that this table uses.",
            "Correct the name: `felt tournament list` has them all. `felt tournament open FILE` opens one.",
        ),
        "tournament.exists": (
            "There is a tournament of this name already.",
            "Give it another name.",
        ),
        "tournament.request": (
            "The desk of a tournament has no such deed or key, or it does not come with these words.",
            "Write it as the cause says; docs/keys.md says what each of them does.",
        ),
        "tournament.refused": (
            "The rules of the tournament do not allow this now.",
            "Do as the rule says; `felt tournament show NAME` tells how it stands.",
        ),
        "tournament.unreadable": (
            "This version cannot read the record of the tournament.",
            "Install the version of feltd, and the packages, that the other tables have.",
        ),
        "tournament.not-director": (
            "Only the tournament director, an appointed deputy or, for tables, an area manager may do this.",
            "Sign in with the badge of somebody who may.",
        ),
        "tournament.conflict": (
            "Another table of the same name is in this tournament.",
            "Give every table of the floor a name of its own.",
        ),
        "tournament.defect": (
            "A mistake of the program between the table and the record of its tournament: no new round begins.",
            "Send the log and the journal; it tries again by itself, and nothing is lost.",
        ),
        "tournament.reached": (
            "The record of the tournament can be reached again.",
            "Nothing: what the table had to tell is on record.",
        ),
    },
)
