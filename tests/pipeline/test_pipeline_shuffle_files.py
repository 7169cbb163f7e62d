"""What session tasks leave for message tasks: it comes back by bucket, and a damaged file is named."""

import errno

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tck.check.columns import COPIES, IDS, Table
from tck.reports.pipeline.errors import NoRoomError, PartError
from tck.reports.pipeline.shuffle_files import read_block, write_blocks

pytest.importorskip("pyarrow", reason="the extra `spark` is not installed")


def rows_of(schema, size, seed=0):
    """Give rows that use every byte of every column."""
    rng = np.random.default_rng(seed)
    return Table(
        {
            name: rng.integers(0, 256, size * np.dtype(kind).itemsize, np.uint8).view(kind)
            if kind != "bool"
            else rng.random(size) < 0.5
            for name, kind in schema.items()
        }
    )


@pytest.mark.parametrize("schema", [COPIES, IDS])
@given(sizes=st.lists(st.integers(0, 40), min_size=1, max_size=8))
def test_every_bucket_comes_back_as_it_was(tmp_path_factory, schema, sizes):
    path = tmp_path_factory.mktemp("work") / "copies"
    starts = np.cumsum([0, *sizes])
    rows = rows_of(schema, int(starts[-1]))
    write_blocks(path, rows, starts, schema)
    for number, size in enumerate(sizes):
        block = read_block(path, number, schema)
        assert len(block) == size
        for name, kind in schema.items():
            assert block.columns[name].dtype == np.dtype(kind)
            assert block.columns[name].flags.aligned
            expected = rows.columns[name][starts[number] : starts[number + 1]]
            assert block.columns[name].tobytes() == expected.tobytes()
    assert [each.name for each in path.parent.iterdir()] == ["copies"]


def test_columns_of_other_types_and_with_gaps_are_written_in_those_of_the_schema(tmp_path):
    rows = rows_of(COPIES, 60)
    wide = Table(
        {**{name: column[::2] for name, column in rows.columns.items()}, "mode": np.arange(30, dtype=np.int64)}
    )
    write_blocks(tmp_path / "copies", wide, np.array([0, 30]), COPIES)
    block = read_block(tmp_path / "copies", 0, COPIES)
    assert block.columns["mode"].dtype == np.dtype(COPIES["mode"])
    assert block.columns["mode"].tolist() == list(range(30))
    assert np.array_equal(block.columns["msg"], rows.columns["msg"][::2])


def test_a_task_that_handed_on_nothing_left_no_file(tmp_path):
    assert len(read_block(tmp_path / "copies", 3, COPIES)) == 0


@pytest.mark.parametrize("keep", [0, 10, 70, 200, -1])
def test_a_file_cut_short_is_named(tmp_path, keep):
    path = tmp_path / "copies"
    write_blocks(path, rows_of(COPIES, 200), np.array([0, 100, 200]), COPIES)
    whole = path.read_bytes()
    path.write_bytes(whole[:keep])
    with pytest.raises(PartError, match="saw a damaged one") as caught:
        read_block(path, 1, COPIES)
    assert caught.value.path == path


@pytest.mark.parametrize("byte", [0x01, 0x7F, 0xFF])
@pytest.mark.parametrize("where", [24, 32, 40])
def test_a_damaged_index_is_named(tmp_path, byte, where):
    path = tmp_path / "copies"
    write_blocks(path, rows_of(COPIES, 200), np.array([0, 100, 200]), COPIES)
    whole = bytearray(path.read_bytes())
    whole[where : where + 8] = bytes([byte] * 8)
    path.write_bytes(whole)
    with pytest.raises(PartError, match="saw a damaged one"):
        read_block(path, 1, COPIES)


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(NoRoomError):
        write_blocks(tmp_path / "copies", rows_of(IDS, 5), np.array([0, 5]), IDS)
    assert list(tmp_path.iterdir()) == []
