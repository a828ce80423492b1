-- The transaction's first SELECT: it takes the snapshot, and its clock is dataAsOf (not BEGIN's: rows inserted between
-- BEGIN and here are visible and dated later).
SELECT round(extract(epoch FROM date_trunc('milliseconds', statement_timestamp())) * 1000)::float8 AS as_of_ms,
       current_setting('server_version') AS server_version,
       current_setting('server_encoding') AS server_encoding,
       current_user AS role,
       pg_is_in_recovery() AS standby,
       extract(epoch FROM statement_timestamp() - pg_last_xact_replay_timestamp())::float8 * 1000 AS replay_lag_ms
