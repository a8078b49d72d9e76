-- Which journal tells for a table: two tables that were given one name would count as each other.

ALTER TABLE jackpot_tables ADD COLUMN teller text NOT NULL DEFAULT '';
