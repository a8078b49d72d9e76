"""The codes of simulated devices and of the dealer who plays by himself."""

from __future__ import annotations

from controller.errors import declare

declare(
    __name__,
    "simulated devices",
    {
        "sim.busy": (
            "The simulated wire is open already.",
            "Give each device its own sim:// address in table.toml.",
        ),
        "sim.unplugged": (
            "The simulated device is not plugged in.",
            "Plug it in again: the tester who unplugged it ends the fault.",
        ),
        "sim.wire": (
            "The simulated wire cannot be made.",
            "Correct the address of the device in table.toml.",
        ),
        "sim.failed": (
            "The computer could not make the simulated wires.",
            "Is the machine out of pseudo-terminals?  See /proc/sys/kernel/pty/max.",
        ),
        "sim.soak-options": (
            "The rules do not take what --set of `felt sim soak` says.",
            "Look up in docs/options.md what the game can be set to; with --game there are days of that game alone.",
        ),
        "sim.day-lost": (
            "A process that lived through a day of `felt sim soak` ended in its middle.",
            "Look whether there is enough memory; live through the day without `--jobs`.",
        ),
        "sim.stuck": (
            "The table waits for something that the simulated dealer cannot do.",
            "Only plain rounds can be dealt so: go on by hand, with a script or at the devices.",
        ),
        "sim.nobody": (
            "No simulated table can be played at.",
            'Start one: `felt sim`; or name what it prints behind "devices can be played at" with --control.',
        ),
        "sim.several": (
            "Several simulated tables run, and nobody said which is meant.",
            "Name its control channel with --control, or its daemon's socket with FELT_SOCKET.",
        ),
        "simulated.devices": (
            "Simulated devices are there; the line says where they are controlled.",
            "Nothing is to be done.",
        ),
    },
)
