"""Message listeners: what a failure does in each mode, recovery, closing from inside, redelivery limits."""

import pytest
from rp_support import Keeping, connect, send, session_of, texts_of

from reference_provider.adapter import open_provider
from tck.api import Session


@pytest.fixture
def queue(provider):
    return provider.create_queue("q")


def _listen(provider, queue, mode, work, count):
    """Run `work(message, session)` for `count` messages; return what came as (text, redelivered, delivery count)."""
    seen, done = [], provider.clock.event()
    session = session_of(provider, mode)

    def on_message(message):
        seen.append((message.text, message.jms_redelivered, message.get_int_property("JMSXDeliveryCount")))
        try:
            work(message, session)
        finally:
            if len(seen) == count:
                done.set()

    session.create_consumer(queue).message_listener = Keeping(on_message)
    assert done.wait(5000), seen
    session.connection.stop()
    return session, seen


def _fail(message):
    raise RuntimeError(message.text)


@pytest.mark.parametrize("mode", [Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE])
def test_a_failed_message_is_redelivered_at_once(provider, queue, mode):
    send(session_of(provider), queue, "a", "b")
    fails = iter([True, True, False, False])
    session, seen = _listen(provider, queue, mode, lambda message, _: next(fails) and _fail(message), 4)
    assert seen == [("a", False, 1), ("a", True, 2), ("a", True, 3), ("b", False, 1)]
    session.close()
    assert provider.pending(queue) == 0


def test_each_delivery_has_its_own_time_of_receipt(provider, queue):
    send(session_of(provider), queue, "a")
    stamps = []

    def work(message, _):
        stamps.append(message.get_long_property("JMSXRcvTimestamp"))
        if len(stamps) == 1:
            provider.clock.event().wait(50)
            _fail(message)

    _listen(provider, queue, Session.AUTO_ACKNOWLEDGE, work, 2)
    assert stamps[1] - stamps[0] >= 50


def test_with_client_acknowledge_the_next_message_follows_and_recover_brings_the_failed_one_back(provider, queue):
    send(session_of(provider), queue, "a", "b")

    def work(message, session):
        if message.text == "a" and not message.jms_redelivered:
            _fail(message)
        if message.text == "b" and not message.jms_redelivered:
            session.recover()

    session, seen = _listen(provider, queue, Session.CLIENT_ACKNOWLEDGE, work, 4)
    assert seen == [("a", False, 1), ("b", False, 1), ("a", True, 2), ("b", True, 2)]
    session.close()
    assert provider.pending(queue) == 2


def test_in_a_transaction_a_failure_decides_nothing(provider, queue):
    send(session_of(provider), queue, "a", "b", "c")

    def work(message, session):
        if message.text == "a" and not message.jms_redelivered:
            _fail(message)
        if message.text == "b":
            session.rollback() if not message.jms_redelivered else session.commit()

    _, seen = _listen(provider, queue, Session.SESSION_TRANSACTED, work, 5)
    assert [text for text, _, _ in seen] == ["a", "b", "a", "b", "c"]
    assert provider.pending(queue) == 1


def test_recover_inside_a_listener_brings_its_message_back_in_auto_mode(provider, queue):
    send(session_of(provider), queue, "a")
    _, seen = _listen(
        provider, queue, Session.AUTO_ACKNOWLEDGE, lambda message, s: message.jms_redelivered or s.recover(), 2
    )
    assert seen == [("a", False, 1), ("a", True, 2)]
    assert provider.pending(queue) == 0


def test_a_listener_may_close_its_own_consumer(provider, queue):
    done = provider.clock.event()
    session = session_of(provider)
    consumer = session.create_consumer(queue)
    answers = provider.create_queue("answers")

    def work(message):
        consumer.close()
        send(session, answers, message.text)
        done.set()

    listener = Keeping(work)
    consumer.message_listener = listener
    send(session_of(provider), queue, "a", "b")
    assert done.wait(None)
    session.close()
    other = session_of(provider)
    assert texts_of(other.create_consumer(queue)) == ["b"]
    assert texts_of(other.create_consumer(answers)) == ["a"]


def test_closing_a_consumer_waits_for_its_listener_only(provider, queue):
    other = provider.create_queue("other")
    session = session_of(provider)
    entered, leave, log = provider.clock.event(), provider.clock.event(), []

    def work(_message):
        entered.set()
        leave.wait(None)
        log.append("left")

    busy, idle = session.create_consumer(queue), session.create_consumer(other)
    busy.message_listener, idle.message_listener = Keeping(work), Keeping()
    send(session_of(provider), queue, "a")
    entered.wait(None)
    idle.close()
    log.append("idle closed")
    provider.clock.call_at(provider.clock.now() + 50, leave.set)
    busy.close()
    log.append("busy closed")
    assert log == ["idle closed", "left", "busy closed"]


def test_listeners_of_a_session_take_turns_and_those_of_two_run_together(provider, queue):
    meeting = [provider.clock.event(), provider.clock.event()]
    connection = connect(provider)
    topic = provider.create_topic("t")
    met, done = [], provider.clock.event()

    def meet(me):
        def work(_message):
            meeting[me].set()
            met.append(meeting[1 - me].wait(1000))
            if len(met) == 2:
                done.set()

        return work

    for me in (0, 1):
        connection.create_session().create_consumer(topic).message_listener = Keeping(meet(me))
    send(session_of(provider), topic, "x")
    assert done.wait(None)
    assert met == [True, True]
    connection.close()


def test_a_listener_can_be_taken_away(provider, queue):
    session = session_of(provider)
    consumer, listener = session.create_consumer(queue), Keeping()
    consumer.message_listener = listener
    assert consumer.message_listener is listener
    consumer.message_listener = None
    assert consumer.message_listener is None
    send(session_of(provider), queue, "x")
    assert consumer.receive(1).text == "x"
    assert listener.texts == []


def test_two_listeners_share_a_session_without_starving_each_other(provider):
    queues = [provider.create_queue(name) for name in "ab"]
    session, order, done = session_of(provider), [], provider.clock.event()
    connection = session.connection
    connection.stop()
    sender = session_of(provider)
    for one in queues:
        send(sender, one, *(one.queue_name * 5))
        session.create_consumer(one).message_listener = Keeping(
            lambda message: (order.append(message.text), len(order) == 10 and done.set())
        )
    connection.start()
    assert done.wait(None)
    assert "".join(order) == "ab" * 5


@pytest.mark.parametrize("dead_letters", [None, "dead"])
def test_a_redelivery_limit_ends_the_repetition(tmp_path, dead_letters):
    settings = {"clock": "virtual", "redelivery_limit": 3}
    if dead_letters:
        settings["dead_letter_queue"] = dead_letters
    with open_provider(settings, tmp_path) as provider, provider.clock.actor():
        queue = provider.create_queue("q")
        send(session_of(provider), queue, "bad", "good")
        _, seen = _listen(
            provider, queue, Session.AUTO_ACKNOWLEDGE, lambda message, _: message.text == "bad" and _fail(message), 4
        )
        assert [text for text, _, _ in seen] == ["bad"] * 3 + ["good"]
        assert provider.pending(queue) == 0
        session = session_of(provider, Session.CLIENT_ACKNOWLEDGE)
        send(session, queue, "again")
        consumer = session.create_consumer(queue)
        for _ in range(3):
            assert consumer.receive(1).text == "again"
            session.recover()
        assert consumer.receive(1) is None
        if dead_letters:
            dead = session_of(provider).create_consumer(provider.create_queue("dead"))
            message = dead.receive(1)
            assert (message.text, message.jms_destination) == ("bad", queue)
            assert texts_of(dead) == ["again"]
