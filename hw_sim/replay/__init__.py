"""Captures of real devices, played back by a simulated one."""
