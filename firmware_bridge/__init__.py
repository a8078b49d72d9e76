"""Bytes to messages and back: transports, frames, the reliable link to a device."""
