"""The codes of the installed program and its manifest."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "the installed program",
    {
        "program.altered": (
            "Files of the installed program are not those of its signed manifest: altered, missing, or added.",
            "Play no new round unless a supervisor decides so. Keep the computer as it is for the inspector, look with "
            "`felt program verify`, then install the approved version anew.",
        ),
        "program.untrusted": (
            "The manifest of the program is not signed by a key of [program] keys.",
            "Get the manifest again from whoever approved this version, and compare the key with theirs.",
        ),
        "program.manifest": (
            "The manifest of the program is not there, or cannot be read.",
            "Put the manifest of this version where [program] manifest says; `felt program verify` reads it.",
        ),
        "program.unchecked": (
            "The installed files could not be compared with their manifest.",
            "Look at the cause, then restart feltd between rounds; a checkout is installed from its wheel first.",
        ),
        "program.seed": (
            "The seed of a challenge cannot be used.",
            "Give 16 to 128 hexadecimal digits, an even number of them: `openssl rand -hex 16` makes some.",
        ),
        "program.busy": (
            "The program is being checked already.",
            "Ask again in some seconds.",
        ),
        "program.files": (
            "The files to be compared cannot be read.",
            "Name a folder site-packages in which feltd is installed, or the wheels themselves.",
        ),
        "program.none": (
            "This journal does not say which program wrote it.",
            "It was written by a version before 0.3.0, and the next start puts it on record.",
        ),
    },
)
