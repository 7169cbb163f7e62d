"""Small random traces, mostly nonsense: the columns answer what a naive reading of each property answers."""

from collections import Counter
from random import Random

import pytest
from check_naively import judge_naively
from check_world import SETTLING, World
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.traces import Shape, generate
from benchmarks.traces.anomalies import ANOMALIES
from benchmarks.traces.editor import Editor
from tck.check.columns import (
    ALWAYS,
    AUTO,
    BRANCHES,
    CLIENT,
    CONSUMERS,
    DUPS_OK,
    ENDPOINTS,
    FENCES,
    MATCHES,
    NEVER,
    NONE,
    OPERATIONS,
    PERSISTENT,
    RESTARTS,
    SESSIONS,
    STOPS,
    TRANSACTED,
    UNSURE,
    End,
    Op,
    Out,
    Table,
)
from tck.check.properties import PROPERTIES
from tck.check.results import Margins
from tck.check.stages import judge
from tck.check.tables import Tables

MS = 1_000_000
MARGINS = Margins(tolerance=1, expiry=200, expiry_narrow=50, steady=50, lag=30, redelivery=100, deliveries=3)
SESSION_COUNT, CONN_COUNT, CONSUMER_COUNT, END_COUNT, DEST_COUNT = 3, 3, 3, 3, 2


def random_row(seed: int) -> dict[str, int]:
    """A row of any sort; equal seeds give equal rows, so that a failing trace can be shrunk row by row."""
    draw = Random(seed)  # noqa: S311 - test data
    some, pick = draw.randint, draw.choice
    op = pick(
        [*[Op.SEND] * 5, *[Op.DELIVER] * 9, *[Op.COMMIT, Op.ACK, Op.RECOVER, Op.CRASH, Op.COMPLETE] * 2, *Op.names()]
    )
    session = some(0, SESSION_COUNT - 1)
    t0 = some(0, 12) * 50 * MS + pick([0, 0, MS])
    length = pick([0, 0, MS, 60 * MS, 160 * MS, None])
    about_messages = op in (Op.SEND, Op.DELIVER, Op.BROWSE, Op.COMPLETE)
    settling = op in (Op.CLOSE, Op.CRASH, Op.ACK, Op.COMMIT, Op.ROLLBACK, Op.RECOVER)
    consumer = some(-1, CONSUMER_COUNT - 1) if op in (Op.DELIVER, Op.CLOSE) else NONE
    units = [NONE, session << 32, session << 32, session << 32 | 1, session << 32 | 2, 9 << 32]
    return {
        "session": session,
        "host": pick([0, 0, 0, 0, 1]),
        "conn": some(0, CONN_COUNT - 1),
        "consumer": consumer,
        "op": op,
        "out": pick([0, 0, 0, 0, 1, 2]),
        "t0": t0,
        "t1": NEVER if length is None else t0 + length,
        "msg": some(0, 1) << 32 | some(0, 1) if about_messages else NONE,
        "end": pick([NONE, *range(END_COUNT), *range(END_COUNT)])
        if op in (Op.DELIVER, Op.BROWSE, Op.SUBSCRIBE)
        else NONE,
        "dest": some(NONE, DEST_COUNT - 1),
        "unit": pick(units) if about_messages or settling else NONE,
        "auto": pick([True, False, False, False] if op == Op.SEND else [True, False]),
        "prio": pick([3, 4, 6]),
        "mode": pick([1, 2, 2, 2]),
        "ttl": pick([0, 0, 0, 50, NONE]),
        "delay": pick([0, 0, 0, 100, NONE]),
        "klass": some(0, 1),
        "red": pick([True, False]),
        "count": pick([NONE, 0, 1, 1, 1, 2, 3]),
        "digest": some(0, 2),
        "head": some(0, 2),
        "jms": some(0, 3),
        "stamp": pick([NONE, 0, 100, 150, 300]),
        "expires": pick([NONE, 0, 150, 200]),
        "due": pick([NONE, 0, 100, 200]),
    }


def random_tables(seed: int) -> Tables:
    """Side tables of any sort."""
    draw = Random(seed)  # noqa: S311 - test data
    some, pick = draw.randint, draw.choice

    def times(*more):
        return pick([*(number * 50 * MS for number in range(13)), *more])

    def life():
        open0, open1 = sorted((times(*[ALWAYS] * 30), times(*[ALWAYS] * 30)))
        gone0, gone1 = sorted((times(*[NEVER] * 12), times(*[NEVER] * 12)))
        return {"open0": open0, "open1": open1, "gone0": max(open1, gone0), "gone1": max(open1, gone1)}

    def span(last=NEVER):
        t0, t1 = sorted((times(), times(last)))
        return t0, t1

    endpoints = [
        {
            "dest": number % DEST_COUNT,
            "kind": some(0, 2),
            "shared": pick([True, False]),
            "selector": pick([NONE, NONE, NONE, 0, 1]),
            "nolocal": pick([NONE, NONE, NONE, 0, 1, UNSURE]),
            "owner": pick([NONE, NONE, 0, 1]),
            "drained": times(ALWAYS, *[2000 * MS] * 12),
            "waited": times(ALWAYS, *[2000 * MS] * 12),
            "blind": pick([ALWAYS, ALWAYS, 100 * MS]),
            **life(),
        }
        for number in range(END_COUNT)
    ]
    consumers = []
    for _ in range(CONSUMER_COUNT):
        lived = life()
        del lived["open1"]
        consumers.append(
            {
                "end": some(0, END_COUNT - 1),
                "session": some(NONE, SESSION_COUNT - 1),
                "selector": some(NONE, 1),
                **lived,
            }
        )
    sessions = []
    for _ in range(SESSION_COUNT):
        ack0, ack1 = pick([span(600 * MS), (0, 600 * MS), (NEVER, ALWAYS)])
        sessions.append(
            {"conn": 0, "mode": pick([NONE, TRANSACTED, AUTO, CLIENT, CLIENT, DUPS_OK]), "ack0": ack0, "ack1": ack1}
        )
    s0, s1 = span()
    kind = pick([End.OPEN, End.DONE, End.UNDONE, End.DOUBT])
    fences = {}
    for _ in range(some(0, 5)):
        key = (some(0, END_COUNT - 1), some(0, 1), some(1, 2), 0, pick([3, 4, 6]))
        fences[key] = dict(zip(("end", "stream", "mode", "delay", "prio"), key, strict=True)) | {
            "pos": some(0, 3),
            "since": times(ALWAYS, ALWAYS),
            "selector": some(NONE, 0),
        }
    stops = {}
    for _ in range(some(0, 3)):
        stopped, started = span()
        stops[some(0, CONN_COUNT - 1), stopped] = started
    answers = {(selector, klass): some(0, 1) for selector in (0, 1) for klass in (0, 1) if some(0, 3)}
    fallen = sorted({some(0, 12) for _ in range(some(0, 2))})  # restarts do not overlap
    return Tables(
        endpoints=Table.from_rows(ENDPOINTS, endpoints),
        consumers=Table.from_rows(CONSUMERS, consumers),
        sessions=Table.from_rows(SESSIONS, sessions),
        restarts=Table.from_rows(RESTARTS, [{"t0": each * 50 * MS + 1, "t1": each * 50 * MS + 2} for each in fallen]),
        stops=Table.from_rows(STOPS, [{"conn": conn, "t0": t0, "t1": t1} for (conn, t0), t1 in stops.items()]),
        branches=Table.from_rows(
            BRANCHES, [{"unit": 9 << 32, "prepared": pick([True, True, False]), "kind": kind, "s0": s0, "s1": s1}]
        ),
        matches=Table.from_rows(
            MATCHES, [{"selector": each[0], "klass": each[1], "answer": answer} for each, answer in answers.items()]
        ),
        fences=Table.from_rows(FENCES, fences.values()),
    )


def random_trace(tables_seed: int, row_seeds: list[int]) -> tuple[Table, Tables]:
    """A trace: a message is sent once, and the rows are numbered. Every other one runs in order and makes some sense."""
    tables = random_tables(tables_seed)
    sent: set[int] = set()
    epochs: Counter[int] = Counter()
    kept = []
    for number, seed in enumerate(row_seeds):
        row = random_row(seed) | {"seq": number}
        if tables_seed % 2:
            _make_sense(row, epochs, tables)
        if row["op"] == Op.SEND:
            if row["msg"] in sent:
                continue
            sent.add(row["msg"])
        kept.append(row)
    return Table.from_rows(OPERATIONS, kept), tables


def _make_sense(row: dict[str, int], epochs: Counter[int], tables: Tables) -> None:
    """Let a row happen after those before it, in the unit of work that is open."""
    session, t0 = row["session"], row["seq"] * 40 * MS
    row["t0"], row["t1"] = t0, row["t1"] if row["t1"] == NEVER else t0 + row["t1"] - row["t0"]
    row["conn"] = session % CONN_COUNT
    if row["op"] in (Op.SEND, Op.DELIVER, *SETTLING):
        row["unit"] = session << 32 | epochs[session]
    if row["op"] in SETTLING:
        epochs[session] += 1
        row["consumer"] = NONE
    if row["op"] == Op.DELIVER:
        row["auto"] = tables.sessions.mode[session] in (AUTO, DUPS_OK)
        row["end"] = row["end"] if row["end"] >= 0 else row["seq"] % END_COUNT
        row["out"], row["mode"], row["delay"], row["prio"], row["red"] = Out.OK, PERSISTENT, 0, 4, row["seq"] % 4 == 0
    if row["op"] == Op.SEND:
        row["mode"], row["ttl"], row["delay"] = PERSISTENT, 0, 0


def answers(tallies):
    return {
        name: (
            tally.obligations,
            tally.undecided,
            sorted(zip(tally.hits.session.tolist(), tally.hits.seq.tolist(), strict=True)),
        )
        for name, tally in tallies.items()
    }


seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=200, deadline=None)
@given(seeds, st.lists(seeds, min_size=1, max_size=30))
@example(3386242, [57])  # sent in a branch that was over, to a subscription that was gone
@example(1168148418, [2795796131, 3116898328])  # received in a branch that was over
def test_columns_answer_as_the_naive_reading(tables_seed, row_seeds):
    rows, tables = random_trace(tables_seed, row_seeds)
    seen = answers(judge(rows, tables, MARGINS))
    world = World(rows, tables, MARGINS)
    assert seen == {name: judge_naively(name, world) for name in PROPERTIES}


def test_the_random_traces_are_worth_judging():
    """Each property is broken by some of them and kept by some; the rarest are left to the workloads below.

    That does not hang on the seed: of thirty the luckiest needed 217 traces, the unluckiest 1874.
    """
    draw = Random(1)  # noqa: S311 - test data
    broken, kept = Counter(dict.fromkeys(PROPERTIES, 0)), Counter(dict.fromkeys(PROPERTIES, 0))
    wanted = set(PROPERTIES) - RARE
    for _ in range(4000):
        rows, tables = random_trace(draw.getrandbits(32), [draw.getrandbits(32) for _ in range(30)])
        for name, tally in judge(rows, tables, MARGINS).items():
            broken[name] += bool(len(tally.hits))
            kept[name] += tally.obligations > len(tally.hits)
        if all(min(broken[name], kept[name]) >= 2 for name in wanted):
            break
    assert {name: (broken[name], kept[name]) for name in wanted if min(broken[name], kept[name]) < 2} == {}


RARE = {
    "acknowledge-leaves-others",
    "auto-last-only",
    "browsing-does-not-consume",
    "consume-produce-atomic",
    "nonpersistent-kept-without-failure",
    "recovered-by-same-session",
    "settled-survives-restart",
    "transaction-atomic",
    "unsettled-comes-back",
}
CHOSEN = [each for each in ANOMALIES if each.breaks in RARE]


@pytest.mark.parametrize("anomaly", CHOSEN, ids=lambda anomaly: anomaly.name)
def test_columns_answer_as_the_naive_reading_on_a_broken_workload(anomaly):
    editor = Editor(
        generate(Shape(rounds=6, restart_every=4, queues=4, topics=1, variants=3, per_round=2, temporary=False))
    )
    anomaly.make(editor)
    trace = editor.done()
    seen = answers(judge(trace.rows, trace.tables))
    assert seen[anomaly.breaks][2]
    world = World(trace.rows, trace.tables, Margins())
    assert seen == {name: judge_naively(name, world) for name in PROPERTIES}
