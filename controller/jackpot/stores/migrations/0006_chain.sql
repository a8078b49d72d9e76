-- The chain of each meter's ledger: what an entry hashes to, together with the one before it (controller/jackpot/chain.py).
-- Entries that are there already are chained by the program right after this, in the same transaction.

ALTER TABLE jackpot_entries ADD COLUMN hash text NOT NULL DEFAULT '';

-- Signed notes on how many entries a ledger had and what they hash to; never changed and never deleted.
CREATE TABLE jackpot_checkpoints (
    meter text NOT NULL,
    size bigint NOT NULL,  -- entries
    table_name text NOT NULL,  -- whose daemon signed it
    made_at bigint NOT NULL,  -- microseconds since 1970
    note text NOT NULL,
    PRIMARY KEY (meter, size, table_name)
);

-- The lease of a table: which running daemon speaks for it, and which other one wanted to meanwhile.
ALTER TABLE jackpot_tables ADD COLUMN holder text NOT NULL DEFAULT '';
ALTER TABLE jackpot_tables ADD COLUMN renewed bigint NOT NULL DEFAULT 0;
ALTER TABLE jackpot_tables ADD COLUMN contender text NOT NULL DEFAULT '';
ALTER TABLE jackpot_tables ADD COLUMN contended bigint NOT NULL DEFAULT 0;  -- `renewed` as the contender found it first
ALTER TABLE jackpot_tables ADD COLUMN contender_seen bigint NOT NULL DEFAULT 0;
