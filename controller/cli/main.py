"""felt: the command of technicians, testers and supervisors.  Each command loads only what it needs."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

STOPPED = 130  # as a program that Ctrl-C has ended
COMMANDS = {
    "alerts": ("controller.cli.alerts", "Alerts of game protection: look at them, clear one."),
    "backup": ("controller.cli.backup", "Copy all that the table remembers, checked; it may run."),
    "clock": ("controller.cli.clock", "The clock of the computer: who confirms it."),
    "completion": ("controller.cli.completion", "Let the shell complete what is typed."),
    "config": ("controller.cli.config", "Check, show or begin a table's configuration."),
    "correct": ("controller.cli.correct", "Correct a fact of the running round: first look, then sign."),
    "deck": ("controller.cli.deck", "The decks of the table: bring, check, seal, receipts."),
    "device": ("controller.cli.device", "Trace, reset, pair, flash, clear or conform: one device."),
    "devices": ("controller.cli.devices", "The devices of the table and how they are."),
    "doctor": ("controller.cli.doctor", "What is wrong, the first cause first, and what to do."),
    "explain": ("controller.cli.explain", "What a code means, and what to do."),
    "firmware": ("controller.cli.firmware", "Sign firmware, and check what is signed."),
    "float": ("controller.cli.table_float", "The chips of the table: count, fill, credit; win as it is counted."),
    "floor": ("controller.cli.floor", "All tables of the house, and alerts to acknowledge."),
    "jackpot": ("controller.cli.jackpot", "The prize meter: look, verify, adjust, close."),
    "journal": ("controller.cli.journal", "Read, export and verify the journal."),
    "key": ("controller.cli.key", "Press a key of the console, as the person who is signed in."),
    "keys": ("controller.cli.keys", "The keys of the console: how they are written, who may press them."),
    "monitor": ("controller.cli.monitor", "The table as it lives, until q."),
    "odds": ("controller.cli.odds", "The house's edge of every wager, exactly."),
    "people": ("controller.cli.people", "Who can sign in: add, list, remove, change a PIN."),
    "program": ("controller.cli.program", "The installed program: manifest, challenge, latest changes."),
    "promotions": ("controller.cli.promotions", "Prizes, refused claims and vouchers of promotions."),
    "report": ("controller.cli.report", "What the rounds of a day come to: wagers, hold, pace, faults."),
    "restore": ("controller.cli.restore", "Put a backup where a table has no journal."),
    "round": ("controller.cli.round", "Rounds on record: find them, tell them, print a receipt."),
    "run": ("controller.cli.run", "Play scripts on simulated tables."),
    "shuffle": ("controller.cli.shuffle", "Accept a shuffling machine, by recorded shuffles."),
    "sign-in": ("controller.cli.sign_in", "Sign in with badge and PIN."),
    "sign-out": ("controller.cli.sign_out", "Sign out."),
    "sim": ("controller.cli.sim", "A simulated table that deals itself."),
    "status": ("controller.cli.status", "What the table does and what it waits for."),
    "table": ("controller.cli.table", "Make a table ready for its first start."),
    "tournament": ("controller.cli.tournament", "Tournaments: check terms, open, run, see how they stand."),
}


def help_text() -> str:
    """Returns what `felt --help` says."""
    return "\n".join(
        [
            "Usage: felt [OPTIONS] COMMAND [ARGS]...",
            "",
            "  The electronic gaming table: look at it, test it, play scripts on it.",
            "",
            "Options:",
            "  --socket PATH  The daemon's socket; also from FELT_SOCKET.",
            "  --version      Show the version and exit.",
            "  -h, --help     Show this message and exit.",
            "",
            "Commands:",
            *(f"  {name:<10} {what}" for name, (_, what) in sorted(COMMANDS.items())),
            "",
            "felt COMMAND --help tells more of a command.",
        ]
    )


def end_at_once(number: int, frame: FrameType | None) -> None:
    """Ends the program on Ctrl-C while it loads: nothing has been done yet, and a half import tells nobody anything."""
    os._exit(STOPPED)


def main() -> object:
    """Runs the `felt` command."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell lets what runs behind ignore it
        signal.signal(signal.SIGINT, end_at_once)
    _open_what_is_closed()
    if sys.argv[1:] in (["--help"], ["-h"]):
        try:
            print(help_text(), flush=True)  # click alone takes twice the time of everything else here
        except OSError as bad:
            from controller.cli.output import give_up

            give_up(bad)
        return 0
    from controller.cli.group import cli

    return cli(prog_name="felt")


def _open_what_is_closed() -> None:
    """Lets what was started with a closed stream (`felt status >&-`) read nothing there, and write nowhere.

    In the order of their numbers: the lowest free one is taken, so that no file or socket comes to stand for output.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
