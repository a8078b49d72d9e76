"""The codes of the testers' language."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "felt run",
    {
        "output.differs": (
            "A simulated device shows something else than the table wants shown there.",
            "This is a defect of the daemon or of a device's driver: report it with the script.",
        ),
    },
)
