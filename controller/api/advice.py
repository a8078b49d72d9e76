"""What a person does about a device's trouble, by its code."""

from __future__ import annotations

STEPS = {
    "serial.missing": "Plug the device in and check its cable; compare its address with /dev/serial/by-id.",
    "serial.denied": "Give the daemon's user the group of the device node (dialout), then restart the daemon.",
    "serial.busy": "Another program uses the port: find it with `fuser` and stop it.",
    "serial.settings": "Check the address in table.toml: it must name a serial port and settings that the port knows.",
    "serial.lost": "Check the cable and the adapter; the daemon reconnects by itself.",
    "serial.stalled": "The device does not take data: switch it off and on.",
    "link.silent": "The device does not answer: check its power and its cable; the daemon reconnects by itself.",
    "device.wrong-family": "Another device is at this address: swap the cables, or correct table.toml.",
    "device.wrong-serial": "Another device is at this address: swap it back, or correct its serial in table.toml.",
}
FAMILIES = {
    "serial": "Check the cable and the adapter; the daemon reconnects by itself.",
    "link": "Check the device's power and cable; the daemon reconnects by itself.",
    "address": "Correct the device's address in table.toml, then restart the daemon.",
    "driver": "This is a defect of the daemon: keep the logs and call the technician.",
}
AT_THE_TABLE = "Look at the device on the table and clear what it reports."


def next_step(code: str) -> str:
    """For any code, also one that nobody has written a step for.

    >>> next_step("serial.unheard-of")
    'Check the cable and the adapter; the daemon reconnects by itself.'
    """
    return STEPS.get(code) or FAMILIES.get(code.partition(".")[0], AT_THE_TABLE)
