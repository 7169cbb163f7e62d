"""A store that was damaged or cannot be used: one error that names the file, whatever is wrong with it."""

import json
import shutil

import pytest
from pipeline_support import never, stored

from benchmarks.traces import Shape, generate
from reports.pipeline.check import check
from reports.pipeline.columns import CHECKED, DERIVED
from reports.pipeline.errors import PartError, StoreError
from reports.pipeline.files import arrow
from reports.pipeline.store import Store
from tck.record import Exit


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
        ({"parts": {}}, r"expected what tells of a run.*\d+ rows, 0 of them in its parts"),
        ({"parts": {"part-00000.parquet": {"bytes": 1}}}, "expected what tells of a run.*'rows'"),
        ({"parts": None}, "expected what tells of a run.*RunInfo.parts: expected an object"),
        ({"tables": {}}, "expected the size of the table"),
        ({"margins": None}, "expected what tells of a run.*RunInfo.margins"),
        ({"margins": {"patience": "long"}}, "expected what tells of a run.*RunInfo.margins: expected float, saw str"),
        ({"margins": {"patients": 1}}, "expected what tells of a run.*patients"),
        ({"about": {}}, "expected what tells of a run.*Run: key"),
        ({"about": 3}, "expected what tells of a run.*RunInfo.about"),
        ({"beside": None}, "expected what tells of a run.*RunInfo.beside"),
        ({"rows": "x"}, "expected what tells of a run.*RunInfo.rows: expected int, saw str"),
        ({"origin": 0.5}, "expected what tells of a run.*RunInfo.origin"),
        ({"run": "R2"}, "expected what tells of a run.*run R2"),
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


@pytest.mark.parametrize(
    ("table", "change", "what"),
    [
        ("ops/run=R1/part-00000", hollow("msg"), "saw none in some of msg"),
        ("ops/run=R1/part-00000", text("msg"), "expected numbers in the column msg"),
        ("tables/run=R1/endpoints", hollow("dest"), "saw none in some of dest"),
        ("tables/run=R1/sessions", lambda table: table.drop_columns(["conn"]), "expected the columns conn"),
    ],
    ids=["hollow", "text", "hollow-side", "missing-side"],
)
def test_other_columns_in_what_is_judged_are_named(store, table, change, what):
    path = store.path / f"{table}.parquet"
    rewrite(path, change)
    manifest = store.path / "runs" / "R1.json"
    content = json.loads(manifest.read_text())
    content["parts" if table.startswith("ops") else "tables"][path.name if "part" in path.stem else path.stem][
        "bytes"
    ] = path.stat().st_size
    manifest.write_text(json.dumps(content))
    with pytest.raises(PartError, match=what) as caught:
        check(store, "R1", spark=never)
    assert caught.value.path == path
