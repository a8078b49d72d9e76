"""The codes of devices: what any device, and each family, can report."""

from __future__ import annotations

from firmware_bridge.errors import declare

declare(
    __name__,
    "a device of any kind",
    {
        "device.configure": (
            "The device did not take its outputs in time after it came.",
            "Switch the device off and on; the daemon reconnects by itself.",
        ),
        "device.not-asked": (
            "Nobody but the daemon may ask this device: asking would change it.",
            "Start the daemon to see how it is.",
        ),
        "device.old-firmware": (
            "The device runs older firmware than table.toml asks for.",
            "Bring it newer firmware: `felt device NAME flash IMAGE`.",
            "Call the technician: it needs newer firmware.",
        ),
        "device.reconnect": (
            "The daemon let go of the device and greets it again.",
            "Nothing: the daemon reconnects by itself.",
        ),
        "device.restarted": (
            "The device was switched off and on.",
            "Check its power, if nobody did it; the daemon reconnects by itself.",
        ),
        "device.same-serial": (
            "Two devices have the same serial number.",
            "Take one of the two away, or have it numbered anew; if it moved here, restart the daemon.",
        ),
        "device.service": (
            "A technician works on the device.",
            "The technician works on it; it comes back by itself.",
        ),
        "device.stopped": (
            "The daemon stopped speaking with the device.",
            "Nothing, if the daemon is being stopped; else look: `felt status`.",
            "Wait a moment; if it lasts, call the technician.",
        ),
        "device.unexpected": (
            "The device sent what devices of its family do not send.",
            "Correct its family in table.toml, or bring it the firmware of this family.",
        ),
        "device.wrong-family": (
            "Another kind of device is at this address.",
            "Another device is at this address: swap the cables, or correct table.toml.",
        ),
        "device.wrong-serial": (
            "A device with another serial number is at this address.",
            "Another device is at this address: swap it back, or correct its serial in table.toml.",
        ),
        "driver.bug": (
            "The daemon's own code for this device failed.",
            "This is a defect of the daemon: keep the logs and call the technician.",
        ),
        "driver.greeting": (
            "The driver of a vendor's protocol does not come to an end with greeting the device.",
            "Look at the device and its cable; if it answers, update the package of its driver, or ask its maker.",
        ),
        "driver.answer": (
            "The driver of a vendor's protocol gives an answer that cannot be.",
            "Update the package of the driver, or ask its maker.",
        ),
        "device.unread": (
            "The driver failed at reading what the device sent: that is lost. If cards come from the device, a round "
            "that is running is held.",
            "Check the cards on the table, then a supervisor presses resume, or void for the round. Update the package "
            "that is named, or ask its maker; if none is, keep the logs and call the technician.",
        ),
        "driver.*": (
            "Something else about the daemon's own code for a device.",
            "This is a defect of the daemon: keep the logs and call the technician.",
        ),
        "keys.missing": (
            "The link to this device was encrypted, and its key is not there.",
            "Restore keys.toml from a copy and restart the daemon, or pair it again: `felt device NAME pair`.",
            "Call the technician.",
        ),
        "keys.unpaired": (
            "The device has no key yet, and its wire could be tapped: it is not used.",
            "Switch its pairing switch on and run `felt device NAME pair`; what is missing in table.toml is named.",
            "Call the technician.",
        ),
        "link.insecure": (
            "The link to a device is plain because table.toml says sealed = false: who reaches the cable can read "
            "and forge what passes.",
            "Pair the device (`felt device NAME pair`), then remove sealed = false.",
            "Call the technician.",
        ),
        "vendor.unsaved": (
            "Too many events of the device wait to be stored.",
            "Look at the journal's disk: `felt doctor`.",
            "Call the technician.",
        ),
        "*.unknown-command": (
            "The device does not know a command of its family.",
            "Bring it newer firmware, or correct its family in table.toml.",
        ),
        "*.too-long": (
            "The device was to be told more than one message holds.",
            "This is a defect of the daemon: keep the logs and call the technician.",
        ),
        "*.refused": (
            "The device refuses what it should show, and gives no reason.",
            "Look at the device on the table; if nothing is wrong, switch it off and on.",
        ),
    },
)

declare(
    __name__,
    "pairing and new firmware",
    {
        "pair.refused": (
            "The device refuses to be paired.",
            "Switch the device's pairing switch on, and try again.",
        ),
        "pair.code": (
            "The code that was typed is not the one that belongs to this key.",
            "Somebody may sit in its cable: cut its power, then its pairing switch off; look; pair anew.",
        ),
        "pair.commitment": (
            "The device did not keep to what it had bound itself to.",
            "Somebody may sit in its cable: cut its power, then its pairing switch off; look; pair anew.",
        ),
        "pair.no-code": (
            "Nobody typed the code in time.",
            "Put its pairing switch off and on again, and type the six digits that the device shows.",
        ),
        "pair.answer": (
            "The device's answer makes no sense.",
            "Switch the device off and on, and try again.",
        ),
        "flash.wrong-device": (
            "The image is for another family or model.",
            "Take the image for this device's family and model.",
        ),
        "flash.same": (
            "The device runs this version already.",
            "Nothing is to be done.",
        ),
        "flash.interrupted": (
            "The link broke again and again while the firmware was sent.",
            "Check the cable, then run the same command again: it goes on where it was.",
        ),
        "flash.rolled-back": (
            "The new firmware did not come up, and the device went back to the old one.",
            "The device runs what it ran before; get another image from its maker.",
        ),
        "flash.silent": (
            "The device did not come back after the new firmware.",
            "Switch the device off and on: it goes back to the firmware that worked.",
        ),
    },
)

declare(
    __name__,
    "a dealing shoe",
    {
        "shoe.jam": (
            "A card is jammed in the shoe.",
            "Clear the jam at the shoe; if the fault stays, a technician resets it: `felt device NAME reset`.",
            "Clear the jam at the shoe; if the fault stays, call the technician.",
        ),
        "shoe.misread": (
            "The shoe could not read a card.",
            "Tell the card at the console; if it happens again, clean the shoe's reader.",
        ),
        "shoe.empty": (
            "The shoe is empty.",
            "Put cards in, as the rules of the game say.",
        ),
        "shoe.low": (
            "Few cards are left in the shoe.",
            "Put cards in after this round, as the rules of the game say.",
        ),
        "shoe.door": (
            "The door of the shoe is open.",
            "Close the door; a supervisor looks first at what lies inside.",
        ),
    },
)

declare(
    __name__,
    "a shuffling shoe",
    {
        "shuffler.jam": (
            "A card is jammed in the shuffler.",
            "Clear the jam at the machine; if the round cannot be completed, a supervisor declares it void.",
        ),
        "shuffler.stopped": (
            "The shuffler has stopped.",
            "Look at the machine and start it again; if the round cannot be completed, a supervisor declares it void.",
        ),
        "shuffler.count-wrong": (
            "The shuffler counted another number of cards than the decks have.",
            "Count the cards and tell the number at the console: `count`.",
        ),
        "shuffler.mixed-backs": (
            "The shuffler saw backs of different colours.",
            "Take the cards out and sort them; then shuffle again.",
        ),
        "shuffler.empty": (
            "The shuffler is empty.",
            "Put cards in, as the rules of the game say.",
        ),
        "shuffler.low": (
            "Few cards are left in the shuffler.",
            "Put cards in after this round, as the rules of the game say.",
        ),
        "shuffler.misread": (
            "The shuffler could not read a card.",
            "Tell the card at the console; if it happens again, clean the machine's reader.",
        ),
        "shuffler.door": (
            "The door of the shuffler is open.",
            "Close the door; a supervisor looks first at what lies inside.",
        ),
    },
)

declare(
    __name__,
    "a bet sensor",
    {
        "sensor.dark": (
            "The sensor sees nothing.",
            "Look whether something covers it; switch it off and on; if it lasts, replace the sensor.",
        ),
        "sensor.stuck": (
            "The sensor always tells the same.",
            "Switch the sensor off and on; if it lasts, replace it.",
        ),
        "sensor.unknown-chip": (
            "Something lies on a spot that is no chip of this house.",
            "Take it off the spot.",
        ),
        "sensor.snapshot": (
            "The sensor could not say what lies on its spots.",
            "Switch the sensor off and on; compare what lies there with `felt status`.",
            "Switch the sensor off and on; look whether the table shows the chips that lie there.",
        ),
    },
)

declare(
    __name__,
    "a card reader on the layout",
    {
        "reader.cards": (
            "The reader told of cards and named none.",
            "Switch the reader off and on; if it lasts, replace it.",
        ),
        "reader.dark": (
            "The reader sees nothing.",
            "Look whether something covers it; switch it off and on; if it lasts, replace the reader.",
        ),
        "reader.misread": (
            "The reader could not read a card.",
            "Lay the card down again, or tell it at the console.",
        ),
    },
)

declare(
    __name__,
    "a display or sign",
    {
        "display.dark": (
            "The display shows nothing.",
            "Check its power; switch it off and on; if it lasts, replace it.",
        ),
        "display.stuck": (
            "The display does not change what it shows.",
            "Switch it off and on; if it lasts, replace it.",
        ),
    },
)

declare(
    __name__,
    "the dealer's console",
    {
        "console.badge": (
            "The console told of a badge and named no number, or one that is too long.",
            "Show the badge again; if it lasts, replace the badge, then the reader.",
        ),
        "console.door": (
            "The door switch that is wired with the console says that its door is open.",
            "Close the door; a supervisor looks first at what lies inside.",
        ),
        "console.stuck-key": (
            "A key of the console is held down or stuck.",
            "The key does nothing until it is free: free it, or replace the console.",
        ),
    },
)

declare(
    __name__,
    "lamps and buttons",
    {
        "lamps.open-circuit": (
            "The circuit of a lamp is open.",
            "Replace the lamp, or check its cable.",
        ),
        "lamps.door": (
            "The door switch that is wired with the lamps says that its door is open.",
            "Close the door; a supervisor looks first at what lies inside.",
        ),
        "lamps.not-set": (
            "The module does not take its outputs.",
            "Look whether the module is in operation; switch it off and on.",
        ),
        "*.characters": (
            "The sign does not have a character that it should show.",
            "Write the texts of this sign with the printable characters of ASCII only.",
        ),
        "*.not-shown": (
            "The sign does not take what it should show.",
            "Switch the sign off and on; if it lasts, replace it.",
        ),
        "*.no-output": (
            "An output that is to be set is not there.",
            "Correct the outputs of this device in table.toml.",
        ),
    },
)
