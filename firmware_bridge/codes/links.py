"""The codes of addresses, frames, links, firmware images and installed packages."""

from __future__ import annotations

from firmware_bridge.errors import declare

declare(
    __name__,
    "the address of a device in table.toml",
    {
        "address.characters": (
            "An address has spaces or control characters.",
            "Write the address without them; docs/configuration.md has every form.",
        ),
        "address.form": (
            "An address has no scheme followed by ://.",
            "Write it as in serial:///dev/serial/by-id/...; docs/configuration.md has every form.",
        ),
        "address.scheme": (
            "The word before :// is no kind of address, or the package that brings it cannot be used.",
            "Correct the word before ://; docs/configuration.md has every form.",
        ),
        "address.host": (
            "What stands between :// and the next / is missing or wrong.",
            "Correct the address in table.toml; the message has an example.",
        ),
        "address.path": (
            "What stands behind the next / is missing or wrong.",
            "Correct the address in table.toml; the message has an example.",
        ),
        "address.option": (
            "An option of the address is unknown, given twice, or has a value that it cannot have.",
            "Correct the option in table.toml; the message says which there are.",
        ),
        "address.not-yet": (
            "This kind of address cannot be opened here.",
            "Use another wire, or start the program that provides this kind of address.",
        ),
        "address.*": (
            "Something else about an address.",
            "Correct the device's address in table.toml, then restart the daemon.",
        ),
    },
)

declare(
    __name__,
    "frames on the wire, counted for each device",
    {
        "body.malformed": (
            "What a frame holds is not a message.",
            "If it goes on, compare the device's firmware with docs/protocol.md.",
        ),
        "frame.bcc": (
            "The checksum of a shoe's report is wrong.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.checksum": (
            "The checksum of a sign's packet is wrong.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.cobs": (
            "Bytes between two delimiters are no byte-stuffed data.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.crc": (
            "The checksum of a frame is wrong.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.flags": (
            "A frame uses reserved flags.",
            "If it goes on, compare the device's firmware with docs/protocol.md.",
        ),
        "frame.kind": (
            "A frame is of a kind that nobody knows.",
            "If it goes on, compare the device's firmware with docs/protocol.md.",
        ),
        "frame.long": (
            "A frame is longer than allowed, or has no end.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.noise": (
            "Bytes came that belong to no frame.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.short": (
            "A frame is shorter than any can be.",
            "Nothing, if it is rare; if it goes on, check the cable and the baud rate.",
        ),
        "frame.version": (
            "A frame is of another version of the protocol.",
            "Bring the device firmware that speaks the version of docs/protocol.md.",
        ),
    },
)

declare(
    __name__,
    "the link to a device",
    {
        "link.silent": (
            "The device was there and does not answer any more.",
            "The device does not answer: check its power and its cable; the daemon reconnects by itself.",
        ),
        "link.speed": (
            "A higher speed of a serial line did not hold; the link goes on at its base speed, or a lower one.",
            "Nothing, if it is rare; if it goes on, use a shorter cable or another adapter, or write fast=no.",
        ),
        "link.no-answer": (
            "The wire is open, and no device has introduced itself.",
            "Check the device's power and cable; the daemon reconnects by itself.",
        ),
        "link.tampered": (
            "A frame was forged, altered or replayed: neither noise nor the device can have made it.",
            "Somebody may have touched the cable: inspect it end to end, then `felt device NAME clear`.",
            "Call the technician: somebody may have touched its cable.",
        ),
        "link.key": (
            "The device could not prove that it has the key that is kept for it.",
            "It is another device, or was paired elsewhere: put the right one back, or `felt device NAME pair`.",
            "Put the right device back, or call the technician.",
        ),
        "link.unsealed": (
            "A key is kept for the device, and it does not encrypt.",
            "Switch its pairing switch on and run `felt device NAME pair`; never remove the key to go on.",
            "Call the technician.",
        ),
        "link.sealed": (
            "The device encrypts, and no key is known for it.",
            "It has a key that this table does not know: pairing switch on, then `felt device NAME pair`.",
            "Call the technician.",
        ),
        "link.twice": (
            "Two devices with different serial numbers answer at one address.",
            "Unplug one of the two: each needs an address of its own; the daemon reconnects by itself.",
        ),
        "link.body": (
            "A message of the device cannot be read.",
            "Bring the device firmware that speaks the version of docs/protocol.md.",
        ),
        "link.close": (
            "The wire did not close in time; a new one is made.",
            "Nothing, if it is rare; if it goes on, unplug the adapter and plug it in again.",
        ),
        "link.closed": (
            "The controller closed the link.",
            "Nothing: the daemon opens it again when it is needed.",
        ),
        "link.counter": (
            "The device's events do not go on where the journal ends.",
            "The device may have restarted or be another one; the daemon reconnects by itself.",
        ),
        "link.direction": (
            "Our own frames came back: the cable has a loop, or another controller is on it.",
            "Look for a second controller or a loop on this cable.",
        ),
        "link.gap": (
            "An event of the device is missing and was not sent again.",
            "Check the device's power and cable; the daemon reconnects by itself.",
        ),
        "link.lost": (
            "The device is not there at the moment.",
            "Look: `felt devices` says why; the daemon reconnects by itself.",
            "Check its cable and its power; the table takes it up again by itself.",
        ),
        "link.open": (
            "The link is open already.",
            "This is a defect of the daemon: keep the logs and call the technician.",
        ),
        "link.open-timeout": (
            "The wire did not open in time.",
            "Unplug the adapter and plug it in again; the daemon reconnects by itself.",
        ),
        "link.restarted": (
            "The device introduced itself again: it has started anew.",
            "Check the device's power; the daemon reconnects by itself.",
        ),
        "link.timeout": (
            "The device did not reply to a command in time.",
            "Check the device's power and cable; the daemon reconnects by itself.",
        ),
        "link.*": (
            "Something else about the link to a device.",
            "Check the device's power and cable; the daemon reconnects by itself.",
        ),
    },
)

declare(
    __name__,
    "the conformance suite",
    {
        "conform.key": (
            "The device encrypts its link, and its key is not known.",
            "Give the file with its key: --key keys.toml, as `felt device NAME pair` wrote it beside the journal.",
        ),
        "conform.kept": (
            "The device keeps events that no journal has; the suite acknowledges them, so they would be lost.",
            "Let the daemon take them first; or add --forget-events, if nobody needs them.",
        ),
    },
)

declare(
    __name__,
    "a firmware image and its way into a device",
    {
        "image.form": (
            "The file is no firmware image, or is cut off.",
            "Get the image again from whoever signed it.",
        ),
        "image.digest": (
            "The firmware in the image is not the one that was signed.",
            "Get the image again from whoever signed it.",
        ),
        "image.signature": (
            "The image is not signed by a key that is trusted here.",
            "Use an image signed for this house, or add its signer to [firmware] keys in table.toml.",
        ),
        "flash.refused": (
            "The device refuses the firmware.",
            "The device runs what it ran before; take an image that fits it.",
        ),
    },
)

declare(
    __name__,
    "what an installed package brings",
    {
        "extension.unknown": (
            "No package brings something with this name.",
            "Correct the name, or install the package that brings it.",
        ),
        "extension.twice": (
            "Two packages bring the same thing.",
            "Uninstall all of these packages but one.",
        ),
        "extension.taken": (
            "A package declares something under a name that is not its own.",
            "Ask the maker of the package: the name must be that of its entry point, and new.",
        ),
        "extension.ours": (
            "A package brings something under a name of ours: what it brings is not used.",
            "Uninstall the package, or ask its maker for another name: ours stays in its place.",
        ),
        "extension.broken": (
            "A package is installed and cannot be loaded.",
            "Ask the maker of the package, or uninstall it. If it is yours: the cause names the place.",
        ),
        "extension.failed": (
            "A package was loaded, and its code failed.",
            "Update the package that is named, or ask its maker; uninstall it if it is not needed.",
        ),
        "extension.nothing": (
            "A package does not bring what it says.",
            "Ask the maker of the package: the decorated class and the entry point must have the same name.",
        ),
    },
)
