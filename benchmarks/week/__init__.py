"""A week of a floor of eight simulated tables: what was planted, what was found, and whether the money adds up."""
