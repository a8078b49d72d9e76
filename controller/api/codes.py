"""The codes of the daemon's API."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "a request to the daemon",
    {
        "door.people": (
            "Two people allow a door to be opened, and this was one, or none.",
            "Let one propose it (`felt device NAME open`) and a second one, under an account of their own, confirm it.",
        ),
        "door.no-proposal": (
            "Nothing waits for this code: it was mistyped, used before, or its five minutes are over.",
            "Propose it again: `felt device NAME open`.",
        ),
        "door.request": (
            "The request to open a door makes no sense.",
            "Say who, why and for how many minutes: `felt device NAME open --by NAME --reason TEXT --minutes 10`.",
        ),
        "api.request": (
            "The request is not one that the daemon knows, or something in it is wrong.",
            "See docs/api.md for what can be asked.",
        ),
        "api.read-only": (
            "The read-only socket ([api] read-socket) shows the table, and does not answer what was asked.",
            "Ask at the daemon's own socket ([api] socket): name it with --socket or FELT_SOCKET.",
        ),
        "api.caller": (
            "Whoever asked has gone, or does not ask through the socket.",
            "Ask again.",
        ),
        "api.defect": (
            "The daemon's own code for an answer failed.",
            "Keep the daemon's log and call the technician.",
        ),
        "api.in-use": (
            "Another process answers on the daemon's socket.",
            "Stop the other daemon, or give this one another socket in table.toml.",
        ),
        "api.not-a-socket": (
            "At the place of the daemon's socket is something else.",
            "Move it away, or correct [api] socket in table.toml.",
        ),
        "api.socket": (
            "The daemon's socket cannot be made.",
            "Check [api] socket in table.toml: its directory must exist and be writable for the daemon.",
        ),
        "anchor.invalid": (
            "The text is no anchor.",
            "Give it as `felt journal anchor` printed it.",
        ),
        "checkpoint.invalid": (
            "The text is no checkpoint.",
            "Give the file as `felt journal checkpoint` printed it, with its last newline.",
        ),
        "checkpoint.key": (
            "The text is no verifier key.",
            "Give the line as `felt journal key` printed it.",
        ),
        "proof.unknown": (
            "There is no such record to prove.",
            "Look up its number with `felt journal tail`.",
        ),
        "proof.hidden": (
            "The proof would tell the hash of a card that lies face down.",
            "Prove the record with a copy of the whole journal: `felt journal verify FILE --checkpoint FILE`.",
        ),
        "correct.refused": (
            "The correction would change what is settled, or the rules do not allow it.",
            "Settle the round as it stands, or let a supervisor rule on it.",
        ),
        "correct.unfit": (
            "The fact cannot be corrected so.",
            "Look up the fact with `felt journal tail` and write it anew.",
        ),
        "person.not-*": (
            "The account does not have the powers that this takes.",
            "Somebody with these powers does it: the message names the group, or the console.",
        ),
        "person.not-technician": (
            "The account is not a technician's.",
            "A technician does this: an account in the group of technicians that table.toml names.",
        ),
    },
)

declare(
    __name__,
    "a technician's work on a device",
    {
        "device.busy": (
            "Somebody works on the device already.",
            "Wait until that is done; `felt devices` shows how the device is.",
        ),
        "device.fault-lasts": (
            "The device does not leave its fault: the cause is still there.",
            "Put it right at the device itself; see `felt status`.",
        ),
        "device.in-play": (
            "A round is being dealt.",
            "Wait until it is over.",
        ),
        "device.no-fault": (
            "The device reports no such fault.",
            "Look: `felt status`.",
        ),
        "device.not-tampered": (
            "Nothing about the device's cable is to be cleared.",
            "Look: `felt status`.",
        ),
        "device.unknown": (
            "The table has no device with this name.",
            "Name one of those that the message lists; `felt devices` shows them.",
        ),
        "pair.no-serial": (
            "The device has no serial number in table.toml.",
            'Write its serial = "..." to table.toml (`felt devices` shows it), and restart the daemon.',
        ),
        "pair.none": (
            "The device is not paired.",
            "Look: `felt devices`.",
        ),
        "pair.not-begun": (
            "Nobody is pairing this device now.",
            "Run `felt device NAME pair`.",
        ),
        "pair.not-native": (
            "The device speaks a protocol without keys.",
            "Nothing can be done with this device: it stays insecure.",
        ),
        "pair.required": (
            "The link to this device must be encrypted: without its key it would not be used.",
            "Pair it anew, which gives it another key; or write sealed = false to its device in table.toml, restart "
            "the daemon and unpair it: then everybody is shown that its link is insecure.",
        ),
        "pair.unread": (
            "The request has no code of the device.",
            "Type the six digits that the device shows.",
        ),
        "service.missing": (
            "An answer for the service log is missing.",
            "Give the answers that the message names.",
        ),
        "service.long": (
            "An answer for the service log is too long.",
            "Say it in fewer words.",
        ),
        "service.time": (
            "The time of the work has no difference from UTC, or is no time.",
            "Write it as 2026-01-31T14:05+11:00.",
        ),
        "device.flashed": (
            "A technician brought new firmware to a device.",
            "Nothing is to be done.",
        ),
        "device.paired": (
            "A technician paired a device.",
            "Nothing is to be done.",
        ),
        "device.unpaired": (
            "A technician removed the key of a device: its link is not encrypted.",
            "Pair it again, if that was not meant: `felt device NAME pair`.",
        ),
        "device.checked": (
            "A technician let a device check itself, or show which one it is.",
            "Nothing is to be done.",
        ),
        "device.reset": (
            "Somebody said that a device's fault is put right.",
            "Nothing is to be done.",
        ),
    },
)

declare(
    __name__,
    "people's work on the prize meter",
    {
        "jackpot.amount": (
            "The text is no amount of dollars.",
            "Write it as 12.50 or -0.0005.",
        ),
        "jackpot.no-fault": (
            "No failed audit is to be cleared.",
            "Look: `felt status`.",
        ),
        "jackpot.no-proposal": (
            "Nothing waits for this confirmation.",
            "Propose it again, and confirm it in time.",
        ),
        "jackpot.none": (
            "No Jackpot is offered at this table.",
            'Set jackpot = "nsw" or "vic" in [options].',
        ),
        "jackpot.unfit": (
            "The request misses a name, or names not exactly one of group and notice.",
            "See docs/api.md.",
        ),
    },
)

declare(
    __name__,
    "rounds on record",
    {
        "round.filter": (
            "Rounds are asked for in a way that makes no sense.",
            "Give what docs/rounds.md lists, such as `felt round list --area 3 --irregular any`.",
        ),
        "round.unknown": (
            "There is no such round.",
            "See which there are: `felt round list`.",
        ),
        "round.archived": (
            "The round is older than those that are at hand; the journal has it.",
            "Ask for it with `felt round show N`: it is told from the journal, which takes a while.",
        ),
        "cards.request": (
            "The request to open the hidden cards of a round has no reason that can be kept.",
            "Give the round and the reason: `felt journal open-cards ROUND --reason ...`.",
        ),
        "cards.round-runs": (
            "The hidden cards of a round are opened when it is over, never while it is played.",
            "Finish the round, or let a supervisor rule; then ask again.",
        ),
        "round.searching": (
            "A round is being looked for in the journal already.",
            "Try again when that is done.",
        ),
    },
)
