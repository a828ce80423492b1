-- The transaction's first SELECT: it takes the snapshot, and its clock is dataAsOf (not BEGIN's: rows inserted between
-- BEGIN and here are visible and dated later).
-- A standby that receives WAL and has replayed all of it is not behind, however long ago the last commit was. Every role may
-- see whether there is a WAL receiver; one is shown only while it streams. Without one the lag is unknown. While there is
-- something to replay, the time of the last replayed commit gives the largest possible lag.
SELECT round(extract(epoch FROM date_trunc('milliseconds', statement_timestamp())) * 1000)::float8 AS "asOfMs",
       current_setting('server_version') AS "serverVersion",
       current_setting('server_encoding') AS encoding,
       current_user AS role,
       pg_is_in_recovery() AS standby,
       CASE WHEN NOT pg_is_in_recovery() OR NOT EXISTS (SELECT FROM pg_catalog.pg_stat_wal_receiver) THEN NULL
            WHEN pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn() THEN 0
            ELSE extract(epoch FROM statement_timestamp() - pg_last_xact_replay_timestamp()) * 1000
       END::float8 AS "replayLagMs"
 WHERE :trace
