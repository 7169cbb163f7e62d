"""From events to findings: asynchronous sends and their callbacks."""

import pytest
from check_events import MS, judged, violations


@pytest.fixture
def queue(log):
    """A producer and a consumer on a queue, each with a session of its own; the consumer's is AUTO."""
    sending, receiving = log.session(), log.session()
    return log.producer(sending), log.consumer(receiving), receiving


def async_send(log, producer, session, body):
    facts = log.facts(body)
    call = log.begin(
        producer,
        "MessageProducer.send",
        session,
        message=facts,
        destination="queue:q",
        completion_listener="completion-listener-1",
    )
    log.end(call)
    return facts


def complete(log, session, facts, op="on_completion", ends=True):
    call = log.event(
        "delivered",
        "completion-listener-1",
        f"CompletionListener.{op}",
        session,
        args={"message": facts["label"]},
        message=facts,
    )
    if ends:
        log.end(call)
    return call


def test_asynchronous_sends_end_in_one_callback_each_in_order(log, queue):
    producer, consumer, session = queue
    one, two = (async_send(log, producer, "session-1", body) for body in "ab")
    complete(log, "session-1", one)
    complete(log, "session-1", two)
    for each in (one, two):
        log.receive(consumer, session, each | {"id": f"ID:{each['label']}"})
    assert violations(log) == {}
    assert judged(log)["completion-once"].obligations == 2
    assert judged(log)["completion-order"].obligations == 1
    complete(log, "session-1", one)
    found = violations(log)
    assert set(found) == {"completion-once"}
    assert "2 callbacks came" in found["completion-once"][0].text


@pytest.mark.parametrize(
    ("stamp", "due", "fits"),
    [
        (0, -1, True),
        (0, 1, True),
        (500, 499, True),
        (500, 501, True),
        (500, 505, False),
        (0, -5, False),
        (500, -5, False),
    ],
)
def test_the_header_fields_of_an_asynchronous_send_may_be_stamped_one_by_one_until_it_has_completed(
    log, queue, stamp, due, fits
):
    producer, _, _ = queue
    sent = async_send(log, producer, "session-1", "a")
    called = (log.now - 1) // MS
    stamps = {"timestamp": called + stamp, "delivery_time": called + due}
    complete(log, "session-1", sent | stamps)
    assert set(violations(log)) == (set() if fits else {"delivery-time-computed"})


def test_callbacks_that_overlap_come_late_or_not_at_all(log, queue):
    producer, _, _ = queue
    one, two, never = (async_send(log, producer, "session-1", body) for body in "abc")
    open_ = complete(log, "session-1", two, ends=False)
    complete(log, "session-1", one)
    log.end(open_)
    assert set(violations(log)) == {"completion-order", "completion-serial"}
    assert judged(log)["completion-once"].undecided == 1
    log.call("session-1", "Session.close", "session-1")
    found = violations(log)
    assert found["completion-once"][0].text.startswith(f"{never['label']} was sent")
    assert "no callback came before its session was closed" in found["completion-once"][0].text


def test_commit_waits_for_callbacks(log):
    session = log.session(mode=0)
    producer = log.producer(session)
    sent = async_send(log, producer, session, "a")
    log.call(session, "Session.commit", session)
    complete(log, session, sent)
    assert set(violations(log)) == {"commit-waits-for-completions"}
