"""Simulated devices, wires, faults, whole tables and the scripts that play them."""
