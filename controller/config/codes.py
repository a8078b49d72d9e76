"""The codes of the configuration and of the keys of encrypted links."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "table.toml",
    {
        "config.missing": (
            "There is no configuration file.",
            "Write one: docs/configuration.md begins with an example; then `felt config check FILE`.",
        ),
        "config.syntax": (
            "The configuration file is no TOML.",
            "Correct the line that is named, then `felt config check FILE`.",
        ),
        "config.too-large": (
            "The configuration file has more than a mebibyte.",
            "Check the path: no table needs so long a file.",
        ),
        "config.invalid": (
            "The configuration has values that cannot be used.",
            "Correct every line that is named, then `felt config check FILE`.",
        ),
        "config.hint": (
            "The configuration can be used, and something in it may surprise.",
            "Look at it: `felt config check FILE`.",
        ),
    },
)

declare(
    __name__,
    "terms.toml, the terms and conditions of a tournament",
    {
        "terms.missing": (
            "There is no file with the terms of this tournament.",
            "Write one: examples/tournaments has some; then `felt tournament check FILE`.",
        ),
        "terms.syntax": (
            "The file with the terms is no TOML.",
            "Correct the line that is named, then `felt tournament check FILE`.",
        ),
        "terms.too-large": (
            "The file with the terms has more than a mebibyte.",
            "Check the path: no tournament needs so long a file.",
        ),
        "terms.invalid": (
            "The terms have values that cannot be used, or lack what the rule document asks for.",
            "Correct every line that is named, then `felt tournament check FILE`.",
        ),
    },
)

declare(
    __name__,
    "the keys of the cards",
    {
        "cards.key-missing": (
            "The key of the cards is not where table.toml, or the service manager, says.",
            "Put it back from where it is kept apart (docs/backup.md), then start feltd. Never make another one for "
            "this journal. If it is gone for good: docs/recovery.md.",
        ),
        "cards.key-unreadable": (
            "The key of the cards cannot be read.",
            "Give the file to the daemon's user, with mode 600.",
        ),
        "cards.key-permissions": (
            "Others than its owner may read or change the key of the cards.",
            "Set its mode to 600, and look who could read it.",
        ),
        "cards.key-malformed": (
            "The key of the cards is no key.",
            "Put it back from where it is kept apart (docs/backup.md): one line of 64 hexadecimal digits.",
        ),
        "cards.key-unwritable": (
            "The key of the cards could not be written.",
            "Check the folder of [journal] cards-key, its disk and its permissions.",
        ),
    },
)

declare(
    __name__,
    "keys.toml, which holds the keys of encrypted links",
    {
        "keys.malformed": (
            "The file is no file of keys.",
            "Restore the file, or remove it and pair anew.",
        ),
        "keys.not-native": (
            "A key is kept for a device whose protocol cannot be encrypted.",
            "Remove its key from keys.toml.",
        ),
        "keys.permissions": (
            "Others than the daemon may read or change the file.",
            "Run `chmod 600` on it; pair the devices anew.",
        ),
        "keys.unknown-serial": (
            "A key is kept for a serial number that no device has.",
            "Write this serial to its device in table.toml, or remove it from keys.toml.",
        ),
        "keys.undecided": (
            "The table has played with devices over plain links, and nobody has said that this may go on.",
            "Write sealed = false to each that is named and start again; then pair them and remove the lines.",
        ),
        "keys.unreadable": (
            "The file cannot be read by whoever asks.",
            "Give the file to the daemon's user, with mode 600; run `felt` as that user.",
        ),
        "keys.unwritable": (
            "The file cannot be written.",
            "Check the state directory of table.toml: the daemon must be able to write there.",
        ),
    },
)
