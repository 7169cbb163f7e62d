"""Columns to Arrow and back: what pyarrow gives and takes by itself is the yardstick, pandas loaded or not."""

import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.check.columns import Table
from tck.reports.pipeline.errors import NoSparkError
from tck.reports.pipeline.parquet import (
    arrow,
    arrow_column,
    arrow_texts,
    from_arrow,
    numpy_column,
    rows_to_arrow,
    to_arrow,
)
from tck.reports.pipeline.store import Store

pa = pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")

KINDS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint64", "float32", "float64"]


def some(kind, size, seed=0):
    """Give numbers that use every byte of their kind."""
    width = np.dtype(kind).itemsize
    whole = np.random.default_rng(seed).integers(0, 256, size * width, np.uint8)
    if kind == "bool":
        return whole > 127
    return np.nan_to_num(whole.view(kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 1_001])
def test_columns_become_what_pyarrow_makes_of_them_and_come_back(kind, size):
    values = some(kind, size)
    column = arrow_column(values)
    column.validate(full=True)
    assert column.equals(pa.array(values))
    back = numpy_column(column)
    assert back.dtype == values.dtype
    assert np.array_equal(back, values)


@pytest.mark.parametrize("kind", ["bool", "int8", "int64", "float64"])
@given(cuts=st.lists(st.integers(0, 70), min_size=1, max_size=6), stride=st.integers(1, 3))
def test_slices_chunks_and_strides_lose_nothing(kind, cuts, stride):
    values = some(kind, 210)[::stride]
    column = arrow_column(values)
    edges = sorted({0, *(min(cut, len(values)) for cut in cuts)})
    slices = [column.slice(first, last - first) for first, last in pairwise(edges)]
    chunked = pa.chunked_array([*slices, column.slice(edges[-1])], column.type)
    assert np.array_equal(numpy_column(chunked), values)
    inner = column.slice(edges[-1]).slice(min(3, len(values) - edges[-1]))
    assert np.array_equal(numpy_column(inner), inner.to_numpy(zero_copy_only=False))


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_no_chunk_is_empty_and_of_its_kind(kind):
    column = pa.chunked_array([], pa.from_numpy_dtype(np.dtype(kind)))
    assert len(numpy_column(column)) == 0
    assert numpy_column(column).dtype == np.dtype(kind)


def test_missing_values_are_not_read_as_numbers():
    with pytest.raises(AssertionError):
        numpy_column(pa.array([1, None]))


def test_a_table_comes_back_in_the_types_of_its_schema():
    schema = {"truth": np.dtype(bool), "count": np.dtype("int64")}
    table = Table({name: some(kind.name, 77) for name, kind in schema.items()})
    wider = to_arrow(table, schema).set_column(1, "count", pa.array(table.columns["count"] % 100, pa.int8()))
    back = from_arrow(wider.slice(5), schema)
    assert back.columns["count"].dtype == schema["count"]
    assert np.array_equal(back.columns["count"], table.columns["count"][5:] % 100)
    assert np.array_equal(back.columns["truth"], table.columns["truth"][5:])


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts_are_those_that_pyarrow_makes(values):
    texts = arrow_texts(values)
    texts.validate(full=True)
    assert texts.equals(pa.array(values, pa.string()))


def test_rows_become_a_table_of_every_kind():
    kinds = {"a": "string", "b": "int64", "c": "float64", "d": "bool", "e": "list<int64>"}
    rows = [
        {"a": "größer", "b": -(2**63), "c": 0.1, "d": True, "e": [1, 2]},
        {"a": "", "b": 2**63 - 1, "c": -0.0, "d": False, "e": []},
        {"a": "\U0001f40d", "b": 0, "c": 1e308, "d": True, "e": [-5]},
    ]
    table = rows_to_arrow(kinds, rows)
    table.validate(full=True)
    assert table.to_pylist() == rows
    assert [str(field.type) for field in table.schema] == ["string", "int64", "double", "bool", "list<item: int64>"]
    assert rows_to_arrow(kinds, []).to_pylist() == []
    assert rows_to_arrow(kinds, []).schema == table.schema


def test_arrow_is_pyarrow():
    assert arrow() is pa


def test_without_pyarrow_no_store_is_made(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NoSparkError, match="pyarrow"):
        Store.make(tmp_path / "store")
    assert list(tmp_path.iterdir()) == []
