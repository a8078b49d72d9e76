"""The two firmware slots of a simulated device: one runs, the other takes a new image, and a bad one never stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware_bridge.image import ImageError, Manifest, check_firmware, check_signature, read_manifest
from firmware_bridge.messages import Command, FlashBegin, FlashConfirm, FlashFinish, FlashSwitch, FlashWrite, Reply
from firmware_bridge.version import version_key

SPACE = 4 * 1024 * 1024
DEAD = b"DEAD"  # simulated firmware that begins so does not start


@dataclass(slots=True)
class _Slot:
    """The firmware in one slot, whole or in part."""

    manifest: Manifest
    signed: bytes
    data: bytearray = field(default_factory=bytearray)
    sound: bool = False  # all of it is there, and it is what was signed


class Slots:
    """The firmware slots of a device, all non-volatile.  `boot` is what the start-up code does after each restart."""

    def __init__(self, family: str, model: str, version: str, public_keys: Sequence[bytes]) -> None:
        self._family, self._model = family, model
        self._public_keys = tuple(public_keys)
        self._old = version  # what it falls back to
        self._version = version  # what runs
        self._spare: _Slot | None = None
        self._try = False  # start the spare slot next time
        self._trial = False  # the spare slot runs and is not confirmed
        self.restart_due = False

    @property
    def version(self) -> str:
        """The version that runs."""
        return self._version

    @property
    def trial(self) -> bool:
        """Whether it runs firmware that nobody has confirmed."""
        return self._trial

    def boot(self) -> bool:
        """Chooses what runs; False when that does not start.  Firmware on trial has this one chance."""
        self.restart_due = False
        self._version, self._trial = self._old, False
        if not self._try or self._spare is None:
            return True
        self._try = False
        if self._spare.data.startswith(DEAD):
            return False
        self._version, self._trial = self._spare.manifest.version, True
        return True

    def execute(self, command: Command) -> Reply | None:
        """Carries out a command about firmware; None: it is about something else."""
        match command:
            case FlashBegin():
                return self._begin(command)
            case FlashWrite(offset, data):
                return self._write(offset, data)
            case FlashFinish():
                return self._finish()
            case FlashSwitch():
                return self._switch()
            case FlashConfirm():
                return self._confirm()
        return None

    def _begin(self, command: FlashBegin) -> Reply:
        try:
            manifest = read_manifest(command.manifest)
            check_signature(command.manifest, command.signature, self._public_keys)
        except ImageError as error:
            return _no(error)
        if manifest.family != self._family:
            return Reply(False, "wrong-family")
        if manifest.model != self._model:
            return Reply(False, "wrong-model")
        if manifest.size > SPACE:
            return Reply(False, "too-large")
        if not command.downgrade and (version_key(manifest.version) or ()) < (version_key(self._version) or ()):
            return Reply(False, "downgrade")
        if self._trial:
            return Reply(False, "on-trial")
        if self._spare is None or self._spare.signed != command.manifest:
            self._spare = _Slot(manifest, command.manifest)
        return Reply(True, str(len(self._spare.data)))

    def _write(self, offset: int, data: bytes) -> Reply:
        """Takes bytes only where the last ones ended, and replies how many are there now.

        So a repeat or a gap does no harm.
        """
        slot = self._spare
        if slot is None or self._trial:
            return Reply(False, "not-begun")
        if not slot.sound and offset == len(slot.data) and offset + len(data) <= slot.manifest.size:
            slot.data += data
        return Reply(True, str(len(slot.data)))

    def _finish(self) -> Reply:
        slot = self._spare
        if slot is None or self._trial:
            return Reply(False, "not-begun")
        if len(slot.data) < slot.manifest.size:
            return Reply(False, "incomplete")
        try:
            check_firmware(slot.manifest, bytes(slot.data))
        except ImageError as error:
            self._spare = None
            return _no(error)
        slot.sound = True
        return Reply(True, slot.manifest.version)

    def _switch(self) -> Reply:
        if self._spare is None or not self._spare.sound or self._trial:
            return Reply(False, "not-finished")
        self._try = self.restart_due = True
        return Reply(True)

    def _confirm(self) -> Reply:
        if not self._trial:
            return Reply(False, "not-on-trial")
        self._trial = False
        self._old, self._spare = self._version, None
        return Reply(True, self._version)


def _no(error: ImageError) -> Reply:
    return Reply(False, error.code.replace(".", "-"))
