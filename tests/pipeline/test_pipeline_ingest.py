"""From bundles to runs of a store: nothing lost on the way, nothing half-written, one clear error for each fault."""

import json
import shutil
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from pipeline_support import described, never, stored

from benchmarks.traces import Shape, generate
from tck.check import Margins, judge_events
from tck.check.columns import Table
from tck.check.properties import PROPERTIES
from tck.record import Bundle, TamperedBundle, TruncatedBundle
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import StoreError
from tck.reports.pipeline.ingest import RunContent, ingest, write_run
from tck.reports.pipeline.parquet import STORED, read_table
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.store_columns import SIDE
from tck.reports.pipeline.suite_trace import SuiteTrace


def rows_of(store, info):
    parts = [read_table(path, STORED, size) for path, size in store.part_paths(info)]
    return parts, Table.concat(STORED, parts)


def sorted_rows(rows):
    order = np.lexsort((rows.seq, rows.session))
    return {name: rows.columns[name][order].tolist() for name in STORED}


def test_rows_and_side_tables_come_back_as_they_were(tmp_path):
    load = generate(Shape(rounds=4, restart_every=3))
    store = Store.make(tmp_path / "store")
    info = stored(store, load, part_rows=500)
    parts, whole = rows_of(store, store.run("R1"))
    assert len(parts) > 3
    assert sorted_rows(whole) == sorted_rows(load.rows)
    tables = store.side_tables(info)
    for name, schema in SIDE.items():
        for column in schema:
            assert getattr(tables, name).columns[column].tolist() == getattr(load.tables, name).columns[column].tolist()
    assert tables.origin == load.tables.origin


def test_a_session_stands_in_one_file_and_files_are_full(tmp_path):
    load = generate(Shape(rounds=4, restart_every=3))
    store = Store.make(tmp_path / "store")
    parts, _ = rows_of(store, stored(store, load, part_rows=500))
    owners = Counter(session for part in parts for session in np.unique(part.session).tolist())
    assert set(owners.values()) == {1}
    largest = np.bincount(load.rows.session).max()
    assert all(len(part) <= max(500, largest) for part in parts)
    assert len(parts) < 3 * (len(load.rows) // 500 + 1)


def test_operations_in_pieces_make_the_same_files(tmp_path):
    load = generate(Shape(rounds=4, restart_every=3))
    order = np.argsort(load.rows.t0, kind="stable")
    pieces = [load.rows.take(piece) for piece in np.array_split(order, 7)]
    one, many = Store.make(tmp_path / "one"), Store.make(tmp_path / "many")
    whole = stored(one, load, part_rows=500)
    content = RunContent(lambda: pieces, lambda: load.tables, list)
    cut = write_run(many, described("R1"), content, digest="sha256:R1", margins=Margins(), part_rows=500)
    assert cut.parts == whole.parts
    assert sorted_rows(rows_of(many, cut)[1]) == sorted_rows(load.rows)


def test_the_cases_of_a_suite_answer_together_as_each_alone(suite_bundle, tmp_path):
    bundle = Bundle.open(suite_bundle)
    alone = {name: [0, 0, 0] for name in PROPERTIES}
    for result in bundle.results():
        events = bundle.events(result.case, result.attempt)
        for each in judge_events(events):
            for at, number in enumerate((each.obligations, len(each.violations), each.undecided)):
                alone[each.name][at] += number
    store = Store.make(tmp_path / "store")
    assert ingest(store, suite_bundle).new
    together = check(store, bundle.run.run, spark=never).properties
    assert {name: [c.obligations, c.violations, c.undecided] for name, c in together.items()} == alone
    restarts = store.side_tables(store.run(bundle.run.run)).restarts
    assert len(restarts) > 1, "a restart in one case must be no other's business, so there must be some"
    assert sum(counts[0] for counts in alone.values()) > 1000


def test_the_cases_of_a_suite_share_no_number_and_no_time(suite_bundle):
    joined = SuiteTrace(Bundle.open(suite_bundle), Margins())
    seen, latest = Counter(), -1
    for rows in joined.rows():
        for column in ("session", "consumer", "end"):
            seen.update((column, number) for number in np.unique(rows.columns[column]).tolist() if number >= 0)
        assert rows.t0.min(initial=2**62) > latest
        latest = max(latest, int(rows.t0.max(initial=latest)))
    assert set(seen.values()) == {1}
    assert len(seen) > 100
    assert np.all(np.diff(joined.tables.cuts.t0) > 0)


def test_verdicts_are_those_of_the_results(suite_bundle, tmp_path):
    store = Store.make(tmp_path / "store")
    done = ingest(store, suite_bundle)
    bundle = Bundle.open(suite_bundle)
    rows = {(row["case"], row["attempt"], row["assertion"]): row for row in store.table("verdict", done.run)}
    expected = {
        (result.case, result.attempt, assertion): verdict.value
        for result in bundle.results()
        for assertion, verdict in result.verdicts.items()
    }
    assert {key: row["verdict"] for key, row in rows.items()} == expected
    assert {row["provider"] for row in rows.values()} == {bundle.run.provider.name}
    counts = store.table("latency", done.run)
    assert sum(row["count"] for row in counts) == len(expected)


def test_a_run_that_is_there_is_left_as_it_is(suite_bundle, tmp_path):
    store = Store.make(tmp_path / "store")
    first = ingest(store, suite_bundle)
    stamp = (store.path / "runs" / f"{first.run}.json").stat().st_mtime_ns
    second = ingest(store, suite_bundle)
    assert (second.new, second.rows, second.verdicts) == (False, first.rows, first.verdicts)
    assert (store.path / "runs" / f"{first.run}.json").stat().st_mtime_ns == stamp
    assert ingest(store, suite_bundle, again=True).new


def test_another_run_of_the_same_name_is_refused(suite_bundle, tmp_path):
    store = Store.make(tmp_path / "store")
    name = Bundle.open(suite_bundle).run.run
    stored(store, generate(Shape(rounds=1)), name)
    with pytest.raises(StoreError, match=rf"{name}.*--again"):
        ingest(store, suite_bundle)
    assert ingest(store, suite_bundle, again=True).new


def test_a_bundle_cut_in_mid_write_is_refused_and_leaves_nothing(suite_bundle, tmp_path):
    cut = shutil.copytree(suite_bundle, tmp_path / "cut")
    events = next(iter((cut / "events").glob("*.ndjson.zst")))
    events.write_bytes(events.read_bytes()[:-100])
    store = Store.make(tmp_path / "store")
    with pytest.raises(TruncatedBundle, match=r"expected .* bytes"):
        ingest(store, cut)
    (cut / "end.json").unlink()
    with pytest.raises(TruncatedBundle, match="did not end"):
        ingest(store, cut)
    assert store.runs() == ()
    assert ingest(store, cut, allow_truncated=True).truncated


def test_a_bundle_changed_since_is_refused(suite_bundle, tmp_path):
    changed = shutil.copytree(suite_bundle, tmp_path / "changed")
    events = next(iter((changed / "events").glob("*.ndjson.zst")))
    content = events.read_bytes()
    events.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(TamperedBundle):
        ingest(Store.make(tmp_path / "store"), changed)


def test_a_store_of_another_kit_is_refused(tmp_path):
    store = Store.make(tmp_path / "store")
    info = stored(store, generate(Shape(rounds=1)))
    path = store.path / "runs" / "R1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "layout": 2}))
    with pytest.raises(StoreError, match=r"layout \(1\).*run by kit 0\.1\.0.*--again"):
        check(store, "R1", spark=never)
    (store.path / "store.json").write_text('{"layout": 2}')
    with pytest.raises(StoreError, match="layout 1, saw 2: another version of the kit"):
        Store.open(store.path)
    assert replace(info, layout=2) != info


@pytest.mark.parametrize("content", ["", "x", "[]", "{}"])
def test_a_folder_that_is_no_store_is_refused(tmp_path, content):
    (tmp_path / "store.json").write_text(content)
    with pytest.raises(StoreError, match="expected a store"):
        Store.open(tmp_path)


def test_a_folder_with_other_files_becomes_no_store(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="other files"):
        Store.make(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_run_id_that_fits_no_folder_is_refused(tmp_path):
    from tck.reports.pipeline.run_info import checked_name

    with pytest.raises(StoreError, match="run id"):
        checked_name("../x", tmp_path)
