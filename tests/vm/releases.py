"""The releases of Debian that are tried, and what each machine has: packages, and modules of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Release:
    """One release, as its packages name it."""

    number: int
    codename: str
    linux_source: str  # the package with the sources of its kernel


RELEASES: Final = {
    12: Release(12, "bookworm", "linux-source-6.1"),
    13: Release(13, "trixie", "linux-source-6.12"),
}

# What a Debian server has, and what feltd needs of Debian: the machine has no network to fetch more.
PACKAGES: Final = (
    "apt", "busybox-static", "ca-certificates", "can-utils", "dbus", "iproute2", "kmod", "libpam-systemd",
    "libusb-1.0-0", "login", "man-db", "passwd", "polkitd", "procps", "python3", "python3-venv", "sudo", "systemd",
    "systemd-sysv", "udev",
)  # fmt: skip
# Of these and what they need; a module that a kernel has built in is not missed.
MODULES: Final = (
    "virtio_pci", "virtio_blk", "virtio_console", "virtio_rng", "ext4", "crc32c_generic", "crc32c_intel", "autofs4",
    "configfs", "loop",
    "can", "can-raw", "vcan", "kvaser_pci",
    "usbcore", "xhci_pci", "usbserial", "ftdi_sio", "cdc_acm", "vhci_hcd", "dummy_hcd", "libcomposite", "usb_f_acm",
    "efi_pstore", "fuse", "dm_mod", "drm", "bpfilter", "nfnetlink", "ip_tables",
)  # fmt: skip
# Loaded before the root file system is there, in this order.
EARLY: Final = ("virtio_pci", "virtio_blk", "virtio_console", "crc32c_generic", "ext4")
# Built from the sources of the release's kernel, which Debian builds without them, and from a file of ours.
BUILT: Final = ("gpio-sim", "vm_bus_off")
# Would only cost time, or wait for a network or a person that is not there.
MASKED: Final = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "e2scrub_reap.service",
    "fstrim.timer", "getty@tty1.service", "man-db.timer", "serial-getty@ttyS0.service", "systemd-binfmt.service",
    "proc-sys-fs-binfmt_misc.automount", "systemd-timesyncd.service",
)  # fmt: skip
