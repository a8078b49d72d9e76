"""The codes of the testers' language."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "felt run",
    {
        "script.malformed": (
            "A line of the script is not in the testers' language.",
            "Correct the line: the message says what could stand there, docs/scripts.md has every word.",
        ),
        "script.unreadable": (
            "The file of the script cannot be read, or is no text.",
            "Check its path and who may read it; a script is UTF-8 text.",
        ),
        "script.defect": (
            "The script could not be read, played or told because of a defect; the others were played.",
            "This is a defect of feltd: report it with the script.",
        ),
        "output.differs": (
            "A simulated device shows something else than the table wants shown there.",
            "This is a defect of the daemon or of a device's driver: report it with the script.",
        ),
    },
)
