"""Simulated devices, wires, faults, and whole tables of them."""
