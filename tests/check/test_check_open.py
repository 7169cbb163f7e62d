"""What a trace leaves open is nobody's fault: outcomes nobody knows, calls that overlap, decisions taken elsewhere."""

import pytest
from check_events import MS, Log

from tck.check import Margins, judge_events

MARGINS = Margins(redelivery=0, patience=50)


def results(log):
    return {result.name: result for result in judge_events(log.events, margins=MARGINS)}


def broken(log):
    return {name for name, result in results(log).items() if result.violations}


def in_vain(log, consumer, session):
    log.receive(consumer, session, timeout=100, waits=110)


@pytest.fixture
def log():
    return Log()


# -- asynchronous sends ----------------------------------------------------------------------------------------------


def send_async(log, producer, session, body="a", destination="queue:q", **more):
    facts = log.facts(body)
    listener = {"completion_listener": "completion-listener-1"}
    call = log.begin(
        producer, "MessageProducer.send", session, message=facts, destination=destination, **listener, **more
    )
    log.end(call)
    return facts


def complete(log, session, facts, *, good=True, ttl=0, destination="queue:q"):
    """Call the completion listener; give the facts of the message as they are then."""
    stamp = log.now // MS
    if good:
        facts = facts | {"id": f"ID:{facts['label']}", "timestamp": stamp, "delivery_time": stamp}
        facts |= {"expiration": stamp + ttl if ttl else 0, "destination": destination}
    name = "on_completion" if good else "on_exception"
    args = {"message": facts["label"]}
    op = f"CompletionListener.{name}"
    log.end(log.event("delivered", "completion-listener-1", op, session, args=args, message=facts))
    return facts


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("end", ["good", "bad", "none", "lost"])
def test_only_a_good_callback_makes_an_asynchronous_send_sure(log, mode, end):
    sending, receiving = log.session(mode=mode), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    facts = send_async(log, producer, sending)
    if end in ("good", "bad"):
        complete(log, sending, facts, good=end == "good")
    if end == "lost":
        log.call("provider", "Provider.sever", connection="connection-1")
    elif mode == 0:
        log.call(sending, "Session.commit", sending)
    in_vain(log, consumer, receiving)
    assert broken(log) == ({"no-loss-persistent"} if end == "good" else set())


def test_a_subscription_made_before_the_callback_may_get_an_asynchronous_send(log):
    sending, receiving = log.session(), log.session()
    producer = log.producer(sending, "topic:t")
    facts = send_async(log, producer, sending, destination="topic:t")
    log.wait(5)
    consumer = log.consumer(receiving, "topic:t")
    facts = complete(log, sending, facts, destination="topic:t")
    log.receive(consumer, receiving, facts)
    assert broken(log) == set()


def test_an_asynchronous_send_may_expire_as_late_as_its_callback_allows(log):
    sending, receiving = log.session(), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    facts = send_async(log, producer, sending, time_to_live=100)
    log.wait(500)
    facts = complete(log, sending, facts, ttl=100)
    log.receive(consumer, receiving, facts)
    assert broken(log) == set()
    log.wait(5000)
    log.receive(consumer, receiving, facts, again=1)
    assert "not-after-expiry" not in broken(log)  # a repeat
    late = complete(log, sending, send_async(log, producer, sending, "b", time_to_live=100), ttl=100)
    log.wait(5000)
    log.receive(consumer, receiving, late)
    assert {"not-after-expiry", "expired-not-received"} <= broken(log)


def test_of_a_transaction_in_doubt_nobody_misses_a_send_that_ended_badly(log):
    sending, receiving = log.session(mode=0), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    bad, good = send_async(log, producer, sending, "a"), send_async(log, producer, sending, "b")
    complete(log, sending, bad, good=False)
    good = complete(log, sending, good)
    log.call(sending, "Session.commit", sending, error="JMSException")
    log.receive(consumer, receiving, good)
    in_vain(log, consumer, receiving)
    assert broken(log) == set()
