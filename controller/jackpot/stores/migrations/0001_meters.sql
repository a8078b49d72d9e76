-- What both stores keep.  Money in ten-thousandths of a dollar; words of the rules (terms, awards, notes) as JSON.

CREATE TABLE jackpot_meters (
    meter text PRIMARY KEY,
    terms text NOT NULL,
    first_terms text NOT NULL,
    value bigint NOT NULL CHECK (value >= 0),
    startup bigint NOT NULL,
    ceiling bigint,
    spare bigint NOT NULL,
    reserve bigint NOT NULL CHECK (reserve >= 0),
    cap bigint NOT NULL,
    wagers bigint NOT NULL CHECK (wagers >= 0),
    contributions bigint NOT NULL,
    reversals bigint NOT NULL,
    overflow bigint NOT NULL,
    hits bigint NOT NULL CHECK (hits >= 0),
    wins bigint NOT NULL,
    house bigint NOT NULL,
    adjustments bigint NOT NULL,
    transfers bigint NOT NULL,
    recorded bigint NOT NULL,
    closed boolean NOT NULL,
    CONSTRAINT meter_equation CHECK (
        value = startup + contributions - reversals - overflow - wins + house + adjustments + transfers
    ),
    CONSTRAINT reserve_equation CHECK (reserve = spare + overflow)
);

CREATE TABLE jackpot_tables (
    meter text NOT NULL REFERENCES jackpot_meters,
    table_name text NOT NULL,
    described text NOT NULL,
    present boolean NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (meter, table_name)
);

-- What each table told and each person did, and what that did to the meter.  Never changed and never deleted, but for
-- `standing`: false once a wager or an outcome was taken back.
CREATE TABLE jackpot_movements (
    meter text NOT NULL,
    table_name text NOT NULL,
    number bigint NOT NULL,
    round bigint NOT NULL,
    kind text NOT NULL,
    wager text NOT NULL,
    ticks bigint NOT NULL,
    flushes text NOT NULL,
    moved bigint NOT NULL,
    overflow bigint NOT NULL,
    award text,
    repeated boolean NOT NULL,
    note text,
    standing boolean NOT NULL,
    PRIMARY KEY (meter, table_name, number)
);

CREATE UNIQUE INDEX jackpot_standing ON jackpot_movements (meter, table_name, round, wager, kind) WHERE standing;

-- What was recorded together, in the order of the commits.  Movements are written before the meter is locked, and this
-- after it: so the tables wait for each other as little as can be.
CREATE TABLE jackpot_entries (
    meter text NOT NULL,
    seq bigint NOT NULL,  -- of the first of these movements, counted over all of the meter
    table_name text NOT NULL,
    first_number bigint NOT NULL,
    size bigint NOT NULL,
    recorded_at bigint NOT NULL,  -- microseconds since 1970
    holds bigint NOT NULL,  -- what the meter held after the last of them
    awarded boolean NOT NULL,
    PRIMARY KEY (meter, seq)
);

CREATE INDEX jackpot_awarded ON jackpot_entries (meter, seq) WHERE awarded;
