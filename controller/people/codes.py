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
        "sign-in.busy": (
            "Too many people sign in at this moment.",
            "Try again in a second.",
        ),
    },
)
