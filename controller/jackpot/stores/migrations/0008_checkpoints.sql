-- Checkpoints of the journals of all tables that share this store: lines are only added, never changed or deleted.

CREATE TABLE journal_logs (
    origin text PRIMARY KEY,  -- the name of the journal
    last bigint NOT NULL  -- the number of the newest line
);

CREATE TABLE journal_checkpoints (
    origin text NOT NULL REFERENCES journal_logs,
    number bigint NOT NULL,
    size bigint NOT NULL,  -- how many records the journal had
    root text NOT NULL,  -- of the tree over them, in hexadecimal digits
    note text NOT NULL,  -- the checkpoint as it was signed
    anew text NOT NULL,  -- who decided that the journal goes on from less, or from something else; '' for all others
    recorded_at bigint NOT NULL,  -- microseconds since 1970
    PRIMARY KEY (origin, number)
);
