"""The codes of simulated hardware: what a tester asked for and does not get."""

from __future__ import annotations

from firmware_bridge.errors import declare

declare(
    __name__,
    "simulated hardware",
    {
        "simulator.refused": (
            "Simulated hardware was asked for something that does not exist or cannot be now.",
            "The message says what is wrong: correct the request, the address or the arguments.",
        ),
        "simulator.no-table": (
            "What answers on this socket is not the control channel of a simulated table.",
            'Name the control channel, which `felt sim` prints behind "devices can be played at": the API\'s socket is '
            "another one.",
        ),
        "simulator.capture": (
            "A capture cannot be read or played.",
            "Correct the path or the line that is named, or capture anew: `felt device NAME trace -f --save FILE`.",
        ),
    },
)
