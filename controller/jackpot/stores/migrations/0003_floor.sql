-- Who takes part, as a floor sees it: when a table was heard last, and what its sign announces about the Jackpot.

ALTER TABLE jackpot_tables ADD COLUMN seen bigint NOT NULL DEFAULT 0;
ALTER TABLE jackpot_tables ADD COLUMN notices text NOT NULL DEFAULT '{}';

-- What holds for the whole store: a row `test-database` makes it one that simulated tables may use.
CREATE TABLE jackpot_settings (name text PRIMARY KEY, value text NOT NULL);
