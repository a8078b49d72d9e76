"""Game protection: what does not add up at a table, found in data that the table has already.

A detector reads a table whose step is over and says what it finds, as plain data.  It rules nothing, asks nobody, and
does no I/O; a person looks at it.  Which cards may be named is decided in `controller.views`.
"""
