"""Tables on simulated devices: `sim://` addresses, a floor of them, and dealers who deal by themselves."""

from controller.sim import codes

__all__ = ["codes"]
