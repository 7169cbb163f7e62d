"""A store that was damaged or cannot be used: one error that names the file, whatever is wrong with it."""

import json
import shutil

import pytest
from pipeline_support import described, never, stored

from benchmarks.traces import Shape, generate
from tck.check import Margins
from tck.record import Exit
from tck.reports.pipeline.check import check
from tck.reports.pipeline.errors import PartError, StoreError
from tck.reports.pipeline.ingest import RunContent, write_run
from tck.reports.pipeline.parquet import arrow
from tck.reports.pipeline.store import Store
from tck.reports.pipeline.store_columns import CHECKED, DERIVED


@pytest.fixture
def store(tmp_path):
    made = Store.make(tmp_path / "store")
    stored(made, generate(Shape(rounds=2)))
    return made


# -- what a check found ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", CHECKED)
def test_what_a_check_found_and_is_gone_is_missed(store, table):
    """An empty table in its place would be a run without violations."""
    first = check(store, "R1", spark=never)
    path = store.folder(table, "R1") / "part-0.parquet"
    path.unlink()
    with pytest.raises(PartError, match=r"expected this file of the store, saw none.*Check the run again") as caught:
        check(store, "R1", spark=never) if table == "trace_verdict" else store.table(table, "R1")
    assert caught.value.path == path
    again = check(store, "R1", spark=never, again=True)
    assert (again.properties, again.exit) == (first.properties, Exit.CONFORMANT)
    assert check(store, "R1", spark=never).judged == ()


@pytest.mark.parametrize("table", DERIVED)
def test_what_a_run_left_and_is_gone_is_missed(store, table):
    path = store.folder(table, "R1") / "part-0.parquet"
    path.unlink()
    with pytest.raises(PartError, match=r"expected this file of the store, saw none.*Ingest the run again") as caught:
        store.table(table, "R1")
    assert caught.value.path == path


def test_a_run_that_was_not_checked_has_no_findings(store):
    assert [store.table(table, "R1") for table in CHECKED] == [[], []]


# -- what tells of a run -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"parts": {}}, r"expected the manifest of a run.*\d+ rows, 0 of them in its parts"),
        ({"parts": {"part-00000.parquet": {"bytes": 1}}}, "expected the manifest of a run.*'rows'"),
        ({"parts": None}, "expected the manifest of a run.*RunInfo.parts: expected an object"),
        ({"tables": {}}, "expected the size of the table"),
        ({"margins": None}, "expected the manifest of a run.*RunInfo.margins"),
        ({"margins": {"patience": "long"}}, "expected the manifest of a run.*RunInfo.margins: expected float, saw str"),
        ({"margins": {"patients": 1}}, "expected the manifest of a run.*patients"),
        ({"margins": {"patience": float("nan")}}, "expected the manifest of a run.*patience nan"),
        ({"margins": {"lag": 1e300}}, "expected the manifest of a run.*lag 1e[+]300"),
        ({"margins": {"steady": -1}}, "expected the manifest of a run.*steady -1"),
        ({"origin": 10**30}, "expected the manifest of a run.*origin 10+"),
        ({"beside": {"x": {"rows": 1, "bytes": -1}}}, "expected the manifest of a run.*x: 1 rows, -1 bytes"),
        ({"about": {}}, "expected the manifest of a run.*Run: key"),
        ({"about": 3}, "expected the manifest of a run.*RunInfo.about"),
        ({"beside": None}, "expected the manifest of a run.*RunInfo.beside"),
        ({"rows": "x"}, "expected the manifest of a run.*RunInfo.rows: expected int, saw str"),
        ({"origin": 0.5}, "expected the manifest of a run.*RunInfo.origin"),
        ({"run": "R2"}, "expected the manifest of a run.*run R2"),
        ({"layout": 2, "about": 3}, r"of this layout \(1\), saw one of another \(run by kit unknown\)"),
    ],
)
def test_wrong_values_in_a_manifest_are_named(store, change, what):
    path = store.path / "runs" / "R1.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(StoreError, match=what) as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path


def test_a_missing_key_in_a_manifest_is_named(store):
    path = store.path / "runs" / "R1.json"
    content = json.loads(path.read_text())
    del content["parts"]
    path.write_text(json.dumps(content))
    with pytest.raises(StoreError, match="key 'parts' is missing"):
        store.run("R1")


def test_a_folder_in_the_place_of_a_manifest_is_named(store):
    (store.path / "runs" / "zz.json").mkdir()
    assert store.runs() == ("R1", "zz")
    with pytest.raises(StoreError, match=r"zz\.json: expected to read and write here, saw: Is a directory"):
        store.run("zz")


@pytest.mark.parametrize("name", ["ops", "runs", "checks", "findings", ".staging"])
def test_a_file_in_the_place_of_a_folder_is_named(store, name):
    check(store, "R1", spark=never)
    place = store.path / name
    shutil.rmtree(place, ignore_errors=True)
    place.write_text("x")
    with pytest.raises((StoreError, PartError)) as caught:
        check(store, *store.runs(), spark=never, again=True)
    assert caught.value.path is not None
    assert place in (caught.value.path, *caught.value.path.parents)


# -- columns -----------------------------------------------------------------------------------------------------


def rewrite(path, change):
    pq = arrow().parquet
    pq.write_table(change(pq.read_table(path, partitioning=None)), path)


def hollow(name):
    """Give a change that leaves a column without its first value."""

    def change(table):
        values = table.column(name).to_pylist()
        kind = table.field(name).type
        return table.set_column(table.column_names.index(name), name, arrow().array([None, *values[1:]], kind))

    return change


def text(name):
    return lambda table: table.set_column(
        table.column_names.index(name), name, arrow().array(["x"] * table.num_rows, "string")
    )


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda table: table.drop_columns(["property"]), "expected the columns property, saw none"),
        (hollow("obligations"), "expected a value in every row, saw none in some of obligations"),
        (text("violations"), "expected int64 in the column violations, saw string"),
    ],
    ids=["missing", "hollow", "text"],
)
def test_other_columns_in_what_a_check_found_are_named(store, change, what):
    check(store, "R1", spark=never)
    path = store.folder("trace_verdict", "R1") / "part-0.parquet"
    rewrite(path, change)
    with pytest.raises(PartError, match=what) as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path


def rewrite_known(store, table, change):
    """Change a file whose size the manifest tells, and tell the new one; give the file."""
    path = store.path / f"{table}.parquet"
    rewrite(path, change)
    manifest = store.path / "runs" / "R1.json"
    content = json.loads(manifest.read_text())
    content["parts" if table.startswith("ops") else "tables"][path.name if "part" in path.stem else path.stem][
        "bytes"
    ] = path.stat().st_size
    manifest.write_text(json.dumps(content))
    return path


def wide(name):
    return lambda table: table.set_column(
        table.column_names.index(name), name, arrow().array([300] * table.num_rows, "int64")
    )


@pytest.mark.parametrize(
    ("table", "change", "what"),
    [
        ("ops/run=R1/part-00000", hollow("msg"), "saw none in some of msg"),
        ("ops/run=R1/part-00000", text("msg"), "expected int64 in the column msg, saw string"),
        ("ops/run=R1/part-00000", wide("op"), "expected int8 in the column op, saw int64"),
        ("tables/run=R1/endpoints", hollow("dest"), "saw none in some of dest"),
        ("tables/run=R1/sessions", lambda table: table.drop_columns(["conn"]), "expected the columns conn"),
    ],
    ids=["hollow", "text", "wide", "hollow-side", "missing-side"],
)
def test_other_columns_in_what_is_judged_are_named(store, table, change, what):
    path = rewrite_known(store, table, change)
    with pytest.raises(PartError, match=what) as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path


# -- values ------------------------------------------------------------------------------------------------------


def put(name, value):
    """Give a change that puts a value into the middle row of a column."""

    def change(table):
        values = table.column(name).to_pylist()
        values[len(values) // 2] = value
        kind = table.field(name).type
        return table.set_column(table.column_names.index(name), name, arrow().array(values, kind))

    return change


OPS = "ops/run=R1/part-00000"
LONG = 2**31 - 1


@pytest.mark.parametrize(
    ("table", "column", "value", "what"),
    [
        (OPS, "op", 127, "expected numbers from 0 to 17 in the column op, saw 127"),
        (OPS, "op", -1, "expected numbers from 0 to 17 in the column op, saw -1"),
        (OPS, "out", 3, "expected numbers from 0 to 2 in the column out, saw 3"),
        (OPS, "session", LONG, r"expected numbers from 0 to \d+ in the column session, saw 2147483647"),
        (OPS, "consumer", LONG, r"expected numbers from -1 to \d+ in the column consumer, saw 2147483647"),
        (OPS, "end", LONG, r"expected numbers from -1 to \d+ in the column end, saw 2147483647"),
        (OPS, "count", -7, "expected numbers of -1 and more in the column count, saw -7"),
        (OPS, "unit", -7, "expected numbers of -1 and more in the column unit, saw -7"),
        (OPS, "t0", 2**63 - 1, r"expected numbers from -\d+ to \d+ in the column t0"),
        ("tables/run=R1/consumers", "end", LONG, r"expected numbers from -1 to \d+ in the column end"),
        ("tables/run=R1/consumers", "session", LONG, r"expected numbers from -1 to \d+ in the column session"),
        ("tables/run=R1/endpoints", "kind", 9, "expected numbers from 0 to 2 in the column kind, saw 9"),
        ("tables/run=R1/sessions", "mode", 7, "expected numbers from -1 to 3 in the column mode, saw 7"),
    ],
)
def test_values_that_no_kit_writes_are_named(store, table, column, value, what):
    path = rewrite_known(store, table, put(column, value))
    with pytest.raises(PartError, match=what) as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path
    assert "Ingest the run again with --again" in str(caught.value)


def test_a_slice_of_a_session_has_known_values_beside_it_too(tmp_path):
    store = Store.make(tmp_path / "store")
    info = stored(store, generate(Shape(rounds=2)), part_rows=50, slice_rows=50)
    path = store.folder("beside", "R1") / next(iter(info.beside))
    rewrite(path, put("op", 99))
    manifest = store.path / "runs" / "R1.json"
    content = json.loads(manifest.read_text())
    content["beside"][path.name]["bytes"] = path.stat().st_size
    manifest.write_text(json.dumps(content))
    with pytest.raises(PartError, match="expected numbers from 0 to 17 in the column op, saw 99") as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path


def test_names_of_no_known_sort_are_named(tmp_path):
    store = Store.make(tmp_path / "store")
    load, names = generate(Shape(rounds=1)), [{"kind": "streams", "number": 0, "text": "one"}]
    content = RunContent(lambda: [load.rows], lambda: load.tables, lambda: names)
    write_run(store, described("R1"), content, digest="sha256:R1", margins=Margins())
    path = rewrite_known(store, "tables/run=R1/names", put("kind", "colours"))
    with pytest.raises(PartError, match="expected words of this kit in the column kind, saw 'colours'") as caught:
        store.names(store.run("R1"))
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("violations", -1, "expected numbers of 0 and more in the column violations, saw -1"),
        ("outcome", "splendid", "expected words of this kit in the column outcome, saw 'splendid'"),
        ("verdict", "splendid", "expected words of this kit in the column verdict, saw 'splendid'"),
    ],
)
def test_values_that_no_check_leaves_are_named(store, column, value, what):
    check(store, "R1", spark=never)
    path = store.folder("trace_verdict", "R1") / "part-0.parquet"
    rewrite(path, put(column, value))
    with pytest.raises(PartError, match=rf"{what}\. Check the run again with --again") as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path
