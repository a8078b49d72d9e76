"""Simulated devices, wires, faults, and whole tables of them."""

from __future__ import annotations

from hw_sim import codes

__all__ = ["codes"]
