"""A store that was damaged or cannot be used: one error that names the file, whatever is wrong with it."""

import pytest
from pipeline_support import never, stored

from benchmarks.traces import Shape, generate
from reports.pipeline.check import check
from reports.pipeline.errors import PartError
from reports.pipeline.store import CHECKED, DERIVED, Store
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
