"""The side tables of a generated trace."""

from __future__ import annotations

import numpy as np

from benchmarks.traces.model import COMMIT, MS, ORIGIN, RESTART, ROUND, STOP
from benchmarks.traces.plan import Plan
from tck.check.columns import (
    AUTO,
    BRANCHES,
    CONSUMERS,
    ENDPOINTS,
    MATCHES,
    NEVER,
    NONE,
    RESTARTS,
    SESSIONS,
    STOPS,
    TRANSACTED,
    Array,
    End,
    Kind,
    Op,
    Table,
)
from tck.check.tables import Tables


def tables_of(plan: Plan, rows: Table) -> Tables:
    """Make the side tables for the rows of a plan."""
    generations = np.arange(plan.generations)
    begins = generations * plan.shape.restart_every * ROUND
    ends = np.minimum((generations + 1) * plan.shape.restart_every, plan.shape.rounds) * ROUND
    return Tables(
        endpoints=_endpoints(plan, begins, ends),
        consumers=_consumers(plan, begins, ends),
        sessions=_sessions(plan, rows),
        restarts=Table.of(RESTARTS, {"t0": ends[:-1] - ROUND + RESTART, "t1": ends[:-1] - ROUND + RESTART + 5 * MS}),
        stops=_stops(plan),
        branches=_branches(plan, rows),
        matches=Table.of(MATCHES, {"selector": np.zeros(3), "klass": np.arange(3), "answer": [1, 1, 0]}),
        origin=ORIGIN,
    )


def _endpoints(plan: Plan, begins: Array, ends: Array) -> Table:
    endpoints, size = plan.endpoints, len(begins) * len(plan.endpoints)
    generation, number = np.arange(size) // len(endpoints), np.arange(size) % len(endpoints)
    of = {
        name: np.array([getattr(endpoint, name) for endpoint in endpoints])[number]
        for name in ("dest", "kind", "shared", "selector")
    }
    lasting = np.array([endpoint.kind != Kind.NONDURABLE and not endpoint.temporary for endpoint in endpoints])[number]
    temporary = np.array([endpoint.temporary for endpoint in endpoints])[number]
    local = np.array([plan.local(endpoint) if endpoint.nolocal else NONE for endpoint in endpoints])[number]
    lane = np.array([len(plan.producers) + 2 * place for place in range(len(endpoints))])[number]
    last = ends[-1]
    fell = ends[generation] - ROUND + RESTART
    gone = ~lasting & (generation < len(begins) - 1)
    of["dest"] = np.where(lasting & (generation > 0), NONE, plan.dest(of["dest"], generation))
    return Table.of(
        ENDPOINTS,
        {
            **of,
            "nolocal": np.where(local >= 0, plan.lane(generation, local), NONE),
            "owner": np.where(temporary, plan.lane(generation, lane), NONE),
            "drained": np.where(lasting, last, fell - MS),
            "waited": np.where(lasting, last, fell - MS) + 10 * ROUND,
            "open0": np.where(of["kind"] == Kind.QUEUE, -(2**62), np.where(lasting, 0, begins[generation]) - 2 * MS),
            "open1": np.where(of["kind"] == Kind.QUEUE, -(2**62), np.where(lasting, 0, begins[generation]) - MS),
            "gone0": np.where(gone, fell, NEVER),
            "gone1": np.where(gone, fell + 5 * MS, NEVER),
        },
    )


def _consumers(plan: Plan, begins: Array, ends: Array) -> Table:
    each = 2 * len(plan.endpoints)
    number = np.arange(len(begins) * each)
    generation, place = number // each, number % each
    endpoint = place // 2
    dead = generation < len(begins) - 1
    used = np.array([each % 2 < plan.endpoints[each // 2].consumers for each in range(each)])[place]
    fell = ends[generation] - ROUND + RESTART
    end = np.empty(len(number), np.int64)
    for which in range(len(plan.endpoints)):
        mine = endpoint == which
        end[mine] = plan.end(which, generation[mine])
    return Table.of(
        CONSUMERS,
        {
            "end": np.where(used, end, NONE),
            "session": plan.lane(generation, len(plan.producers) + place),
            "selector": np.full(len(number), NONE),
            "open0": begins[generation] - MS,
            "gone0": np.where(dead, fell, NEVER),
            "gone1": np.where(dead, fell + 5 * MS, NEVER),
        },
    )


def _sessions(plan: Plan, rows: Table) -> Table:
    size = plan.generations * plan.lanes
    mode = np.full(size, NONE)
    lane = np.arange(size) % plan.lanes
    for place, (_, variant) in enumerate(plan.producers):
        mode[lane == place] = TRANSACTED if variant.tx or variant.branch else AUTO
    for number, endpoint in enumerate(plan.endpoints):
        for consumer in range(2):
            mode[lane == len(plan.producers) + 2 * number + consumer] = endpoint.mode
    ack0, ack1 = np.full(size, NEVER), np.full(size, -(2**62))
    acks = rows.take(np.flatnonzero(rows.op == Op.ACK))
    np.minimum.at(ack0, acks.session, acks.t0)
    np.maximum.at(ack1, acks.session, acks.t1)
    return Table.of(SESSIONS, {"conn": np.arange(size), "mode": mode, "ack0": ack0, "ack1": ack1})


def _stops(plan: Plan) -> Table:
    rounds = np.arange(plan.shape.rounds)
    lane = plan.lane(plan.generation(rounds), len(plan.producers))
    return Table.of(
        STOPS,
        {
            "conn": lane,
            "t0": rounds * ROUND + STOP,
            "t1": rounds * ROUND + STOP + 20 * MS,
            "session": lane,
            "seq": np.full(len(rounds), NONE),
        },
    )


def _branches(plan: Plan, rows: Table) -> Table:
    sends = rows.take(np.flatnonzero((rows.op == Op.SEND) & (rows.unit >= plan.generations * plan.lanes << 32)))
    unit, first = np.unique(sends.unit, return_index=True)
    number = (unit >> 32) - plan.generations * plan.lanes
    round_, producer = number // len(plan.producers), number % len(plan.producers)
    undone = (round_ + producer) % 97 % 7 == 3
    t0 = sends.t0[first] // ROUND * ROUND
    return Table.of(
        BRANCHES,
        {
            "unit": unit,
            "prepared": producer % 2 == 0,
            "p1": t0 + COMMIT - MS,
            "kind": np.where(undone, End.UNDONE, End.DONE),
            "s0": t0 + COMMIT,
            "s1": t0 + COMMIT + MS,
        },
    )
