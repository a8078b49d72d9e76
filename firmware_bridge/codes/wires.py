"""The codes of wires: serial ports, CAN buses, USB devices, serial servers, pins."""

from __future__ import annotations

from firmware_bridge.errors import declare

declare(
    __name__,
    "a serial port",
    {
        "serial.missing": (
            "The device node of the port is not there, or nothing is behind it.",
            "Plug the device in and check its cable; compare its address with /dev/serial/by-id.",
        ),
        "serial.denied": (
            "The permissions of the node do not let the daemon's user read and write it.",
            "Give the node the group dialout and the user that group: `usermod -aG dialout feltd`; restart.",
        ),
        "serial.forbidden": (
            "The service's unit does not allow such devices, whoever owns the node.",
            "Add the device's kind to DeviceAllow= of the unit (`systemctl edit feltd`), then restart it.",
        ),
        "serial.twice": (
            "Two devices of the table lead to the same port.",
            "Two entries of table.toml lead to one port: give each its own, by /dev/serial/by-id or by-path.",
        ),
        "serial.busy": (
            "Another program has opened or locked the port.",
            "Another program uses the port: find it with `fuser` and stop it.",
        ),
        "serial.settings": (
            "The node is no serial port, or the port does not accept these settings.",
            "Check the address in table.toml: it must name a serial port and settings that the port knows.",
        ),
        "serial.lost": (
            "The port was there and is gone, or reading it failed.",
            "Check the cable and the adapter; the daemon reconnects by itself.",
        ),
        "serial.stalled": (
            "Bytes wait to be sent and the device does not take them.",
            "The device does not take data: switch it off and on.",
        ),
        "serial.*": (
            "Something else about a serial port.",
            "Check the cable and the adapter; the daemon reconnects by itself.",
        ),
    },
)

declare(
    __name__,
    "a CAN bus",
    {
        "can.missing": (
            "The CAN interface is not there.",
            "Plug the CAN adapter in; compare the name {bus} with `ip link`.",
        ),
        "can.down": (
            "The CAN interface is down.",
            "Bring it up: `ip link set {bus} up type can bitrate 500000`; at each boot: feltd-can@{bus}.service.",
        ),
        "can.denied": (
            "The service may not use CAN sockets.",
            "Add AF_CAN to RestrictAddressFamilies= of the unit (`systemctl edit feltd`), then restart it.",
        ),
        "can.unsupported": (
            "The kernel has no SocketCAN.",
            "Load the kernel's modules: `modprobe can_raw`; if there are none, use another kernel.",
        ),
        "can.bus-off": (
            "Our controller left the bus after too many errors.",
            "Check the bus: one bit rate for all, a terminator at both ends, the cable; the daemon reconnects.",
        ),
        "can.passive": (
            "Our controller is error-passive: nearly every frame is damaged, or nobody answers.",
            "Nobody else is on the bus: check its cable, its terminators and the devices' power.",
        ),
        "can.warning": (
            "Many frames are damaged; they still go through.",
            "Frames are damaged: look at the cable, its terminators and its neighbours before it gets worse.",
        ),
        "can.twice": (
            "Messages of one node run into each other: two devices have its number.",
            "Unplug one of the two and give it another node number; then correct its address in table.toml.",
        ),
        "can.no-adapter": (
            "No SLCAN adapter answers at this port.",
            "Check the address: an SLCAN adapter must be there, with this baud rate.",
        ),
        "can.adapter-silent": (
            "The SLCAN adapter has stopped answering.",
            "Unplug the adapter and plug it in again; the daemon reconnects by itself.",
        ),
        "can.refused": (
            "The SLCAN adapter refuses a command.",
            "Check the bit rate in the address: the adapter must know it; else use another adapter.",
        ),
        "can.settings": (
            "Two devices name the same bus with different settings, or the bus does not accept them.",
            "Give every device of one bus the same settings in its address in table.toml, then restart the daemon.",
        ),
        "can.busy": (
            "Another device of the table has this node number, or it is opened already.",
            "Give each device its own node number in table.toml, then restart the daemon.",
        ),
        "can.lost": (
            "The CAN adapter was there and is gone, or reading it failed.",
            "Check the CAN adapter and the cable of the bus; the daemon reconnects by itself.",
        ),
        "can.stalled": (
            "Frames wait to be sent and the adapter takes none.",
            "Check the cable of the bus and the devices' power: a frame leaves only when somebody hears it.",
        ),
        "can.*": (
            "Something else about a CAN bus.",
            "Check the CAN adapter and the cable of the bus; the daemon reconnects by itself.",
        ),
    },
)

declare(
    __name__,
    "messages on a CAN bus, counted for each device",
    {
        "isotp.dropped": (
            "A message could not be sent: it is too long, or too many wait.",
            "Nothing, as long as the number stands still; if it rises, look at the load of the bus.",
        ),
        "isotp.interrupted": (
            "A new message began before the last one ended.",
            "Nothing, if it is rare; if it goes on, look whether two devices have one node number.",
        ),
        "isotp.long": (
            "A device announced a message that is longer than allowed.",
            "If it goes on, bring the device newer firmware.",
        ),
        "isotp.malformed": (
            "A frame is no part of a message.",
            "If it goes on, look whether something else uses the same identifiers on the bus.",
        ),
        "isotp.no-flow": (
            "The device did not say that the rest of a message may come.",
            "If it goes on, check the device's power and the cable of the bus.",
        ),
        "isotp.refused": (
            "The device refused a message as too long.",
            "If it goes on, bring the device newer firmware.",
        ),
        "isotp.sequence": (
            "A part of a message is missing.",
            "If it goes on, check the cable of the bus and its terminators.",
        ),
        "isotp.stray": (
            "A frame came that belongs to no message.",
            "Nothing, if it is rare; if it goes on, look whether two devices have one node number.",
        ),
        "isotp.unfinished": (
            "A message broke off.",
            "If it goes on, check the device's power and the cable of the bus.",
        ),
    },
)

declare(
    __name__,
    "a USB device",
    {
        "usb.unknown": (
            "A USB device that table.toml does not know is plugged into the table's computer.",
            "Find out who plugged it in, and pull it out; or write it to table.toml: as a device, or to [usb] allow.",
            "Call the technician, and let nobody touch it.",
        ),
        "usb.unwatched": (
            "The kernel does not tell which USB devices come and go: what is plugged in was looked at once.",
            "Let the unit use AF_NETLINK (RestrictAddressFamilies= in systemd/feltd.service), then restart it.",
        ),
        "usb.missing": (
            "The device is not plugged in, or went while it was opened.",
            "Plug the device in and check its power; compare its address with `felt devices --suggest`.",
            "Plug the device in and check its power.",
        ),
        "usb.denied": (
            "The permissions of the node do not let the daemon's user use it.",
            "Install 99-feltd.rules, which gives the node to the group feltd; then plug the device in again.",
        ),
        "usb.forbidden": (
            "The service's unit does not allow USB devices.",
            "Add char-usb_device to DeviceAllow= of the unit (`systemctl edit feltd`), then restart it.",
        ),
        "usb.no-backend": (
            "The library for USB is not installed.",
            "Install libusb: `apt-get install libusb-1.0-0`, then restart the daemon.",
        ),
        "usb.twice": (
            "Several devices answer to this address.",
            "Unplug one of the two, or name each by its position: `felt devices --suggest` prints both.",
            "Unplug one of the two.",
        ),
        "usb.busy": (
            "Another program uses the device, or it is opened already.",
            "Stop the other program that uses it; the daemon tries again by itself.",
        ),
        "usb.closed": (
            "The device was closed while it was being opened.",
            "Nothing, if the daemon was stopped; else it tries again by itself.",
        ),
        "usb.endpoints": (
            "No interface of the device has an endpoint each way.",
            "Another kind of device has this address: correct it in table.toml; `felt devices --suggest` helps.",
            "Call the technician.",
        ),
        "usb.failed": (
            "The device failed in a way that the system does not name.",
            "Unplug the device and plug it in again; the daemon reconnects by itself.",
        ),
        "usb.halted": (
            "The device has halted its endpoint twice in a row.",
            "Switch the device off and on; if it comes back, bring it newer firmware.",
        ),
        "usb.lost": (
            "The device was unplugged, or its cable or hub fails.",
            "Check the USB cable and the device's power; the daemon reconnects by itself.",
        ),
        "usb.overflow": (
            "The device sends more than was asked for.",
            "Switch the device off and on; if it comes back, bring it newer firmware.",
        ),
        "usb.silent": (
            "The device is plugged in and does not answer.",
            "Switch the device off and on; the daemon reconnects by itself.",
        ),
        "usb.stalled": (
            "Bytes wait to be sent and the device does not take them.",
            "Switch the device off and on; the daemon reconnects by itself.",
        ),
        "usb.*": (
            "Something else about a USB device.",
            "Check the USB cable and the device's power; the daemon reconnects by itself.",
        ),
    },
)

declare(
    __name__,
    "a serial server on the network",
    {
        "tcp.unknown-host": (
            "No address is known for the name of the server.",
            "Correct the name in table.toml, or write its address in numbers; the DNS must know a name.",
        ),
        "tcp.refused": (
            "Nobody listens at this address and port.",
            "Check the serial server: its power, its network cable, its port; the daemon reconnects by itself.",
        ),
        "tcp.unreachable": (
            "There is no way to the server's address.",
            "Check the network of both, and the address in table.toml; the daemon reconnects by itself.",
        ),
        "tcp.denied": (
            "The firewall of this machine forbids the connection.",
            "Allow the server's address and port in the firewall of this machine.",
        ),
        "tcp.busy": (
            "The connection is opened already.",
            "Give each device its own server or port in table.toml.",
        ),
        "tcp.lost": (
            "The connection was there and has ended.",
            "Check the serial server: its power, its network cable, its port; the daemon reconnects by itself.",
        ),
        "tcp.stalled": (
            "Bytes wait to be sent and the server does not take them.",
            "Check the serial server: its power, its network cable, its port; the daemon reconnects by itself.",
        ),
        "tcp.*": (
            "Something else about a serial server.",
            "Check the serial server: its power, its network cable, its port; the daemon reconnects by itself.",
        ),
    },
)

declare(
    __name__,
    "the pins of the computer",
    {
        "gpio.no-factory": (
            "The library for pins is not installed, or two of them disturb each other.",
            "Take gpio://gpiod in table.toml; where there is no gpiod, install python3-rpi-lgpio of the system.",
        ),
        "gpio.denied": (
            "The permissions of the pins' node do not let the daemon's user use it.",
            "Give the pins to the group gpio (99-feltd.rules) and it to the user: `usermod -aG gpio feltd`.",
        ),
        "gpio.forbidden": (
            "The service's unit does not allow the pins' node.",
            "Add char-gpiochip to DeviceAllow= of the unit (`systemctl edit feltd`), then restart it.",
        ),
        "gpio.missing": (
            "The computer has no pins.",
            "Use a computer that has pins, or another wire: correct the address in table.toml.",
        ),
        "gpio.no-board": (
            "The library for pins does not know this board.",
            "Take gpio://gpiod, or gpio://gpiod/CHIP with a chip that the cause names; other libraries know only a Pi.",
        ),
        "gpio.pin": (
            "A pin cannot be used.",
            "Correct the pin in table.toml, or stop the program that uses it.",
        ),
        "gpio.busy": (
            "The pins are opened already.",
            "Put all pins of a kind of device under one device in table.toml.",
        ),
        "gpio.lost": (
            "A pin is not as it was set, or the pins cannot be used any more.",
            "Stop whatever else uses the pins; the daemon takes them again by itself.",
        ),
        "gpio.*": (
            "Something else about pins.",
            "Stop whatever else uses the pins; the daemon takes them again by itself.",
        ),
    },
)
