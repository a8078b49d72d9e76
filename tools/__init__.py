"""What keeps the repository in order; nothing here runs at a table."""
