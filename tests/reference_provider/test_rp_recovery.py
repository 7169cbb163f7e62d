"""The file from outside: inspection while a provider runs, unfit files, full disks, cold bodies, recovery in numbers."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from rp_support import connect, send, session_of, texts_of

from reference_provider.adapter import open_provider
from tck.api import DeliveryMode, JMSException, ResourceAllocationException, Session, XAResource, Xid


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def _command(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "reference_provider", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_inspect_and_peek_show_all_while_the_provider_runs(provider, queue, tmp_path):
    topic = provider.create_topic("t")
    session = session_of(provider, client_id="me")
    session.create_durable_consumer(topic, "s", "JMSPriority > 3", True).close()
    session.create_shared_durable_consumer(topic, "shared").close()
    send(session_of(provider), topic, "for both")
    send(session, queue, "low", "low too", priority=1)
    send(session, queue, "high", priority=9)
    send(session, queue, "late", delivery_delay=10_000_000)
    xa = provider.xa_connection_factory().create_xa_connection().create_xa_session()
    xa.xa_resource.start(Xid(7, b"\x01", b"\x02"), XAResource.TMNOFLAGS)
    send(xa, queue, "prepared")
    xa.xa_resource.end(Xid(7, b"\x01", b"\x02"), XAResource.TMSUCCESS)
    xa.xa_resource.prepare(Xid(7, b"\x01", b"\x02"))
    provider.bind("queues/q", queue)
    file = tmp_path / "provider.sqlite"
    code, out, _ = _command("inspect", file, "--format", "json")
    report = json.loads(out)
    assert code == 0
    assert report["destinations"] == [
        {"kind": "queue", "name": "q", "messages": 5, "delayed": 1, "expired": 0},
        {"kind": "topic", "name": "t", "messages": 1, "delayed": 0, "expired": 0},
    ]
    assert [(one["name"], one["backlog"], one["shared"], one["no_local"]) for one in report["subscriptions"]] == [
        ("s", 1, False, True),
        ("shared", 1, True, False),
    ]
    assert report["branches"] == [
        {
            "format_id": 7,
            "global_transaction_id": "01",
            "branch_qualifier": "02",
            "state": "prepared",
            "sent": 1,
            "received": 0,
        }
    ]
    assert report["names"] == ["queues/q"]
    code, out, _ = _command("peek", file, "q", "--limit", 2, "--format", "json")
    assert [one["body"] for one in json.loads(out)] == ["high", "late"]
    assert "s of me on t: 1 messages, noLocal, selector JMSPriority > 3" in _command("inspect", file)[1]
    assert "high" in _command("peek", file, "q")[1]
    assert provider.pending(queue) == 4


def test_commands_refuse_what_is_no_file_of_a_provider(tmp_path):
    (tmp_path / "text").write_text("no database" * 100)
    for file, reason in ((tmp_path / "missing", "there is no file"), (tmp_path / "text", "no intact database")):
        code, out, err = _command("inspect", file)
        assert (code, out) == (1, "")
        assert reason in err
        assert "Traceback" not in err


def test_a_second_provider_on_the_file_is_refused(provider, tmp_path):
    with pytest.raises(JMSException, match="another provider"):
        open_provider({}, tmp_path)
    assert connect(provider) is not None


def test_a_full_disk_refuses_the_send_and_keeps_all_else(tmp_path):
    with open_provider({"clock": "virtual", "max_pages": 60}, tmp_path) as provider, provider.clock.actor():
        queue = provider.create_queue("q")
        session = session_of(provider, Session.SESSION_TRANSACTED)
        send(session, queue, "kept")
        session.commit()
        plain = session_of(provider)
        sent = 0
        with pytest.raises(ResourceAllocationException):  # noqa: PT012 # one of many sends
            for _ in range(100):
                send(plain, queue, "x" * 4000)
                sent += 1
        assert 0 < sent < 100
        send(plain, queue, "not stored", delivery_mode=DeliveryMode.NON_PERSISTENT)
        consumer = plain.create_consumer(queue)
        assert len(texts_of(consumer)) == sent + 2
        send(plain, queue, "room again")
        assert texts_of(consumer) == ["room again"]


def test_bodies_leave_memory_and_come_back_in_order(provider, queue, monkeypatch):
    from reference_provider.broker.physical_destinations import PhysicalQueue

    session = session_of(provider, Session.SESSION_TRANSACTED)
    with provider.server.broker.lock:
        physical = provider.server.broker.physical_destination(queue)
    assert isinstance(physical, PhysicalQueue)
    monkeypatch.setattr(physical.delivery_queue, "_memory_limit", 50)
    texts = [str(number) for number in range(700)]
    send(session, queue, *texts)
    session.commit()
    assert len(physical.delivery_queue._in_memory) == 50
    consumer = session.create_consumer(queue)
    assert texts_of(consumer, 300) == texts[:300]
    session.rollback()
    assert [message.text for message in session.create_browser(queue).get_enumeration()] == texts
    assert texts_of(consumer, 1000) == texts
    assert len(physical.delivery_queue._in_memory) <= 50 + 2 * 256
    session.commit()
    assert provider.pending(queue) == 0


def test_a_selecting_consumer_reads_cold_messages_too(provider, queue):
    session = session_of(provider, Session.SESSION_TRANSACTED)
    producer = session.create_producer(queue)
    for number in range(600):
        message = session.create_text_message(str(number))
        message.set_int_property("n", number)
        producer.send(message)
    session.commit()
    provider.kill()
    session = session_of(provider)
    assert texts_of(session.create_consumer(queue, "n >= 595")) == ["595", "596", "597", "598", "599"]
    assert session.create_consumer(queue).receive(1).text == "0"


def test_redelivery_counts_survive_a_crash(provider, queue):
    topic = provider.create_topic("t")
    for _ in range(2):
        session = session_of(provider, Session.SESSION_TRANSACTED, client_id="me")
        consumers = [session.create_consumer(queue), session.create_durable_consumer(topic, "s")]
        if session.connection.broker.pending(queue) == 0:
            other = session_of(provider)
            send(other, queue, "x")
            send(other, topic, "x")
        for consumer in consumers:
            consumer.receive(1)
            session.rollback()
            consumer.receive(1)
        provider.kill()
    session = session_of(provider, client_id="me")
    for consumer in (session.create_consumer(queue), session.create_durable_consumer(topic, "s")):
        assert consumer.receive(1).get_int_property("JMSXDeliveryCount") == 5


def test_what_was_never_delivered_comes_unmarked_after_an_orderly_stop(provider, queue):
    topic = provider.create_topic("t")
    session = session_of(provider, Session.SESSION_TRANSACTED, client_id="me")
    consumers = [session.create_consumer(queue), session.create_durable_consumer(topic, "s")]
    send(session_of(provider), queue, "1", "2", "3", "4")
    send(session_of(provider), topic, "1", "2", "3", "4")
    for consumer in consumers:
        consumer.receive(1)
        consumer.receive(1)  # notes in the file the third along
    provider.restart()
    session = session_of(provider, client_id="me")
    for consumer in (session.create_consumer(queue), session.create_durable_consumer(topic, "s")):
        counts = [consumer.receive(1).get_int_property("JMSXDeliveryCount") for _ in range(4)]
        assert counts == [2, 2, 1, 1]


def test_what_a_prepared_branch_holds_stays_marked_over_an_orderly_stop(provider, queue):
    send(session_of(provider), queue, "1", "2", "3")
    connection = provider.xa_connection_factory().create_xa_connection()
    connection.start()
    session = connection.create_xa_session()
    resource, xid = session.xa_resource, Xid(1, b"g", b"b")
    resource.start(xid, XAResource.TMNOFLAGS)
    consumer = session.create_consumer(queue)
    consumer.receive(1)
    consumer.receive(1)
    resource.end(xid, XAResource.TMSUCCESS)
    resource.prepare(xid)
    provider.restart()
    provider.xa_connection_factory().create_xa_connection().create_xa_session().xa_resource.rollback(xid)
    consumer = session_of(provider).create_consumer(queue)
    assert [consumer.receive(1).jms_redelivered for _ in range(3)] == [True, True, False]


def test_an_expired_row_is_removed(provider, queue, tmp_path):
    session = session_of(provider)
    send(session, queue, "x", time_to_live=100)
    provider.kill()
    provider.clock.advance(100)
    assert session_of(provider).create_consumer(queue).receive(1) is None
    provider.restart()
    with closing(sqlite3.connect(tmp_path / "provider.sqlite")) as connection:
        assert connection.execute("select count(*) from message").fetchone() == (0,)


def test_a_stopped_provider_leaves_one_file(tmp_path):
    with open_provider({"clock": "virtual"}, tmp_path) as provider, provider.clock.actor():
        send(session_of(provider), provider.create_queue("q"), "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["provider.sqlite", "provider.sqlite.lock"]
