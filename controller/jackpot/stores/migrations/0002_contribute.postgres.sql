-- The everyday case in one round trip: new wagers of one table, all below the ceiling.  Whatever is not the everyday case
-- is left to the client, which takes the long way.
--
-- Every table waits for the same row, so nobody holds it while waiting for a client or for the disk: the round commits
-- without waiting, and an empty transaction after it waits, often for several rounds at once.  The client is answered
-- only then.  The log is written in the order of the commits: no round is ever durable without those it was built on.

ALTER TABLE jackpot_meters SET (fillfactor = 10);  -- room for new versions of a row on its own page
ALTER TABLE jackpot_tables SET (fillfactor = 50);

CREATE PROCEDURE jackpot_contribute(
    of_meter text, of_table text, first_number bigint, rounds bigint[], wagers text[], tick bigint, loud boolean,
    INOUT answer text  -- the row of the meter as JSON; NULL when it is not the everyday case, and nothing was done
) LANGUAGE plpgsql AS $$
DECLARE
    n bigint := cardinality(wagers);
    m jackpot_meters;
BEGIN
    UPDATE jackpot_tables AS t SET last = t.last + n
        WHERE t.meter = of_meter AND t.table_name = of_table AND t.last = first_number - 1 AND t.present;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO jackpot_movements
        SELECT of_meter, of_table, first_number + w.i - 1, w.round, 'contribution', w.wager, tick, '[]', tick, 0,
            NULL, false, NULL, true
        FROM unnest(rounds, wagers) WITH ORDINALITY AS w (round, wager, i);
    SET LOCAL synchronous_commit = off;  -- until the COMMIT below
    UPDATE jackpot_meters AS x
        SET value = x.value + n * tick, contributions = x.contributions + n * tick,
            wagers = x.wagers + n, recorded = x.recorded + n
        WHERE x.meter = of_meter AND x.cap >= tick AND (x.ceiling IS NULL OR x.value + n * tick <= x.ceiling)
        RETURNING x.* INTO m;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'not an everyday contribution' USING ERRCODE = 'FE001';
    END IF;
    INSERT INTO jackpot_entries VALUES (
        of_meter, m.recorded - n + 1, of_table, first_number, n,
        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, m.value, false
    );
    IF loud THEN
        PERFORM pg_notify('felt_jackpot', of_meter);
    END IF;
    COMMIT;
    PERFORM pg_logical_emit_message(true, 'felt_jackpot', '');  -- something to be made durable, after the round
    answer := row_to_json(m);
END
$$;
