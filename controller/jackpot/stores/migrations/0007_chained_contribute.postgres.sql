-- The everyday case as before, chained, and only for the daemon that holds the lease of its table.  What is hashed of the
-- movements is put together before the meter is locked; under the lock come one look at the newest entry and one hash.

DROP PROCEDURE jackpot_contribute(text, text, bigint, bigint[], text[], bigint, boolean, text);

CREATE PROCEDURE jackpot_contribute(
    of_meter text, of_table text, of_holder text, first_number bigint, rounds bigint[], wagers text[], tick bigint,
    loud boolean,
    INOUT answer text  -- the row of the meter and the hash of the entry as JSON; NULL when it is not the everyday case
) LANGUAGE plpgsql AS $$
DECLARE
    n bigint := cardinality(wagers);
    m jackpot_meters;
    lines text;
    stamp bigint;
    link text;
BEGIN
    UPDATE jackpot_tables AS t SET last = t.last + n
        WHERE t.meter = of_meter AND t.table_name = of_table AND t.last = first_number - 1 AND t.present
            AND t.holder = of_holder;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO jackpot_movements
        SELECT of_meter, of_table, first_number + w.i - 1, w.round, 'contribution', w.wager, tick, '[]', tick, 0,
            NULL, false, NULL, true
        FROM unnest(rounds, wagers) WITH ORDINALITY AS w (round, wager, i);
    SELECT encode(sha256(convert_to(string_agg(
            concat(first_number + w.i - 1, ' ', w.round, ' contribution ', tick, ' ', tick, ' 0 0 ',
                length(w.wager), ':', w.wager, E'\n[]\n\n\n'), '' ORDER BY w.i), 'UTF8')), 'hex') INTO lines
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
    stamp := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
    INSERT INTO jackpot_entries VALUES (
        of_meter, m.recorded - n + 1, of_table, first_number, n, stamp, m.value, false,
        encode(sha256(convert_to(concat(
            coalesce(
                (SELECT e.hash FROM jackpot_entries AS e WHERE e.meter = of_meter ORDER BY e.seq DESC LIMIT 1),
                encode(sha256(convert_to(concat(
                    E'feltd.ledger/1\n', length(m.meter), ':', m.meter, ' ', m.startup, ' ',
                    coalesce(m.ceiling::text, '-'), ' ', m.spare, E'\n', m.first_terms, E'\n'), 'UTF8')), 'hex')),
            ' ', m.recorded - n + 1, ' ', first_number, ' ', n, ' ', stamp, ' ', m.value, ' 0 ',
            length(of_table), ':', of_table, E'\n', lines, E'\n'), 'UTF8')), 'hex')
    ) RETURNING hash INTO link;
    IF loud THEN
        PERFORM pg_notify('felt_jackpot', of_meter);
    END IF;
    COMMIT;
    PERFORM pg_logical_emit_message(true, 'felt_jackpot', '');  -- something to be made durable, after the round
    answer := left(row_to_json(m)::text, -1) || ',"hash":"' || link || '"}';
END
$$;
