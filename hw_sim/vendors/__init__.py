"""Simulated devices that speak vendors' bytes: the same models as everywhere, behind other protocol adapters."""
