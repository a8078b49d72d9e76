"""Bytes to messages and back: transports, frames, the reliable link to a device."""

from firmware_bridge import codes

__all__ = ["codes"]
