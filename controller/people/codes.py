"""The codes of people.toml, of signing in and of sessions."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "people.toml",
    {
        "people.missing": (
            "There is no people.toml, so that nobody can sign in: the table takes only a dealer.",
            "As root, make the first person: `felt people add NAME --badge NUMBER --role ROLE`.",
        ),
        "people.unreadable": (
            "The daemon cannot read people.toml: nobody can sign in.",
            "Give the file to root and the daemon's group, with mode 640.",
        ),
        "people.permissions": (
            "Others than root and the daemon may read or change people.toml, or it is somebody else's: nobody can "
            "sign in.",
            "Run `chown root:feltd` and `chmod 640` on it, look who stands in it, and give everybody a new PIN.",
        ),
        "people.invalid": (
            "The file people.toml has mistakes: nobody can sign in.",
            "Correct every line that is named, then `felt people check`.",
        ),
        "people.empty": (
            "The file people.toml has nobody in it: nobody can sign in.",
            "As root, make the first person: `felt people add NAME --badge NUMBER --role ROLE`.",
        ),
        "people.unwritable": (
            "The file people.toml cannot be written.",
            "Do it as root, or as the owner of the file.",
        ),
        "people.unfit": (
            "This cannot stand in people.toml.",
            "Do as it says; `felt people --help` has examples.",
        ),
    },
)

declare(
    __name__,
    "signing in",
    {
        "sign-in.wrong": (
            "Badge and PIN do not belong together.",
            "Try again; after five wrong PINs there is a wait, which grows.",
        ),
        "sign-in.locked": (
            "Too many PINs were wrong, of this badge or at this place.",
            "Wait until then, or let a supervisor press `unlock`; every attempt is on record.",
        ),
        "sign-in.role": (
            "This person has not that role.",
            "Sign in without a role, or with one that people.toml gives them.",
        ),
        "sign-in.needed": (
            "Nobody is signed in here, or the session is over.",
            "Sign in with badge and PIN: `felt sign-in`, or on the page.",
        ),
        "sign-in.origin": (
            "The request does not come from a page of this table.",
            "Open the page by the table's address, or by a name in `[web] names`; then sign in again.",
        ),
        "sign-in.request": (
            "The request to sign in, or to press a key, has not the right shape.",
            "See docs/people.md for what it must have.",
        ),
        "sign-in.too-large": (
            "The request to sign in, or to press a key, is longer than any of these can be.",
            "Send badge and PIN, or one key with its words, and nothing else.",
        ),
        "key.refused": (
            "The table refuses a key that was pressed on a page or over the socket.",
            "The message says what stands against it: see what the table waits for (`felt status`), and who may press "
            "the key (`felt keys NAME`).",
        ),
        "key.unknown": (
            "The table has no such key as was pressed on a page or over the socket.",
            "Look at all of them: `felt keys`.",
        ),
        "sign-in.busy": (
            "Too many people sign in at this moment.",
            "Try again in a second.",
        ),
        "sign-in.unchecked": (
            "Nobody could tell whether the PIN is right: PAM, or the directory behind it, does not answer.",
            "Try again in a minute, or let somebody with a PIN in people.toml sign in; the log says what PAM said "
            "(`journalctl -u feltd`).",
        ),
        "sign-in.nobody": (
            "Nobody can sign in: people.toml is missing, has a mistake or nobody in it, or cannot be trusted.",
            "Call the technician: `felt people check` names every mistake. No PIN was counted as wrong.",
        ),
        "sign-in.account": (
            "The password is right, and PAM says that the account is locked, expired, or needs a new password.",
            "See to the account where the house keeps it, then sign in again.",
        ),
    },
)
