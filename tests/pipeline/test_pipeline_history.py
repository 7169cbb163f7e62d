"""Histories: what runs of several versions say together, against the same told in plain Python."""

import math
from dataclasses import replace

import pytest
from pipeline_support import described

from benchmarks.traces import Shape, generate
from tck.check.columns import OPERATIONS, Table
from tck.check.results import Margins
from tck.check.tables import Tables
from tck.record import Case, Kit, Outcome, ProviderRef, Result, Verdict
from tck.reports.pipeline.errors import PartError, StoreError
from tck.reports.pipeline.ingest import RunContent, write_run
from tck.reports.pipeline.spark.history_tables import TABLES, make_history
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.verdict_rows import PER_DOUBLING, bucket_of, verdict_rows

HELD, BROKEN, OPEN = "held", "broken", "undecided"
_VERDICT = {HELD: Verdict.CONFORMANT, BROKEN: Verdict.VIOLATION, OPEN: Verdict.INCONCLUSIVE}

RUNS = (
    # run, day, version, kit, provider, what became of the cases a/1, a/2 (row 3.4.1-1), b/1 (row 3.4.2-1)
    ("r1", 1, "1.0", "0.1.0", "Alpha", (HELD, HELD, HELD)),
    ("r2", 2, "1.0", "0.1.0", "Alpha", (HELD, BROKEN, HELD)),
    ("r3", 3, "1.0", "0.1.0", "Alpha", (HELD, HELD, HELD)),
    ("r4", 4, "1.1", "0.1.0", "Alpha", (HELD, HELD, BROKEN)),
    ("r5", 5, "1.1", "0.2.0", "Alpha", (OPEN, HELD, BROKEN)),
    ("q1", 1, "1.0", "0.1.0", "Beta", (BROKEN, HELD, HELD)),
)
CASES = (("a/1", "3.4.1-1"), ("a/2", "3.4.1-1"), ("b/1", "3.4.2-1"))


def run_of(name, day, version, kit, provider, outcomes):
    """Describe a run and what its cases said; a case without an outcome was not asked."""
    run = described(
        name,
        kind="suite",
        kit=Kit(kit),
        started=f"2026-11-{day:02d}T00:00:00+00:00",
        provider=ProviderRef(provider, version, "v", "3.1"),
    )
    cases = [Case(case, "n", (row,), {"api": "classic"}, "f", 1, "t") for case, row in CASES]
    results = [
        Result(case, Outcome(outcome), {row: _VERDICT[outcome]}, _VERDICT[outcome], ms=float(10 * day + at))
        for at, ((case, row), outcome) in enumerate(zip(CASES, outcomes, strict=True))
        if outcome
    ]
    return run, verdict_rows(run, cases, results)


def put(store, *about):
    run, verdicts = run_of(*about)
    empty = Table.empty(OPERATIONS)
    content = RunContent(lambda: [empty], Tables, list, verdicts)
    return write_run(store, run, content, digest=f"sha256:{run.run}", margins=Margins())


@pytest.fixture(scope="module")
def told(tmp_path_factory, cluster):
    store = Store.make(tmp_path_factory.mktemp("history") / "store")
    for about in RUNS:
        put(store, *about)
    made = make_history(store, cluster.session, partitions=2)
    return store, made


@pytest.mark.slow
def test_the_matrix_is_the_latest_standing(told):
    store, made = told
    assert made.runs == len(RUNS)
    rows = {(row["provider"], row["version"], row["assertion"]): row for row in store.history("matrix")}
    assert len(rows) == made.tables["matrix"] == 6
    assert rows["Alpha", "1.0", "3.4.1-1"]["verdict"] == "conformant"
    assert rows["Alpha", "1.1", "3.4.1-1"]["verdict"] == "inconclusive"
    assert rows["Alpha", "1.1", "3.4.2-1"]["verdict"] == "violation"
    assert rows["Alpha", "1.1", "3.4.2-1"]["run"] == "r5"
    assert rows["Beta", "1.0", "3.4.1-1"]["verdict"] == "violation", "the worst of its cases"
    assert rows["Beta", "1.0", "3.4.1-1"]["cases"] == 2


@pytest.mark.slow
def test_a_run_of_some_cases_leaves_the_others_in_the_matrix(tmp_path, cluster):
    store = Store.make(tmp_path / "store")
    put(store, "r1", 1, "1.0", "0.1.0", "Alpha", (BROKEN, HELD, HELD))
    put(store, "r2", 2, "1.0", "0.1.0", "Alpha", (None, BROKEN, None))
    put(store, "r3", 3, "1.0", "0.1.0", "Alpha", (None, HELD, None))
    make_history(store, cluster.session, partitions=2)
    rows = {row["assertion"]: row for row in store.history("matrix")}
    output = ("run", "runs", "verdict", "cases", "failed", "held")
    assert [rows["3.4.1-1"][name] for name in output] == ["r3", 2, "violation", 2, 1, 1]
    assert [rows["3.4.2-1"][name] for name in output] == ["r1", 1, "conformant", 1, 0, 1]


@pytest.mark.slow
def test_the_matrix_brings_no_verdicts_of_two_kits_together(tmp_path, cluster):
    store = Store.make(tmp_path / "store")
    put(store, "r1", 1, "1.0", "0.1.0", "Alpha", (BROKEN, HELD, HELD))
    put(store, "r2", 2, "1.0", "0.2.0", "Alpha", (None, HELD, None))
    make_history(store, cluster.session, partitions=2)
    rows = {row["assertion"]: row for row in store.history("matrix")}
    assert [rows["3.4.1-1"][name] for name in ("kit", "verdict", "cases")] == ["0.2.0", "conformant", 1]
    assert [rows["3.4.2-1"][name] for name in ("kit", "verdict", "cases")] == ["0.1.0", "conformant", 1]


def test_transitions_are_consecutive_runs_of_one_provider_that_differ(told):
    store, _ = told
    rows = {
        (row["provider"], row["case"], row["from_run"], row["to_run"], row["from_verdict"], row["to_verdict"])
        for row in store.history("transition")
    }
    assert rows == {
        ("Alpha", "a/2", "r1", "r2", "conformant", "violation"),
        ("Alpha", "a/2", "r2", "r3", "violation", "conformant"),
        ("Alpha", "b/1", "r3", "r4", "conformant", "violation"),
        ("Alpha", "a/1", "r4", "r5", "conformant", "inconclusive"),
    }


def test_flaky_is_both_ways_under_one_version_of_provider_and_kit(told):
    store, _ = told
    rows = store.history("flaky")
    assert [(row["case"], row["version"], row["kit"]) for row in rows] == [("a/2", "1.0", "0.1.0")]
    assert (rows[0]["runs"], rows[0]["failed"], rows[0]["held"], rows[0]["flips"]) == (3, 1, 2, 2)


def test_a_regression_held_before_and_failed_in_every_run_since(told):
    store, _ = told
    rows = [(row["assertion"], row["from_version"], row["version"], row["runs"]) for row in store.history("regression")]
    assert rows == [("3.4.2-1", "1.0", "1.1", 2)]


def test_percentiles_are_exact_to_a_bucket(told):
    store, _ = told
    width = 2 ** (1 / PER_DOUBLING)
    rows = {(row["provider"], row["version"], row["assertion"]): row for row in store.history("latency")}
    durations = sorted(
        10.0 * day + at for _, day, version, _, who, _ in RUNS if (who, version) == ("Alpha", "1.0") for at in (0, 1)
    )
    row = rows["Alpha", "1.0", "3.4.1-1"]
    assert row["count"] == len(durations) == 6
    for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
        exact = durations[math.ceil(share * len(durations)) - 1]
        assert exact / width < row[name] < exact * width


@pytest.mark.slow
def test_a_history_made_again_replaces_the_former(told, cluster):
    store, made = told
    put(store, "r6", 6, "1.2", "0.2.0", "Alpha", (HELD, HELD, HELD))
    again = make_history(store, cluster.session, partitions=2)
    assert again.tables["matrix"] == made.tables["matrix"] + 2
    assert len(store.history("matrix")) == again.tables["matrix"]
    assert {path.name for path in (store.path / "history").iterdir()} <= set(TABLES)
    assert list((store.path / ".staging").iterdir()) == []
    store.withdraw("r6")
    assert make_history(store, cluster.session, partitions=2) == made


@pytest.mark.slow
def test_trace_verdicts_have_a_standing_too(tmp_path, cluster, faulty):
    from pipeline_support import never, stored

    from tck.reports.pipeline.check import check

    store = Store.make(tmp_path / "store")
    clean = generate(Shape(rounds=2))
    stored(store, faulty[0], "old", started="2026-11-01T00:00:00+00:00")
    stored(store, clean, "new", started="2026-11-02T00:00:00+00:00")
    for run in ("old", "new"):
        check(store, run, spark=never)
    make_history(store, cluster.session, partitions=2)
    rows = {(row["property"], row["assertion"]): row for row in store.history("trace")}
    assert rows["one-holder", "4.1.2-4"]["run"] == "new"
    assert rows["one-holder", "4.1.2-4"]["verdict"] == "conformant"
    assert rows["one-holder", "4.1.2-4"]["obligations"] > 0


def test_a_workload_is_no_later_run_of_the_suite(tmp_path, cluster):
    store = Store.make(tmp_path / "store")
    put(store, "r1", 1, "1.0", "0.1.0", "Alpha", (BROKEN, HELD, HELD))
    run, verdicts = run_of("w1", 2, "1.0", "0.1.0", "Alpha", (HELD, HELD, HELD))
    run = replace(run, kind="workload", selection=("steady",))
    content = RunContent(lambda: [Table.empty(OPERATIONS)], Tables, list, verdicts)
    write_run(store, run, content, digest="sha256:w1", margins=Margins())
    make_history(store, cluster.session, partitions=2)
    rows = {(row["ran"], row["assertion"]): row["verdict"] for row in store.history("matrix")}
    assert rows["suite", "3.4.1-1"] == "violation"
    assert rows["workload steady", "3.4.1-1"] == "conformant"
    assert not list(store.history("transition"))
    assert not list(store.history("flaky"))


def test_buckets_rise_and_are_as_wide_as_they_say():
    assert bucket_of(0) == bucket_of(0.0005) == 0
    assert bucket_of(2.0) - bucket_of(1.0) == PER_DOUBLING
    assert all(bucket_of(ms) <= bucket_of(ms * 1.001) for ms in (0.01, 1, 7.3, 1000, 60_000))


def never_start():
    raise AssertionError("there is nothing to do for Spark")


def test_without_runs_there_is_no_history(tmp_path):
    store = Store.make(tmp_path / "store")
    with pytest.raises(StoreError, match="expected runs, saw none"):
        make_history(store, never_start)


@pytest.mark.parametrize(
    ("table", "damage", "told"),
    [
        ("standing", lambda path: path.write_bytes(b"x" * path.stat().st_size), "saw a damaged file"),
        ("latency", lambda path: path.unlink(), "saw none"),
    ],
)
def test_a_damaged_part_of_a_history_is_named(tmp_path, cluster, table, damage, told):
    store = Store.make(tmp_path / "store")
    for about in RUNS[:2]:
        put(store, *about)
    path = store.folder(table, "r2") / "part-0.parquet"
    damage(path)
    with pytest.raises(PartError, match=told) as caught:
        make_history(store, cluster.session, partitions=2)
    assert caught.value.path == path
    assert not (store.path / "history").exists()
