"""The power-loss proof: what a disk may hold, that FULL is clean, and that the test sees what is not."""

import sqlite3

import pytest

pytest.importorskip("apsw", reason="the watched disk is made with apsw")

from benchmarks.reliability.crash_points import crash_points
from benchmarks.reliability.power_loss import Plan, Synchronous, explore, main
from benchmarks.storage.watched_disk import Create, Delete, DiskLog, Note, Sync, Truncate, Write

SECTORS = b"1" * 512 + b"2" * 512 + b"3" * 512


def _last(log, seed=0):
    return list(crash_points(log, 1, seed))[-1]


def test_what_was_synced_is_there_in_every_way():
    point = _last(DiskLog({"f": b""}, [Write("f", 0, b"abc"), Sync("f")]))
    assert point.dropped == point.kept == point.torn == {"f": b"abc"}


def test_a_new_file_is_there_for_certain_once_the_folder_is_synced():
    made = [Create("f"), Write("f", 0, b"abc"), Sync("f")]
    assert (_last(DiskLog({}, made)).dropped, _last(DiskLog({}, made)).kept) == ({}, {"f": b"abc"})
    assert {frozenset(_last(DiskLog({}, made), seed).torn) for seed in range(20)} == {frozenset(), frozenset({"f"})}
    assert _last(DiskLog({}, [*made, Create("f-wal"), Sync("f-wal", folder=True)])).dropped == {
        "f": b"abc",
        "f-wal": b"",
    }


def test_a_deletion_counts_once_the_folder_is_synced():
    point = _last(DiskLog({"f": b"a", "g": b"b"}, [Delete("f", durable=False)]))
    assert (point.dropped, point.kept) == ({"f": b"a", "g": b"b"}, {"g": b"b"})
    assert _last(DiskLog({"f": b"a"}, [Delete("f", durable=False), Create("h"), Sync("h", folder=True)])).dropped == {
        "h": b""
    }


def test_what_was_not_synced_may_be_there_or_not():
    point = _last(DiskLog({"f": b"old"}, [Write("f", 0, b"new")]))
    assert (point.dropped, point.kept) == ({"f": b"old"}, {"f": b"new"})


def test_writes_tear_at_sectors():
    torn = {bytes(_last(DiskLog({"f": bytes(1536)}, [Write("f", 0, SECTORS)]), seed).torn["f"]) for seed in range(40)}
    zero = bytes(512)
    allowed = {
        a + b + c for a in (zero, SECTORS[:512]) for b in (zero, SECTORS[512:1024]) for c in (zero, SECTORS[1024:])
    }
    assert torn <= allowed
    assert len(torn) > 4


def test_a_failed_sync_forgets_what_was_on_its_way():
    point = _last(DiskLog({"f": b"old"}, [Write("f", 0, b"new"), Sync("f", failed=True), Sync("f")]))
    assert point.dropped == {"f": b"old"}


def test_truncation_and_deletion():
    log = DiskLog({"f": b"abcdef", "g": b"x"}, [Truncate("f", 2), Delete("g")])
    point = _last(log)
    assert (point.dropped, point.kept) == ({"f": b"abcdef"}, {"f": b"ab"})


def test_points_are_places_where_something_happens_to_the_disk():
    log = DiskLog({}, [Note("a"), Write("f", 0, b"1"), Note("b"), Sync("f"), Note("c")])
    assert [point.place for point in crash_points(log, 1, 0)] == [1, 3, 5]
    assert [point.place for point in crash_points(log, 2, 0)] == [1, 5]


def test_a_synced_store_survives_every_power_loss():
    result = explore(Plan(seed=11, steps=60, stride=5, reopen=40))
    assert result.examples == []
    assert result.images > 100


def test_so_does_one_that_commits_in_groups():
    result = explore(Plan(seed=12, steps=80, threads=4, stride=8, reopen=40))
    assert result.examples == []


def test_so_does_one_whose_disk_fails_to_sync():
    result = explore(Plan(seed=3, steps=80, stride=4, failing_sync=25))
    assert result.examples == []


def test_so_does_one_that_makes_its_file():
    result = explore(Plan(seed=4, steps=10, stride=3, fresh=True, reopen=5))
    assert result.examples == []
    assert result.images > 100


@pytest.mark.parametrize("mode", [Synchronous.NORMAL, Synchronous.OFF])
def test_a_store_that_does_not_sync_is_found_out_from_its_first_message_on(mode):
    result = explore(Plan(seed=1, steps=20, stride=10, synchronous=mode, fresh=True, reopen=0))
    assert "lost" in result.problems


@pytest.mark.parametrize("mode", [Synchronous.NORMAL, Synchronous.OFF])
def test_a_store_that_does_not_sync_is_found_out(mode):
    result = explore(Plan(seed=1, stride=30, synchronous=mode, reopen=0))
    assert {"lost", "second copy"} <= result.problems.keys()


def test_the_command_says_what_it_looked_at(capsys):
    assert main(["--steps", "20", "--stride", "9", "--mode", "full"]) == 0
    assert "wrong: none (has to be clean)" in capsys.readouterr().out


def test_the_command_fails_where_a_weak_mode_does_not(capsys):
    assert main(["--steps", "0", "--mode", "normal"]) == 1
    assert "has to fail" in capsys.readouterr().out


def test_the_systems_sqlite_opens_the_images():
    # The images are judged by the sqlite3 of Python, not by the one that apsw brings along.
    assert sqlite3.sqlite_version_info >= (3, 37)
