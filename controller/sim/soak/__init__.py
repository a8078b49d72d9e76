"""A whole table in one process on a seeded scheduler with virtual time: days of it, with faults, and what must hold."""
