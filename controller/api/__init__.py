"""One local HTTP API: how people and tools see the table."""
