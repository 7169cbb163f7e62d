"""The peer of the pipeline: seventeen of the trace properties as one query of DuckDB.

Each omits the property's finer points (margins of other properties, muddled copies, branches, fences), so the query does less
than the kit under the same name. It reads the same Parquet files. One pass computes the shared parts: the end of each
unit, the send of each delivery, the previous delivery.
"""

from __future__ import annotations

from typing import Final

PROPERTIES: Final = (
    "timestamp-within-send",
    "expiration-computed",
    "delivery-time-computed",
    "listener-serial",
    "order-per-stream",
    "no-invention",
    "right-destination",
    "no-corruption",
    "headers-as-sent",
    "repeat-is-flagged",
    "count-rises",
    "settled-stays-settled",
    "one-holder",
    "not-after-expiry",
    "uncommitted-invisible",
    "no-loss-persistent",
    "message-id-unique",
)
"""The properties that the query judges, in the order of its columns."""

QUERY: Final = """
with ops as materialized (
    select session, seq, op, out, consumer, "end", dest, unit, auto, prio, mode, ttl, delay, red, count,
           t0, t1, msg, digest, head, jms, stamp, expires, due
    from read_parquet('{ops}')
), settle as (
    select unit, min_by(op, seq) op, min_by(out, seq) out, min_by(t0, seq) s0, min_by(t1, seq) s1
    from ops where op in (2, 3, 4, 5, 6, 7) and unit >= 0 and consumer = -1 group by unit
), sessions as (
    select (row_number() over ()) - 1 session, mode from read_parquet('{tables}/sessions.parquet')
), endpoints as (
    select (row_number() over ()) - 1 "end", dest, kind, drained, shared from read_parquet('{tables}/endpoints.parquet')
), sends as (
    select o.*, s.op s_op, s.out s_out, coalesce(s.s0, 4611686018427387904) s0, coalesce(s.s1, 4611686018427387904) s1,
           m.mode = 0 tx
    from ops o left join settle s using (unit) join sessions m using (session) where o.op = 0
), send_level as (
    select count(*) filter (where out = 0 and not auto and stamp > 0
               and not (stamp * 1000000 - {origin} + 2000000 > t0 and stamp * 1000000 - {origin} <= t1 + 1000000)) p0,
           count(*) filter (where out = 0 and (not auto or stamp > 0) and
               (case when ttl = 0 then expires <> 0 else expires <> stamp + ttl end)) p1,
           count(*) filter (where out = 0 and (not auto or stamp > 0) and due <> stamp + delay) p2,
           count(*) filter (where jms <> 0 and out = 0) - count(distinct jms) filter (where jms <> 0 and out = 0) p16
    from sends
), lane as (
    select count(*) filter (where t1 > t0 and busy > t0) p3, count(*) filter (where not red and ahead > msg) p4
    from (
        select t0, t1, red, msg,
               max(case when t1 > t0 then t1 end) over (partition by session order by t0, seq
                   rows between unbounded preceding and 1 preceding) busy,
               max(case when not red then msg end) over (partition by consumer, "end", msg >> 32, mode, delay, prio order by t0, seq
                   rows between unbounded preceding and 1 preceding) ahead
        from ops where op = 1
    )
), deliveries as (
    select d.*, s.op s_op, s.out s_out, coalesce(s.s0, 4611686018427387904) s0, coalesce(s.s1, 4611686018427387904) s1
    from ops d left join settle s using (unit) where d.op = 1
), ordered as (
    select *,
           lag(t0) over copy p_t0, lag(count) over copy p_count, lag(consumer) over copy p_consumer,
           lag(session) over copy p_session,
           lag(case when auto then out = 0 else s_op in (2, 3) and s_out = 0 end) over copy p_done,
           lag(case when auto then t1 else s0 end) over copy p_s0, lag(case when auto then t1 else s1 end) over copy p_s1
    from deliveries window copy as (partition by msg, "end" order by t0, session, seq)
), delivery_level as (
    select count(*) filter (where s.msg is null) p5,
           count(*) filter (where e.dest <> s.dest or d.dest <> s.dest) p6,
           count(*) filter (where d.digest <> 0 and d.digest <> s.digest) p7,
           count(*) filter (where d.head <> 0 and d.head <> s.head) p8,
           count(*) filter (where d.p_t0 is not null and not d.red) p9,
           count(*) filter (where d.count < case when d.session = d.p_session then d.p_count + 1 when d.p_t0 is not null then 2 end) p10,
           count(*) filter (where d.p_done and d.t0 > d.p_s1) p11,
           count(*) filter (where (e.kind = 0 or e.shared) and d.t0 < d.p_s0 and d.consumer <> d.p_consumer) p12,
           count(*) filter (where s.ttl > 0 and d.p_t0 is null and d.t0 > s.t1 + (s.ttl + 2000) * 1000000::bigint) p13,
           count(*) filter (where s.tx and s.s_op is not null and d.t0 < s.s0) p14
    from ordered d left join sends s on d.msg = s.msg left join endpoints e on d."end" = e."end"
), copies as (
    select count(*) filter (where d.msg is null) p15
    from (
        select s.msg, e."end" from sends s join endpoints e on s.dest = e.dest
        where s.out = 0 and s.mode = 2 and s.ttl = 0 and e.kind = 0 and greatest(s.t1, case when s.tx then s.s1 else 0 end) < e.drained
          and (not s.tx or (s.s_op = 3 and s.s_out = 0))
    ) owed left join (select distinct msg, "end" from deliveries) d on owed.msg = d.msg and owed."end" = d."end"
)
select p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16
from send_level, lane, delivery_level, copies
"""
"""Counts of violations, in the order of `PROPERTIES`; {ops}, {tables} and {origin} are the paths and the start of the run."""

HISTORY: Final = {
    "matrix": """
        select {series}, version, assertion, last, count(distinct run) runs, min((worst, verdict)) worst,
               count(*) cases, sum((failed > 0)::int) failed, sum((held > 0 and failed = 0)::int) held
        from (
            select *, first_value({{'at': "at", 'run': run, 'kit': kit}}) over
                (partition by {series}, version, assertion order by "at" desc, run desc) as last
            from (
                select {series}, version, assertion, "case", max("at") as "at",
                       unnest(max_by({{'run': run, 'kit': kit, 'verdict': verdict, 'worst': worst, 'failed': failed,
                                      'held': held}}, ("at", run)))
                from {outcome} group by {series}, version, assertion, "case"
            )
        ) where kit = last.kit group by all""",
    "transition": """
        select * from (
            select {series}, assertion, "case", run, version, verdict, "at",
                   lag({{'run': run, 'version': version, 'verdict': verdict}}) over
                       (partition by {series}, assertion, "case" order by "at", run) as before
            from {outcome}
        ) where before.verdict <> verdict""",
    "flaky": """
        select {series}, version, kit, assertion, "case", count(*) runs, sum(failed) failed, sum(held) held, sum(flip) flips
        from (
            select *, ((failed > 0) <> lag(failed > 0) over
                (partition by {series}, version, kit, assertion, "case" order by "at", run))::int flip
            from {outcome} where failed > 0 or held > 0
        ) group by all having sum(failed) > 0 and sum(held) > 0""",
    "regression": """
        select * from (
            select *, lag({{'version': version, 'last': last}}) over
                (partition by {series}, assertion order by since, version) as before
            from (
                select {series}, version, assertion, count(*) runs, sum((failed > 0)::int) failed_runs, min("at") since,
                       max_by((failed > 0)::int, ("at", run)) last
                from {standing} where failed > 0 or held > 0 group by all
            )
        ) where before.last = 0 and failed_runs = runs""",
    "latency": """
        select provider, version, assertion, max(total) as count,
               min(case when so_far >= total * 0.5 then bucket end) p50,
               min(case when so_far >= total * 0.95 then bucket end) p95,
               min(case when so_far >= total * 0.99 then bucket end) p99
        from (
            select *, sum(n) over (partition by provider, version, assertion order by bucket) so_far,
                   sum(n) over (partition by provider, version, assertion) total
            from (select provider, version, assertion, bucket, sum("count") n from {latency} group by all)
        ) group by all""",
}
"""The same tables as `tck.reports.pipeline.spark.history_tables` derives, over the same files; placeholders as in `SOURCES`."""

SOURCES: Final = {
    "outcome": "read_parquet('{store}/outcome/*/part-0.parquet', hive_partitioning = true)",
    "standing": "read_parquet('{store}/standing/*/part-0.parquet', hive_partitioning = true)",
    "latency": "read_parquet('{store}/latency/*/part-0.parquet')",
    "series": "provider, profile, tier",
}
"""The values of the placeholders; {store} is the folder of the store."""
