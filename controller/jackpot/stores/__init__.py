"""Where prize meters are kept: in a file beside the journal, or in a PostgreSQL that a floor of tables shares."""
