"""One machine under QEMU without KVM: two processors, a disk that is thrown away, controllers for CAN and USB."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tarfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.vm.channel import Channel, GuestError
from tests.vm.images import Image

DISK: Final = "disk.qcow2"
BOOT: Final = 240.0  # seconds until the agent answers; it takes 15 where nothing else runs
QUIET: Final = 240.0  # and until systemd has started everything
APPEND: Final = (
    "console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off nokaslr audit=0 net.ifnames=0 random.trust_cpu=on "
    "tsc=reliable systemd.show_status=0"
)


class Machine:
    """A machine with a disk of its own.

    `adapters` are serial adapters on USB: their serial number, and the TCP port of the device behind.
    """

    def __init__(
        self, image: Image, folder: Path, adapters: Mapping[str, int], payload: Path, below: Path | None = None
    ) -> None:
        self.image = image
        self.folder = folder
        self.adapters = dict(adapters)
        self.payload = payload
        self.disk = folder / DISK
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        form = ["-F", "qcow2", "-b", str(below)] if below else ["-F", "raw", "-b", str(image.disk)]
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", *form, str(self.disk)], check=True, timeout=60)

    @property
    def guest(self) -> Channel:
        """The line to the agent; GuestError while the machine is off."""
        if self._channel is None:
            raise GuestError("the machine is off")
        return self._channel

    @property
    def alive(self) -> bool:
        """Whether it is switched on and its agent can be asked."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> float:
        """Switches the machine on and returns how many seconds it took until everything was started."""
        began = time.monotonic()
        line = self.folder / "agent.sock"
        with (self.folder / "qemu.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(line), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        while not line.exists():
            if self._process.poll() is not None or time.monotonic() > began + BOOT:
                raise GuestError(f"QEMU did not start: {self._logged('qemu.log')}")
            time.sleep(0.05)
        self._channel = Channel(line)
        try:
            self._channel.wait(BOOT)
        except GuestError as error:
            raise GuestError(f"{error}; its console: {self._logged('console.log')}") from None
        self._channel.run("systemctl is-system-running --wait", QUIET)
        return time.monotonic() - began

    def cut(self) -> None:
        """Cuts the power: what was not on the disk is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
        self._away()

    def stop(self, seconds: float = 60.0) -> None:
        """Shuts the machine down in order, or cuts its power when that takes too long."""
        if self._process is None:
            return
        try:
            self.guest.run("systemctl poweroff", 20)
            self._process.wait(seconds)
        except (GuestError, subprocess.TimeoutExpired):
            pass
        self.cut()

    def qmp(self, execute: str, **arguments: Any) -> dict[str, Any]:
        """Asks QEMU itself; GuestError when it refuses."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(30)
            line.connect(str(self.folder / "qmp.sock"))
            with line.makefile("rwb") as lines:
                lines.readline()
                for name, given in (("qmp_capabilities", {}), (execute, arguments)):
                    lines.write(json.dumps({"execute": name, "arguments": given}).encode() + b"\n")
                    lines.flush()
                    answer = json.loads(lines.readline())
                    while "event" in answer:
                        answer = json.loads(lines.readline())
        if "error" in answer:
            raise GuestError(f"{execute}: {answer['error']['desc']}")
        done: dict[str, Any] = answer
        return done

    def _away(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._process = self._channel = None
        for name in ("agent.sock", "qmp.sock"):
            (self.folder / name).unlink(missing_ok=True)

    def _logged(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(errors="replace")[-800:] if path.exists() else "nothing"

    def _command(self, line: Path) -> list[str]:
        return [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max", "-M", "q35", "-smp", "2",
            "-m", "1536", "-display", "none", "-monitor", "none", "-nic", "none", "-no-reboot",
            "-kernel", str(self.image.kernel), "-initrd", str(self.image.initrd), "-append", APPEND,
            "-drive", f"file={self.disk},if=virtio,format=qcow2,cache=writeback",
            "-drive", f"file={self.payload},if=virtio,format=raw,readonly=on",
            "-serial", f"file:{self.folder / 'console.log'}",
            "-qmp", f"unix:{self.folder / 'qmp.sock'},server=on,wait=off",
            "-device", "virtio-serial", "-chardev", f"socket,id=agent,path={line},server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=feltd.vm", "-device", "virtio-rng-pci",
            "-object", "can-bus,id=bus", "-device", "kvaser_pci,canbus=bus", "-device", "kvaser_pci,canbus=bus",
            "-device", "qemu-xhci,id=xhci,p2=15,p3=1", *self._adapters(),
        ]  # fmt: skip

    def _adapters(self) -> list[str]:
        words = []
        for serial, port in self.adapters.items():
            words += ["-chardev", f"socket,id=c-{serial},host=127.0.0.1,port={port},reconnect=1"]
            words += ["-device", f"usb-serial,chardev=c-{serial},id=u-{serial},serial={serial},bus=xhci.0"]
        return words


def pack(target: Path, files: Mapping[str, Path], texts: Mapping[str, str]) -> None:
    """Writes what the machine gets on its second disk: files and folders under their names there, and texts."""
    with tarfile.open(target, "w") as tar:
        for name, path in files.items():
            tar.add(path, name, filter=_plain)
        for name, text in texts.items():
            path = target.with_suffix(".text")
            path.write_text(text)
            tar.add(path, name, filter=_plain)
            path.unlink()


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return None if "__pycache__" in entry.name else entry


def command_missing(names: Sequence[str]) -> list[str]:
    """Returns those of these commands that this machine lacks."""
    return [name for name in names if shutil.which(name) is None]
