-- Logbooks: what happened one line after the other, told by many and in one order for all; the record of a tournament is
-- what its lines come to.  Lines are never changed and never deleted.

CREATE TABLE logbooks (
    logbook text PRIMARY KEY,
    head text NOT NULL,  -- what it begins with, as JSON
    opened_at bigint NOT NULL,  -- microseconds since 1970
    last bigint NOT NULL  -- the number of the newest line
);

CREATE TABLE logbook_lines (
    logbook text NOT NULL REFERENCES logbooks,
    seq bigint NOT NULL,
    name text NOT NULL,  -- given by who told it: the same name twice is the same line
    recorded_at bigint NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (logbook, seq)
);

CREATE UNIQUE INDEX logbook_names ON logbook_lines (logbook, name);
