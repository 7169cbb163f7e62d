"""Kills and load, in the short form; and that both would see a fault."""

import random
import sqlite3
import threading
from contextlib import closing

import pytest

from benchmarks.reliability.crash import KillTime, crash, kill_time
from benchmarks.reliability.crash import main as crash_main
from benchmarks.reliability.history import Begin, End, History, Item
from benchmarks.reliability.soak import WorkerThreads, soak
from benchmarks.reliability.verify import verify, verify_file
from benchmarks.reliability.worker import Worker, WorkOptions, prepare, queue_stream
from benchmarks.storage.provider_files import open_file


def test_kills_lose_and_double_nothing():
    result = crash(3, seed=21)
    assert result.problems == []
    assert result.kills == 3


def test_the_command_reports_each_kill(capsys):
    assert crash_main(["--kills", "1", "--seed", "4"]) == 0
    assert "1 kills, " in capsys.readouterr().out


def test_some_kills_come_while_the_file_is_opened():
    moments = [kill_time(random.Random(seed)) for seed in range(100)]  # noqa: S311 - no secret
    assert any(one.events == 0 for one in moments)
    assert all(one == KillTime(0, one.seconds) or 1 <= one.events <= 2048 for one in moments)


def test_load_loses_and_doubles_nothing():
    result = soak(3, 4, seed=21)
    assert result.problems == []
    assert result.stuck == []
    assert result.steps > 0


@pytest.fixture
def worked(tmp_path):
    """A file on which a worker has worked, and the history of it."""
    history, file = History(), tmp_path / "provider.sqlite"
    with open_file(file) as provider:
        prepare(provider, 1)
        options = WorkOptions(lazy=False, listeners=False)
        worker = Worker(provider, 0, workers=1, run="run", seed=5, report=history.add, options=options)
        for _ in range(60):
            worker.step()
        worker.close()
    return file, history


def _problems(file, history):
    with open_file(file) as provider:
        choice = random.Random(1)  # noqa: S311 - no secret
        return {problem.split(":")[0] for problem in verify(provider, history, 1, choice, keep=True)}


def test_a_file_left_alone_is_right(worked):
    assert _problems(*worked) == set()
    assert verify_file(worked[0]) == []


def test_a_row_that_is_gone_is_missed(worked):
    with closing(sqlite3.connect(worked[0], isolation_level=None)) as connection:
        connection.execute("delete from message where destination in (select id from destination where kind = 'queue')")
    assert _problems(*worked) == {"lost"}


def test_a_row_too_many_is_seen(worked):
    with closing(sqlite3.connect(worked[0], isolation_level=None)) as connection:
        connection.execute(
            "insert into message (id, destination, priority, expires, due, headers, body) select 999999, destination,"
            " priority, expires, due, headers, body from message m join destination d on d.id = m.destination"
            " where d.kind = 'queue' limit 1"
        )
    assert "twice" in _problems(*worked)


def test_a_step_that_left_no_trace_is_missed(worked):
    file, history = worked
    history.add(Begin("invented", adds=(Item(queue_stream("orders"), "nobody/1/4/plain"),)))
    history.add(End("invented"))
    assert _problems(file, history) == {"lost"}


def test_an_orphan_in_the_file_is_seen(worked):
    with closing(sqlite3.connect(worked[0], isolation_level=None)) as connection:
        connection.execute("insert into delivery (message, subscription) select 987654, min(id) from subscription")
    assert verify_file(worked[0]) == ["file: 1 deliveries without a message"]


class _Stuck:
    def __init__(self, release):
        self.release = release

    def step(self):
        self.release.wait(20)

    def close(self):
        pass


def test_a_worker_that_makes_no_step_counts_as_stuck():
    release = threading.Event()
    try:
        assert WorkerThreads([_Stuck(release)]).run(5, patience=0.3) == ["soak-0"]
    finally:
        release.set()


def test_an_error_of_a_worker_is_a_finding():
    class Failing:
        def step(self):
            raise ValueError("as the test wished")

        def close(self):
            pass

    threads = WorkerThreads([Failing()])
    assert threads.run(5, patience=1) == []
    assert threads.errors == ["worker 0 failed: ValueError: as the test wished"]
