"""What a person does about a device's trouble, by its code."""

from __future__ import annotations

STEPS = {
    "serial.missing": "Plug the device in and check its cable; compare its address with /dev/serial/by-id.",
    "serial.denied": "Give the node the group dialout and the user that group: `usermod -aG dialout feltd`; restart.",
    "serial.forbidden": "Add the device's kind to DeviceAllow= of the unit (`systemctl edit feltd`), then restart it.",
    "serial.twice": "Two entries of table.toml lead to one port: give each its own, by /dev/serial/by-id or by-path.",
    "serial.busy": "Another program uses the port: find it with `fuser` and stop it.",
    "serial.settings": "Check the address in table.toml: it must name a serial port and settings that the port knows.",
    "serial.lost": "Check the cable and the adapter; the daemon reconnects by itself.",
    "serial.stalled": "The device does not take data: switch it off and on.",
    "can.missing": "Plug the CAN adapter in; compare the name {bus} with `ip link`.",
    "can.down": "Bring it up: `ip link set {bus} up type can bitrate 500000`; at each boot: feltd-can@{bus}.service.",
    "can.denied": "Add AF_CAN to RestrictAddressFamilies= of the unit (`systemctl edit feltd`), then restart it.",
    "can.unsupported": "Load the kernel's modules: `modprobe can_raw`; if there are none, use another kernel.",
    "can.bus-off": "Check the bus: one bit rate for all, a terminator at both ends, the cable; the daemon reconnects.",
    "can.passive": "Nobody else is on the bus: check its cable, its terminators and the devices' power.",
    "can.warning": "Frames are damaged: look at the cable, its terminators and its neighbours before it gets worse.",
    "can.twice": "Unplug one of the two and give it another node number; then correct its address in table.toml.",
    "usb.denied": "Install 99-feltd.rules, which gives the node to the group feltd; then plug the device in again.",
    "usb.forbidden": "Add char-usb_device to DeviceAllow= of the unit (`systemctl edit feltd`), then restart it.",
    "usb.missing": "Plug the device in and check its power; compare its address with `felt devices --suggest`.",
    "usb.no-backend": "Install libusb: `apt-get install libusb-1.0-0`, then restart the daemon.",
    "usb.twice": "Unplug one of the two, or name each by its position: `felt devices --suggest` prints both.",
    "tcp.unknown-host": "Correct the name in table.toml, or write its address in numbers; the DNS must know a name.",
    "link.twice": "Unplug one of the two: each needs an address of its own; the daemon reconnects by itself.",
    "can.no-adapter": "Check the address: an SLCAN adapter must be there, with this baud rate.",
    "gpio.no-factory": "Install python3-rpi-lgpio from the system, make the environment with --system-site-packages.",
    "gpio.denied": "Give the pins to the group gpio (99-feltd.rules) and it to the user: `usermod -aG gpio feltd`.",
    "gpio.forbidden": "Add char-gpiochip to DeviceAllow= of the unit (`systemctl edit feltd`), then restart it.",
    "gpio.missing": "Use a computer that has pins, or another wire: correct the address in table.toml.",
    "gpio.no-board": "The pins need a board that gpiozero knows; the unit must have ProcSubset=all to let it look.",
    "gpio.pin": "Correct the pin in table.toml, or stop the program that uses it.",
    "sim.no-daemon": "Start the daemon: simulated devices live and die with it.",
    "link.silent": "The device does not answer: check its power and its cable; the daemon reconnects by itself.",
    "link.tampered": "Somebody may have touched the cable: inspect it end to end, then `felt device NAME clear`.",
    "link.key": "It is another device, or was paired elsewhere: put the right one back, or `felt device NAME pair`.",
    "link.unsealed": "Switch its pairing switch on and run `felt device NAME pair`; never remove the key to go on.",
    "link.sealed": "It has a key that this table does not know: pairing switch on, then `felt device NAME pair`.",
    "keys.missing": "Restore keys.toml from a copy and restart the daemon, or pair it again: `felt device NAME pair`.",
    "pair.refused": "Switch the device's pairing switch on, and try again.",
    "pair.code": "Somebody may sit in its cable: cut its power, then its pairing switch off; look; pair anew.",
    "pair.commitment": "Somebody may sit in its cable: cut its power, then its pairing switch off; look; pair anew.",
    "pair.no-code": "Put its pairing switch off and on again, and type the six digits that the device shows.",
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
    "display.differs": "The daemon tells it once more by itself; if it lasts, switch the display off and on.",
    "jackpot.unreachable": "Check the network and the server of the prize meters; the table tells it again by itself.",
    "jackpot.starting": "Wait: the prize meter is being checked; new Jackpot wagers are taken when that is done.",
    "jackpot.audit": "See `felt jackpot verify`, put it right, then `felt jackpot verify --clear --by NAME`.",
    "jackpot.live": "Use real devices, or mark the database as one for tests; see docs/configuration.md.",
    "jackpot.differs": "Give every table of the group the same Jackpot options.",
    "jackpot.conflict": "Restore the table's journal, or give the table a new name.",
    "jackpot.behind": "The store is an old copy: bring the newest; or rename the table and adjust what is missing.",
    "jackpot.gap": "The table's journal misses a movement: restore the journal.",
    "jackpot.newer": "Install the version of feltd that the other tables have.",
    "device.gap": "Check what lies on the felt; then a supervisor presses resume, or void for the round.",
    "table.changed": "Seat the players again with the stakes that they have in their hands; then a supervisor resumes.",
    "journal.retold": "Compare stakes, wagers and limits with the table: docs/recovery.md; then a supervisor rules.",
    "journal.behind": "Look for the newer journal before anybody plays: see docs/recovery.md; then a supervisor rules.",
    "device.babbles": "It tells too much at once: look at its sensor and its cable; it goes on when it is quiet.",
    "device.no-code": "The device reports a fault without a code: look at it, and ask its maker.",
    "device.unstorable": "The device told something that cannot be: switch it off and on; if it lasts, replace it.",
    "sensor.chips": "Take the chips off this spot and put them down again; if it lasts, replace the sensor.",
    "device.old-firmware": "Bring it newer firmware: `felt device NAME flash IMAGE`.",
    "device.not-asked": "Start the daemon to see how it is.",
    "device.service": "The technician works on it; it comes back by itself.",
    "device.wrong-family": "Another device is at this address: swap the cables, or correct table.toml.",
    "device.same-serial": "Take one of the two away, or have it numbered anew; if it moved here, restart the daemon.",
    "device.wrong-serial": "Another device is at this address: swap it back, or correct its serial in table.toml.",
}
FAMILIES = {
    "serial": "Check the cable and the adapter; the daemon reconnects by itself.",
    "can": "Check the CAN adapter and the cable of the bus; the daemon reconnects by itself.",
    "gpio": "Stop whatever else uses the pins; the daemon takes them again by itself.",
    "usb": "Check the USB cable and the device's power; the daemon reconnects by itself.",
    "tcp": "Check the serial server: its power, its network cable, its port; the daemon reconnects by itself.",
    "link": "Check the device's power and cable; the daemon reconnects by itself.",
    "address": "Correct the device's address in table.toml, then restart the daemon.",
    "jackpot": "Look at the prize meter: `felt jackpot verify`; new Jackpot wagers are refused until it is right.",
    "driver": "This is a defect of the daemon: keep the logs and call the technician.",
}
AT_THE_TABLE = "Look at the device on the table and clear what it reports."


def next_step(code: str, bus: str = "") -> str:
    """Returns what to do about this code, also one without a step of its own; `bus` is the CAN interface it is about.

    >>> next_step("serial.unheard-of")
    'Check the cable and the adapter; the daemon reconnects by itself.'
    >>> next_step("can.missing", "can1")
    'Plug the CAN adapter in; compare the name can1 with `ip link`.'
    """
    step = STEPS.get(code) or FAMILIES.get(code.partition(".")[0], AT_THE_TABLE)
    return step.replace("{bus}", bus or "can0")
