"""What the writer of the file keeps to: garbage, the read it keeps open, leadership, and the end after a failure."""

import sqlite3
import threading
from contextlib import closing

import pytest
from rp_support import send, session_of

from reference_provider.adapter import open_provider
from reference_provider.store import Cleaning, Store, StoreOptions
from tck.api import JMSException


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "file.sqlite", threading.Lock(), StoreOptions(checkpoint_interval=5))
    yield made
    made.close()


def _key(name):
    return ("insert into meta (key) values (?)", (name,))


def _keys(path):
    with closing(sqlite3.connect(path)) as connection:
        return sorted(key for (key,) in connection.execute("select key from meta"))


def test_garbage_goes_with_the_next_commit(store):
    store.commit(Cleaning([_key("old"), _key("kept")]))
    store.run_with_next_commit([("delete from meta where key = ?", ("old",))])
    assert _keys(store.path) == ["kept", "old"]
    store.commit(Cleaning([_key("new")]))
    assert _keys(store.path) == ["kept", "new"]


def test_garbage_outlives_the_commit_it_was_to_go_with(store):
    store.commit(Cleaning([_key("old"), _key("kept")]))
    store.run_with_next_commit([("delete from meta where key = ?", ("old",))])
    with pytest.raises(JMSException, match="UNIQUE"):
        store.commit(Cleaning([_key("kept")]))
    assert _keys(store.path) == ["kept", "old"]
    store.commit(Cleaning([]))
    assert _keys(store.path) == ["kept"]


def test_an_expired_message_leaves_the_file_though_the_commit_beside_it_failed(tmp_path):
    provider = open_provider({"clock": "virtual"}, tmp_path)
    session = session_of(provider)
    queue = provider.create_queue("q")
    send(session, queue, "short-lived", time_to_live=10)
    provider.clock.advance(20)
    assert session.create_consumer(queue).receive_no_wait() is None
    with pytest.raises(JMSException, match="no such table"):
        provider.store.commit(Cleaning([("delete from nowhere", ())]))
    send(session, provider.create_queue("other"), "x")
    assert provider.store.read_one("select count(*) from message") == (1,)
    provider.close()


def test_the_log_is_reused_after_each_checkpoint(store):
    log = store.path.with_name(store.path.name + "-wal")
    for number in range(50):
        store.commit(Cleaning([_key(f"k{number}")]))
    early = log.stat().st_size
    for number in range(50, 500):
        store.commit(Cleaning([_key(f"k{number}")]))
    assert log.stat().st_size <= early * 2


def test_readers_see_each_commit_beside_the_open_read(store):
    with closing(sqlite3.connect(store.path)) as reader:
        for number in range(20):
            store.commit(Cleaning([_key(f"k{number:02}")]))
            assert reader.execute("select max(key) from meta").fetchone() == (f"k{number:02}",)


@pytest.mark.parametrize("statements", [[_key("a")], [_key("a"), _key("b")]])
def test_a_write_by_somebody_else_is_no_obstacle(store, statements):
    store.commit(Cleaning([_key("mine")]))
    with closing(sqlite3.connect(store.path)) as stranger:
        stranger.execute("insert into meta (key) values ('stranger')")
        stranger.commit()
    store.commit(Cleaning(statements))
    assert _keys(store.path) == sorted(["mine", "stranger", *(parameters[0] for _, parameters in statements)])


def test_leadership_passes_on_to_all_who_wait(store):
    def work(thread):
        for number in range(40):
            store.commit(Cleaning([_key(f"{thread}-{number}")]))

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert not any(one.is_alive() for one in threads)
    assert len(_keys(store.path)) == 12 * 40


def test_a_provider_whose_disk_has_failed_can_still_be_closed_and_opened_again(tmp_path):
    provider = open_provider({}, tmp_path)
    queue = provider.create_queue("q")
    send(session_of(provider), queue, "kept")
    provider.store.exclusively(lambda connection: provider.store._committer._stop_if_disk_failed(_disk_error()))
    with pytest.raises(JMSException, match="stopped"):
        send(session_of(provider), queue, "refused")
    provider.restart()
    assert session_of(provider).create_consumer(queue).receive(1000).text == "kept"
    provider.close()


def _disk_error():
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return error
