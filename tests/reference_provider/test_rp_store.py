"""The file: groups of commits, refusals, full disks."""

import sqlite3
import threading
from contextlib import closing

import pytest

from reference_provider.store import Store, StoreOptions
from reference_provider.store.schema import SCHEMA_VERSION
from tck.api import JMSException, ResourceAllocationException


class Rows:
    """A unit that inserts names."""

    def __init__(self, *names, durable=True, log=None):
        self.names, self.durable, self.log = names, durable, log if log is not None else []

    def statements(self):
        """Insert the names."""
        return [("insert into meta (key) values (?)", (name,)) for name in self.names]

    def after(self):
        """Log them."""
        self.log.append(self.names)


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "file.sqlite", threading.Lock(), StoreOptions())
    yield made
    made.close()


def _keys(path):
    with closing(sqlite3.connect(path)) as connection:
        return sorted(key for (key,) in connection.execute("select key from meta"))


def test_a_new_file_has_the_schema_and_costs_no_counted_sync(store):
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("pragma user_version").fetchone() == (SCHEMA_VERSION,)
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert store.syncs == 0


def test_a_unit_is_in_the_file_when_commit_returns(store):
    log = []
    store.commit(Rows("a", "b", log=log))
    assert _keys(store.path) == ["a", "b"]
    assert log == [("a", "b")]
    assert store.syncs == 1


def test_a_lazy_unit_costs_no_sync_and_is_in_the_file_all_the_same(store):
    store.commit(Rows("a", durable=False))
    assert _keys(store.path) == ["a"]
    assert store.syncs == 0
    store.commit(Rows("b"))
    assert store.syncs == 1


def test_a_failing_unit_leaves_nothing_and_does_no_harm_to_others(store):
    store.commit(Rows("a"))
    log = []
    with pytest.raises(JMSException) as caught:
        store.commit(Rows("b", "a", log=log))
    assert isinstance(caught.value.linked_exception, sqlite3.IntegrityError)
    assert log == []
    store.commit(Rows("c"))
    assert _keys(store.path) == ["a", "c"]


def test_units_of_many_threads_share_their_syncs(store):
    log, errors = [], []

    def work(who):
        try:
            for step in range(50):
                store.commit(Rows(f"{who}-{step}", log=log))
        except JMSException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert errors == []
    assert len(_keys(store.path)) == 400
    assert len(log) == 400
    assert store.syncs < 400


def test_in_a_group_only_the_guilty_unit_fails(store):
    store.commit(Rows("taken"))
    failed = []

    def work(who):
        for step in range(30):
            name = "taken" if who == 0 else f"{who}-{step}"
            try:
                store.commit(Rows(name))
            except JMSException:
                failed.append(name)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failed == ["taken"] * 30
    assert len(_keys(store.path)) == 91


def test_the_log_is_moved_into_the_file_now_and_then_also_with_a_reader_in_the_way(store):
    with closing(sqlite3.connect(store.path)) as reader:
        reader.execute("begin")
        reader.execute("select count(*) from meta").fetchone()
        for step in range(1700):
            store.commit(Rows(str(step), durable=False))
        assert 1 <= store.syncs // 2 <= 3
    store.commit(Rows("end"))


def test_a_second_provider_on_the_file_is_refused(store):
    with pytest.raises(JMSException, match="another provider has this file open"):
        Store(store.path, threading.Lock(), StoreOptions())
    store.commit(Rows("still works"))


def test_a_file_can_be_opened_again_after_it_was_abandoned(tmp_path):
    first = Store(tmp_path / "f.sqlite", threading.Lock(), StoreOptions())
    first.commit(Rows("a"))
    first.abandon()
    with pytest.raises(JMSException):
        first.commit(Rows("b"))
    second = Store(tmp_path / "f.sqlite", threading.Lock(), StoreOptions())
    assert list(second.rows("select key from meta")) == [("a",)]
    second.close()


def test_a_newer_schema_is_refused(tmp_path):
    path = tmp_path / "f.sqlite"
    Store(path, threading.Lock(), StoreOptions()).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(JMSException, match="newer provider") as caught:
        Store(path, threading.Lock(), StoreOptions())
    assert caught.value.error_code == "FILE_TOO_NEW"


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "f.sqlite"
    path.write_bytes(b"this is no database, whatever its name says" * 100)
    with pytest.raises(JMSException, match="no intact database") as caught:
        Store(path, threading.Lock(), StoreOptions())
    assert caught.value.error_code == "FILE_DAMAGED"
    assert path.read_bytes().startswith(b"this is no database")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(JMSException, match="cannot open"):
        Store(tmp_path / "missing" / "f.sqlite", threading.Lock(), StoreOptions())


def test_a_full_disk_is_a_resource_problem_and_nothing_is_lost(tmp_path):
    store = Store(tmp_path / "f.sqlite", threading.Lock(), StoreOptions(max_pages=40))
    store.commit(Rows("kept"))
    with pytest.raises(ResourceAllocationException, match="no room"):
        store.commit(Rows(*(f"{step}-{'x' * 1000}" for step in range(200))))
    store.commit(Rows("small"))
    store.close()
    assert _keys(store.path) == ["kept", "small"]
