"""Facts and the round: what a table is, without any I/O."""
