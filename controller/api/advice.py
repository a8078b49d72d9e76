"""What a person does about a device's trouble, by its code."""

from __future__ import annotations

STEPS = {
    "serial.missing": "Plug the device in and check its cable; compare its address with /dev/serial/by-id.",
    "serial.denied": "Give the daemon's user the group of the device node (dialout), then restart the daemon.",
    "serial.busy": "Another program uses the port: find it with `fuser` and stop it.",
    "serial.settings": "Check the address in table.toml: it must name a serial port and settings that the port knows.",
    "serial.lost": "Check the cable and the adapter; the daemon reconnects by itself.",
    "serial.stalled": "The device does not take data: switch it off and on.",
    "can.missing": "Plug the CAN adapter in; compare its name with `ip link`.",
    "can.down": "Bring the interface up: `ip link set can0 up type can bitrate 500000 restart-ms 100`.",
    "can.bus-off": "Check the bus: one bit rate for all, a terminator at both ends, the cable; the daemon reconnects.",
    "can.passive": "Nobody else is on the bus: check its cable, its terminators and the devices' power.",
    "can.no-adapter": "Check the address: an SLCAN adapter must be there, with this baud rate.",
    "gpio.no-factory": "Install python3-rpi-lgpio from the system, make the environment with --system-site-packages.",
    "gpio.pin": "Correct the pin in table.toml, or stop the program that uses it.",
    "link.silent": "The device does not answer: check its power and its cable; the daemon reconnects by itself.",
    "link.tampered": "Somebody may have touched the cable: inspect it end to end, then `felt device NAME clear`.",
    "link.key": "It is another device, or was paired elsewhere: put the right one back, or `felt device NAME pair`.",
    "link.unsealed": "Switch its pairing switch on and run `felt device NAME pair`; never remove the key to go on.",
    "link.sealed": "It has a key that this table does not know: pairing switch on, then `felt device NAME pair`.",
    "pair.refused": "Switch the device's pairing switch on, and try again.",
    "pair.answer": "Switch the device off and on, and try again.",
    "image.form": "Get the image again from whoever signed it.",
    "image.digest": "Get the image again from whoever signed it.",
    "image.signature": "Use an image signed for this house, or add its signer to [firmware] keys in table.toml.",
    "flash.refused": "The device runs what it ran before; take an image that fits it.",
    "flash.wrong-device": "Take the image for this device's family and model.",
    "flash.same": "Nothing is to be done.",
    "flash.interrupted": "Check the cable, then run the same command again: it goes on where it was.",
    "flash.rolled-back": "The device runs what it ran before; get another image from its maker.",
    "flash.silent": "Switch the device off and on: it goes back to the firmware that worked.",
    "device.old-firmware": "Bring it newer firmware: `felt device NAME flash IMAGE`.",
    "device.service": "The technician works on it; it comes back by itself.",
    "device.wrong-family": "Another device is at this address: swap the cables, or correct table.toml.",
    "device.wrong-serial": "Another device is at this address: swap it back, or correct its serial in table.toml.",
}
FAMILIES = {
    "serial": "Check the cable and the adapter; the daemon reconnects by itself.",
    "can": "Check the CAN adapter and the cable of the bus; the daemon reconnects by itself.",
    "gpio": "Stop whatever else uses the pins; the daemon takes them again by itself.",
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
