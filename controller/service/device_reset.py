"""The way out of a device's error mode: somebody has put right what was wrong, and says so."""

from __future__ import annotations

import structlog

from controller.errors import FeltError
from controller.service.table import TableService
from controller.service.tampering import TAMPERED
from controller.table.faults import LOST
from firmware_bridge.link import LinkError

log = structlog.get_logger()


async def reset_device(service: TableService, name: str, wanted: str | None, by: str, account: int = -1) -> list[str]:
    """Returns the faults that a device was led out of; `wanted`: of this one only; `by` whom, for the record.

    Raises FeltError for a device that is not there, has no such fault, cannot be reached, or does not leave it.
    """
    if (device := service.fleet.devices.get(name)) is None:
        known = ", ".join(service.fleet.devices)
        raise FeltError("device.unknown", f"there is no device {name!r}", f"Known are {known}.")
    reported = [code for code in service.engine.table.faults.get(name, {}) if code not in (LOST, TAMPERED)]
    if not (codes := [code for code in reported if wanted in (None, code)]):
        cause = f"{name} reports no fault {wanted}" if wanted else f"{name} reports no fault"
        raise FeltError("device.no-fault", cause, "Look: `felt status`.")
    for code in codes:
        try:
            reply = await device.driver.clear_fault(code)
        except LinkError as error:
            raise FeltError(error.code, f"{name}: {error.cause}", "Look: `felt devices`.") from None
        if not reply.ok:
            cause = f"{name} does not leave {code}: {reply.detail or 'it gives no reason'}"
            raise FeltError("device.fault-lasts", cause, "Put it right at the device itself; see `felt status`.")
        log.info("device.reset", device=name, code=code, account=account, by=by)
        service.fleet.note(name, f"reset from {code} ({by})", account)
    return codes
