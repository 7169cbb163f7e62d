"""Every bar of the design is there, and each way of measuring works, here at a size that takes no time."""

from functools import partial

import pytest

from benchmarks.bars.bar import Bar, Measured, SharedMeasurement, paired
from benchmarks.bars.provider.backlog import beside_a_reader, cost_past_backlog, cost_with_backlog, longest_pause, start
from benchmarks.bars.provider.clients import QueueClient, TopicClient
from benchmarks.bars.provider.disk_syncs import per_message_of_many, per_pair, provider_on, slow_disk, watched
from benchmarks.bars.provider.non_persistent import to_python_queue
from benchmarks.bars.provider.peer_queues import (
    lite_queue,
    put_and_get,
    put_get_and_ack,
    put_pop_and_done,
    sqlite_ack_queue,
    sqlite_queue,
    to_peer,
    to_peer_with_threads,
)
from benchmarks.bars.provider.raw_sql import RawSql
from benchmarks.bars.provider.selective_subscriptions import routing
from benchmarks.bars.provider.throughput import compared
from benchmarks.bars.provider.virtual_time import hot_path, waiting
from benchmarks.bars.registry import all_bars
from benchmarks.storage.provider_files import open_file
from benchmarks.storage.storage_media import Medium, fastest_folder, folder_on, parent_on
from benchmarks.unavailable import Unavailable
from tck.api import DeliveryMode, Session

DESIGNED = [*(f"P{number}" for number in range(1, 18)), "C1", "C2"]
GATED = ["P4", "P5", "P10", "P11", "P12", "P16", "C1"]


def _memory():
    try:
        parent_on(Medium.MEMORY)
    except Unavailable:
        pytest.skip("there is no memory file system here")


def test_the_bars_of_the_design_are_there():
    assert set(DESIGNED) <= all_bars().keys()


def test_those_that_do_not_depend_on_the_machine_are_gated():
    assert {name for name, bar in all_bars().items() if bar.gated and name in DESIGNED} == set(GATED)


def test_stretch_is_no_easier_than_what_is_required():
    for bar in all_bars().values():
        assert bar.stretch >= bar.require if bar.higher else bar.stretch <= bar.require, bar.id


def test_a_measurement_of_several_figures_is_taken_once():
    runs = []
    both = SharedMeasurement(lambda: runs.append(1) or [Measured(1.0), Measured(2.0)])
    assert [both.figure(0).value, both.figure(1).value] == [1.0, 2.0]
    assert runs == [1]


def test_a_bar_of_which_more_is_better_is_met_from_what_it_requires_on():
    bar = Bar("X", "what", "unit", "-", 0.5, 0.9, lambda: Measured(1), higher=True)
    assert bar.met(Measured(0.5))
    assert not bar.met(Measured(0.49))


def test_paired_takes_another_clock():
    ticks = iter(range(1000))
    assert paired(lambda: None, lambda: None, rounds=3, clock=lambda: float(next(ticks))) == (1.0, 1.0)


def test_raw_sql_leaves_nothing_behind():
    with fastest_folder() as folder:
        raw = RawSql(folder / "raw.sqlite")
        raw.pairs(3)
        raw.transactions(2, 5)
        raw.rounds(2, "[1, 2, 3]")
        assert raw.execute("select count(*) from message").fetchone() == (0,)
        assert raw.execute("select count(*) from delivery").fetchone() == (0,)
        raw.close()


def test_the_provider_does_the_same_work():
    with fastest_folder() as folder, open_file(folder / "provider.sqlite") as provider:
        client = QueueClient(provider)
        client.pairs(3)
        QueueClient(provider, Session.SESSION_TRANSACTED).transactions(2, 5)
        TopicClient(provider, 3).rounds(2)
        assert provider.pending(client.queue) == 0


def test_rates_name_both_sides():
    _memory()
    measured = compared(lambda: sum(range(2000)), lambda: sum(range(20_000)), Medium.MEMORY, 1, 5)
    assert measured.value > 2
    assert "provider" in measured.detail
    assert "raw" in measured.detail


def test_a_folder_on_disk_is_on_no_memory_file_system():
    try:
        with folder_on(Medium.DISK) as folder:
            assert folder.is_dir()
    except Unavailable:
        return
    assert not folder.exists()


def test_syncs_are_counted_below_sqlite():
    pytest.importorskip("apsw")
    assert per_pair(Session.AUTO_ACKNOWLEDGE, count=50).value == pytest.approx(2.0, abs=0.1)
    assert per_pair(Session.SESSION_TRANSACTED, count=200).value == pytest.approx(0.02, abs=0.02)
    assert per_pair(Session.AUTO_ACKNOWLEDGE, DeliveryMode.NON_PERSISTENT, count=50).value == 0


def test_the_store_counts_as_many_syncs_as_there_are():
    pytest.importorskip("apsw")
    with watched(0) as (folder, disk), provider_on(folder, disk) as provider:
        client, counted, real = QueueClient(provider), provider.store.syncs, disk.controls.syncs
        client.pairs(450)  # enough for a checkpoint
        # SQLite syncs once more when a log begins anew, which the store does not count
        assert provider.store.syncs - counted == pytest.approx(disk.controls.syncs - real, rel=0.01)


def test_many_threads_share_syncs():
    pytest.importorskip("apsw")
    assert per_message_of_many(4, 20).value < 2
    assert slow_disk(2, 3, 1).value > 0


@pytest.mark.parametrize(
    ("library", "opened", "chunk"),
    [
        ("persistqueue", sqlite_queue, put_and_get),
        ("persistqueue", sqlite_ack_queue, put_get_and_ack),
        ("litequeue", lite_queue, put_pop_and_done),
    ],
    ids=["SQLiteQueue", "SQLiteAckQueue", "LiteQueue"],
)
def test_peers_do_the_same_work(library, opened, chunk):
    _memory()
    pytest.importorskip(library)
    assert to_peer(Medium.MEMORY, opened, chunk, Session.AUTO_ACKNOWLEDGE, 1).value > 0


@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # of PersistQueue, one for each thread
def test_a_peer_with_threads():
    _memory()
    pytest.importorskip("persistqueue")
    assert to_peer_with_threads(Medium.MEMORY, 2, 5, 1).value > 0


@pytest.mark.parametrize(
    "measure",
    [
        partial(cost_with_backlog, 2000, 2),
        partial(start, 2000, 1),
    ],
    ids=["P10", "P12"],
)
def test_several_figures_beside_a_backlog(measure):
    _memory()
    assert all(figure.value > 0 for figure in measure())


@pytest.mark.parametrize(
    "measure",
    [
        partial(cost_past_backlog, 600, 2),
        partial(longest_pause, 2000, 20),
        partial(beside_a_reader, 1024),
        partial(to_python_queue, 50, 2),
        partial(hot_path, 20, 2),
        partial(waiting, 20),
        partial(routing, 40, 2),
    ],
    ids=["P11", "P13", "P14", "P9", "P17", "P17w", "P16p"],
)
def test_one_figure(measure):
    _memory()
    assert measure().value > 0
