"""The chips of a poker table: stacks, pots, commission, fees, side wagers, bonus prizes and the end of a hand."""
