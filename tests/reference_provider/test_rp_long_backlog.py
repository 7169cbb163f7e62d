"""Selectors over backlogs so long that nobody may hold the broker for a look at all of it."""

import threading

import pytest
from rp_support import Keeping, connect, send, session_of, texts_of

from reference_provider.adapter import open_provider
from tck.api import DeliveryMode, Session

MANY = 3500  # more than are tested against a selector at once, hot or cold


@pytest.fixture
def backlog(tmp_path):
    """Give the settings of a provider whose queue holds many cold messages, the last of them for "b"."""
    settings = {"file": str(tmp_path / "backlog.sqlite")}
    provider = open_provider(settings, tmp_path)
    session = session_of(provider, Session.SESSION_TRANSACTED)
    producer = session.create_producer(provider.create_queue("long"))
    for number in range(MANY):
        message = session.create_text_message(str(number))
        message.set_string_property("to", "b" if number == MANY - 1 else "a")
        producer.send(message)
    session.commit()
    provider.close()
    return settings


def _consumer(session, provider, selector="to = 'b'"):
    return session.create_consumer(provider.create_queue("long"), selector)


def test_a_look_for_a_message_holds_the_broker_for_a_bounded_part_of_the_backlog(backlog, tmp_path):
    provider = open_provider(backlog, tmp_path)
    session = session_of(provider)
    consumer = _consumer(session, provider)
    broker, stream, takes = provider.server.broker, consumer.receiver.delivery_queue, 0
    with broker.lock:
        while (delivery := consumer.receiver.take()) is None and stream.cut_short:
            takes += 1
    assert delivery is not None
    assert delivery.entry.snapshot.body == str(MANY - 1)
    assert takes >= MANY // 256  # one block of bodies is read within one hold
    provider.close()


def test_no_message_is_missed_by_those_who_do_not_wait(backlog, tmp_path):
    provider = open_provider(backlog, tmp_path)
    consumer = _consumer(session_of(provider), provider)
    assert consumer.receive_no_wait().text == str(MANY - 1)
    assert consumer.receive_no_wait() is None
    provider.close()


def test_hot_messages_count_as_well(tmp_path):
    provider = open_provider({}, tmp_path)
    session = session_of(provider)
    queue = provider.create_queue("long")
    send(session, queue, *map(str, range(MANY)), delivery_mode=DeliveryMode.NON_PERSISTENT)
    consumer = _consumer(session, provider, "JMSPriority = 9")
    with provider.server.broker.lock:
        assert consumer.receiver.take() is None
        assert consumer.receiver.delivery_queue.cut_short
    send(session, queue, "wanted", priority=9, delivery_mode=DeliveryMode.NON_PERSISTENT)
    assert consumer.receive(10_000).text == "wanted"
    provider.close()


def test_listeners_with_selectors_find_what_stands_at_the_end(backlog, tmp_path):
    provider = open_provider(backlog, tmp_path)
    connection = connect(provider, start=False)
    session = connection.create_session()
    found = threading.Event()
    wanted, nothing = Keeping(lambda _: found.set()), Keeping()
    _consumer(session, provider).message_listener = wanted
    _consumer(session, provider, "to = 'nobody'").message_listener = nothing
    connection.start()
    assert found.wait(30)
    assert wanted.texts == [str(MANY - 1)]
    assert nothing.texts == []
    provider.close()


def test_others_go_on_while_one_looks_through_the_backlog(backlog, tmp_path):
    provider = open_provider(backlog, tmp_path)
    looking = _consumer(session_of(provider), provider, "to = 'nobody'")
    others = session_of(provider)
    queue = provider.create_queue("other")
    done = threading.Event()

    def look():
        looking.receive_no_wait()
        done.set()

    thread = threading.Thread(target=look)
    thread.start()
    passed = 0
    while not done.is_set():
        send(others, queue, "x", delivery_mode=DeliveryMode.NON_PERSISTENT)
        passed += 1
    thread.join(30)
    assert not thread.is_alive()
    assert passed > MANY // 256 // 2, f"only {passed} sends went through beside {MANY // 256} blocks read"
    consumer = others.create_consumer(queue)
    assert len(texts_of(consumer, passed + 1)) == passed
    provider.close()


def test_a_browser_looks_through_a_backlog_in_parts_and_sees_all_of_it(backlog, tmp_path):
    provider = open_provider(backlog, tmp_path)
    session, others = session_of(provider), session_of(provider)
    queue = provider.create_queue("long")
    taker = others.create_consumer(queue)
    parts = list(provider.server.broker.physical_destination(queue).delivery_queue.free_in_parts())
    assert len(parts) > MANY // 256
    assert taker.receive(1000).text == "0"
    with provider.server.broker.lock:
        seen = [entry.snapshot.body for part in parts for entry in part()]
    assert seen == [str(number) for number in range(1, MANY)]
    browser = session.create_browser(queue)
    assert [message.text for message in browser.get_enumeration()] == seen
    assert [message.text for message in session.create_browser(queue, "to = 'b'").get_enumeration()] == [str(MANY - 1)]
    provider.close()
