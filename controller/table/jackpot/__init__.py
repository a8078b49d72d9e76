"""The prize meter of a table: its system, what it is told, and what it says."""
