"""Bars of the pipeline of less than a minute each: completeness of the findings, and costs; `large_checks` has the long ones."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.bars.bar import Bar, Measured, SharedMeasurement
from benchmarks.storage.storage_media import Medium, parent_on
from benchmarks.traces import Shape
from benchmarks.unavailable import Unavailable

SMALL: Final = 1_000_000
ROUNDS: Final = 3


@contextmanager
def disk_store() -> Iterator[Path]:
    """Yield a folder for stores, on a disk."""
    try:
        import pyarrow  # noqa: F401, ICN001, PLC0415 - an extra
    except ImportError as error:
        raise Unavailable("pyarrow is not here; the extra `spark` brings it") from error
    with tempfile.TemporaryDirectory(prefix="benchmark-", dir=parent_on(Medium.DISK)) as folder:
        yield Path(folder)


def anomalies_found() -> Measured:
    """Inject every kind of fault many times into a trace; count missed findings and wrong ones."""
    from benchmarks.bars.pipeline import stores  # noqa: PLC0415 - needs extras
    from benchmarks.bars.pipeline.fault_injection import inject  # noqa: PLC0415 - likewise
    from tck.check.properties import PROPERTIES  # noqa: PLC0415 - loads numpy
    from tck.reports.pipeline.check import Plan, check  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.spark.cluster import Cluster  # noqa: PLC0415 - likewise

    injected = inject(stores.generated(SMALL, Shape(restart_every=6)), 20)
    with disk_store() as folder:
        store = stores.make(folder)
        stores.put(store, injected.trace, "R1")
        check(store, "R1", spark=Cluster("local[2]").judge, plan=Plan.HERE, stories=0)
        found = {(row["property"], row["session"], row["seq"]): row["msg"] for row in store.table("findings", "R1")}
    missed = injected.expected - found.keys()
    wrong = [
        key
        for key, msg in found.items()
        if not PROPERTIES[key[0]].observes
        and (key not in injected.expected if msg < 0 else msg not in injected.touched)
    ]
    made = sum(injected.kinds.values())
    detail = f"{made} faults of {len(injected.kinds)} kinds, {len(injected.expected)} findings due; missed {len(missed)}, wrong {len(wrong)}"
    return Measured(len(missed) + len(wrong), detail)


def mutations_found() -> Measured:
    """Apply each mutation by itself to a small trace; count those missed and those with an unexplained finding."""
    from benchmarks.traces import generate  # noqa: PLC0415 - loads numpy
    from benchmarks.traces.anomalies import ANOMALIES  # noqa: PLC0415 - likewise
    from benchmarks.traces.editor import Anomaly, Editor  # noqa: PLC0415 - likewise
    from benchmarks.traces.near_misses import NEAR_MISSES, NearMiss  # noqa: PLC0415 - likewise
    from tck.check.properties import PROPERTIES  # noqa: PLC0415 - likewise
    from tck.check.stages import judge  # noqa: PLC0415 - likewise

    clean = generate(Shape(rounds=9, restart_every=7, topics=1))
    wrong = []
    cases: tuple[Anomaly | NearMiss, ...] = (*ANOMALIES, *NEAR_MISSES)
    for case in cases:
        editor = Editor(clean)
        case.make(editor)
        trace = editor.done()
        found = {
            (name, hit["session"], hit["seq"]): hit["msg"]
            for name, tally in judge(trace.rows, trace.tables).items()
            for hit in map(tally.hits.row, range(len(tally.hits)))
        }
        named = {getattr(case, "breaks", ""), *getattr(case, "consequences", ())}
        others = {key for key in found if key not in editor.expected and not PROPERTIES[key[0]].observes}
        if not editor.expected <= found.keys() or any(key[0] not in named for key in others):
            wrong.append(case.name)
    return Measured(
        len(wrong), f"{len(ANOMALIES)} mutations, {len(NEAR_MISSES)} near misses; wrong: {', '.join(wrong) or 'none'}"
    )


def _skewed() -> list[Measured]:
    """Judge traces of several shapes; compare the CPU per operation to that of a balanced one."""
    from benchmarks.bars.pipeline import stores  # noqa: PLC0415 - needs extras
    from benchmarks.traces import generate  # noqa: PLC0415 - loads numpy
    from tck.check.stages import judge  # noqa: PLC0415 - likewise

    shapes = (
        stores.generated(SMALL),
        stores.generated(SMALL, Shape(restart_every=100, hot=24)),
        stores.generated(SMALL, Shape(queues=1, topics=0, temporary=False, variants=1, per_round=400)),
        generate(Shape(rounds=10, per_round=7, queues=0, topics=1, temporary=False, variants=1, subscriptions=10_000)),
    )
    best = []
    for trace in shapes:
        times = []
        for _ in range(ROUNDS):
            start = time.process_time()
            judge(trace.rows, trace.tables)
            times.append(time.process_time() - start)
        best.append(min(times) / len(trace.rows) * 1e6)
    return [
        Measured(each / best[0], f"{each:.2f} us an operation to {best[0]:.2f}, best of {ROUNDS}") for each in best[1:]
    ]


SKEW: Final = SharedMeasurement(_skewed)


def append_to_many() -> Measured:
    """Append one run to a store of fifty and check the store; compare the CPU of this process to that for an empty store."""
    from benchmarks.bars.pipeline import stores  # noqa: PLC0415 - needs extras
    from tck.reports.pipeline.check import Plan, check  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.spark.cluster import Cluster  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.store import Store  # noqa: PLC0415 - likewise

    trace, small = stores.generated(SMALL), stores.generated(20_000)
    judge = Cluster("local[2]").judge

    def append(store: Store, name: str) -> float:
        start = time.process_time()
        stores.put(store, trace, name)
        for run in store.runs():
            check(store, run, spark=judge, plan=Plan.HERE)
        return time.process_time() - start

    with disk_store() as folder:
        alone, many = Store.make(folder / "alone"), Store.make(folder / "many")
        for number in range(50):
            stores.put(many, small, f"run-{number}")
            check(many, f"run-{number}", spark=judge, plan=Plan.HERE)
        pairs = [(append(many, f"R{number}"), append(alone, f"R{number}")) for number in range(ROUNDS)]
    ratio = statistics.median(first / second for first, second in pairs)
    return Measured(ratio, f"50 runs of 20 000 events before; {pairs[-1][0]:.1f} s to {pairs[-1][1]:.1f} s")


def same_whichever_way() -> Measured:
    """Check one faulty trace, cut in several ways, in one process and on Spark both ways; count answers that differ."""
    import numpy as np  # noqa: PLC0415 - loads numpy

    from benchmarks.bars.pipeline import stores  # noqa: PLC0415 - needs extras
    from benchmarks.bars.pipeline.fault_injection import inject  # noqa: PLC0415 - likewise
    from tck.check.results import Margins  # noqa: PLC0415 - likewise
    from tck.reports.pipeline import tasks  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.check import Plan, check  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.ingest import RunContent, write_run  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.spark.cluster import Cluster  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.store import Store  # noqa: PLC0415 - likewise

    trace = inject(stores.generated(SMALL, Shape(restart_every=6)), 20).trace
    size = len(trace.rows)
    answers: dict[str, object] = {}
    usual = tasks.BUCKET_ROWS
    with disk_store() as folder, Cluster("local[2]") as cluster:
        for parts in (1, 7, 64):
            rows = trace.rows.take(np.random.default_rng(parts).permutation(size))
            store = Store.make(folder / str(parts))
            content = RunContent(lambda rows=rows: [rows], lambda: trace.tables, list)  # type: ignore[misc]  # bound in this round
            write_run(
                store,
                stores.described("R1"),
                content,
                digest="sha256:R1",
                margins=Margins(),
                part_rows=-(-size // parts),
            )
            tasks.BUCKET_ROWS = -(-size // parts)  # type: ignore[misc]  # to cut messages as finely as sessions
            for plan in (Plan.HERE, Plan.FILES, Plan.SHUFFLE) if parts == 7 else (Plan.HERE,):
                if plan is not Plan.HERE:
                    cluster.start()
                checked = check(store, "R1", spark=cluster.judge, plan=plan, again=True, stories=0)
                found = store.table("findings", "R1")
                answers[f"{plan.value} {parts}"] = (checked.properties, [sorted(row.items(), key=str) for row in found])
    tasks.BUCKET_ROWS = usual  # type: ignore[misc]  # as it was
    first = answers["here 1"]
    differing = [name for name, answer in answers.items() if answer != first]
    findings = len(first[1])  # type: ignore[index]  # a pair
    detail = f"{', '.join(answers)}; {findings} findings each; differing: {', '.join(differing) or 'none'}"
    return Measured(len(differing), detail)


BARS: Final = (
    Bar(
        "T5",
        "Every sort of fault, many times over in 1M events: missed, or found where nothing was done",
        "faults",
        "0",
        0,
        0,
        anomalies_found,
        gated=True,
    ),
    Bar(
        "T6",
        "Every mutation and near miss by itself: missed, or with an unexplained finding",
        "of them",
        "0 of 45",
        0,
        0,
        mutations_found,
        gated=True,
    ),
    Bar(
        "T9",
        "A queue with 80 % of the traffic: CPU per operation to that of a balanced trace",
        "times",
        "1.1-1.2",
        1.5,
        1.2,
        lambda: SKEW.figure(0),
        gated=True,
    ),
    Bar("T9a", "One producer, one queue", "times", "0.4", 1.5, 1.2, lambda: SKEW.figure(1), gated=True),
    Bar("T9b", "10 000 copies of each message", "times", "0.8", 1.5, 1.2, lambda: SKEW.figure(2), gated=True),
    Bar(
        "T10",
        "Appending a run of 1M events to a store of 50 runs and checking the store, to the same in an empty one",
        "of the work",
        "-",
        1.2,
        1.05,
        append_to_many,
    ),
    Bar(
        "T12",
        "Parts of 1M events cut in 1, 7 and 64, rows shuffled; in one process, on Spark through files and through its shuffle: answers that differ",
        "answers",
        "0",
        0,
        0,
        same_whichever_way,
        gated=True,
    ),
)
