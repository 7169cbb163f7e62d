"""Calls that failed: what of them may have taken effect all the same, and what surely has not."""

import pytest
from check_events import broken, judged

FAILED = "jakarta.jms.JMSException"


# -- a close that failed -------------------------------------------------------------------------------------------------


@pytest.fixture(params=["session", "connection"])
def failing(log, request):
    """A transacted session, and a function that has its close fail."""
    connection = log.connection()
    session = log.session(connection, mode=0)
    on = (session, "Session") if request.param == "session" else (connection, "Connection")
    return session, lambda error=FAILED: log.call(on[0], f"{on[1]}.close", on[0], error=error)


def settle(log, session, name, error=None):
    log.call(session, f"Session.{name}", session, error=error)


def test_a_commit_that_returned_counts_though_a_close_before_it_failed(log, failing):
    session, close = failing
    receiving = log.session()
    producer, consumer = log.producer(session), log.consumer(receiving)
    first = log.send(producer, "a")
    close()
    second = log.send(producer, "b")
    settle(log, session, "commit")
    for sent in (first, second):
        log.receive(consumer, receiving, sent)
    assert broken(log) == set()
    assert judged(log)["uncommitted-invisible"].obligations == 2


def test_what_a_commit_after_a_failed_close_promised_is_owed(log, failing):
    session, close = failing
    receiving = log.session()
    producer, consumer = log.producer(session), log.consumer(receiving)
    log.send(producer)
    close()
    settle(log, session, "commit")
    log.time_out(consumer, receiving)
    assert broken(log) == {"no-loss-persistent"}


def test_a_commit_after_a_failed_close_settles_what_was_received(log, failing):
    session, close = failing
    sending, receiving = log.session(), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(session)
    log.receive(consumer, session, sent)
    close()
    settle(log, session, "commit")
    assert judged(log)["unsettled-comes-back"].obligations == 0
    log.receive(log.consumer(receiving), receiving, sent, again=1)
    assert broken(log) == {"settled-stays-settled"}


@pytest.mark.parametrize(
    "error", [None, "jakarta.jms.TransactionRolledBackException", "jakarta.jms.IllegalStateException"]
)
def test_what_was_never_committed_stays_invisible_though_the_close_failed(log, failing, error):
    session, close = failing
    receiving = log.session()
    producer, consumer = log.producer(session), log.consumer(receiving)
    sent = log.send(producer)
    close()
    if error:
        settle(log, session, "commit", error)
    log.receive(consumer, receiving, sent)
    assert broken(log) == {"rolled-back-invisible"}


def test_a_commit_in_doubt_after_a_failed_close_is_in_doubt(log, failing):
    session, close = failing
    receiving = log.session()
    producer, consumer = log.producer(session), log.consumer(receiving)
    first, _ = log.send(producer, "a"), log.send(producer, "b")
    close()
    settle(log, session, "commit", FAILED)
    log.receive(consumer, receiving, first)
    assert broken(log) == set()
    log.time_out(consumer, receiving)
    assert broken(log) == {"transaction-atomic"}


@pytest.mark.parametrize("again", [0, 1])
def test_a_close_that_succeeds_after_one_that_failed_gives_back(log, failing, again):
    session, close = failing
    sending, receiving = log.session(), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(session)
    log.receive(consumer, session, sent)
    close()
    close(None)
    other = log.consumer(receiving)
    if again:
        log.receive(other, receiving, sent, again=1)
    log.time_out(other, receiving)
    assert broken(log) == (set() if again else {"unsettled-comes-back"})
    log.receive(consumer, session, sent, again=2)
    assert "nothing-after-close" in broken(log)


def test_a_session_whose_close_failed_may_have_let_go_of_what_it_held(log, failing):
    session, close = failing
    sending, receiving = log.session(), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(session)
    log.receive(consumer, session, sent)
    close()
    log.receive(log.consumer(receiving), receiving, sent, again=1)
    assert broken(log) == set()


def test_of_an_automatic_session_whose_close_failed_the_last_message_may_be_redelivered(log):
    sending, receiving, after = log.session(), log.session(), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    first, last = (log.send(producer, body) for body in "ab")
    for sent in (first, last):
        log.receive(consumer, receiving, sent)
    log.call(receiving, "Session.close", receiving, error=FAILED)
    other = log.consumer(after)
    log.receive(other, after, last, again=1)
    assert broken(log) == set()
    log.receive(other, after, first, again=1)
    assert broken(log) == {"auto-last-only"}


# -- a rollback that failed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("comes", [False, True])
def test_what_a_rollback_that_failed_left_a_commit_may_have_sent(log, times, comes):
    sending, receiving = log.session(mode=0), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    first = log.send(producer, "a")
    for _ in range(times):
        settle(log, sending, "rollback", FAILED)
    second = log.send(producer, "b")
    settle(log, sending, "commit")
    for sent in (first, second) if comes else (second,):
        log.receive(consumer, receiving, sent)
    log.time_out(consumer, receiving)
    assert broken(log) == set()


@pytest.mark.parametrize("ends", [["rollback"], ["close"], ["rollback", "commit"], []])
def test_what_was_never_committed_stays_invisible_though_the_rollback_failed(log, ends):
    sending, receiving = log.session(mode=0), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(receiving)
    settle(log, sending, "rollback", FAILED)
    for name in ends:
        settle(log, sending, name)
    log.receive(consumer, receiving, sent)
    assert broken(log) == {"rolled-back-invisible"}


@pytest.mark.parametrize("error", [None, FAILED, "jakarta.jms.TransactionRolledBackException"])
def test_what_was_received_before_a_rollback_that_failed_may_be_redelivered_unless_a_commit_kept_it(log, error):
    sending, receiving, after = log.session(), log.session(mode=0), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(receiving)
    log.receive(consumer, receiving, sent)
    settle(log, receiving, "rollback", FAILED)
    settle(log, receiving, "commit", error)
    settle(log, receiving, "close")
    log.time_out(log.consumer(after), after)
    assert broken(log) == set()


# -- an unsubscribe that failed ------------------------------------------------------------------------------------------

DURABLE = {"destination": "topic:t", "op": "create_durable_consumer", "durable": True, "subscription": "s"}
NOT_DONE = [
    "IllegalStateException",
    "InvalidDestinationException",
    "JMSSecurityException",
    "InvalidDestinationRuntimeException",
]
IN_DOUBT = ["JMSException", "JMSRuntimeException", "ResourceAllocationException"]


@pytest.fixture
def subscribed(log):
    """A producer to a topic and a session with a durable subscription to it, whose consumer is closed; one message is there."""
    sending, receiving = log.session(), log.session()
    producer = log.producer(sending, "topic:t")
    log.call(log.consumer(receiving, **DURABLE), "MessageConsumer.close", receiving)
    return producer, receiving, log.send(producer, destination="topic:t")


def unsubscribe(log, session, error):
    log.call(session, "Session.unsubscribe", session, error=f"jakarta.jms.{error}", name="s")


@pytest.mark.parametrize("error", [*NOT_DONE, *IN_DOUBT])
def test_what_a_subscription_holds_may_be_gone_after_an_unsubscribe_that_failed_midway(log, subscribed, error):
    producer, session, _ = subscribed
    unsubscribe(log, session, error)
    log.send(producer, "b", destination="topic:t")
    log.time_out(log.consumer(session, **DURABLE), session)
    assert broken(log) == ({"durable-complete"} if error in NOT_DONE else set())


@pytest.mark.parametrize("error", [*NOT_DONE, *IN_DOUBT])
def test_what_a_subscription_holds_may_be_there_after_an_unsubscribe_that_failed(log, subscribed, error):
    producer, session, first = subscribed
    unsubscribe(log, session, error)
    second = log.send(producer, "b", destination="topic:t")
    consumer = log.consumer(session, **DURABLE)
    for sent in (first, second):
        log.receive(consumer, session, sent)
    assert broken(log) == set()


# -- a destination that could not be removed -----------------------------------------------------------------------------


@pytest.mark.parametrize("error", ["IllegalStateException", "JMSException"])
@pytest.mark.parametrize("used", [False, True])
def test_a_temporary_queue_may_be_gone_after_a_delete_that_failed_unless_it_was_in_use(log, error, used):
    connection = log.connection()
    session = log.session(connection)
    queue = {"label": "temporary-queue:t", "type": "TemporaryQueue", "parent": session}
    log.call(session, "Session.create_temporary_queue", session, gives=queue["label"], created=queue)
    producer, consumer = log.producer(session, queue["label"]), log.consumer(session, queue["label"])
    log.send(producer, destination=queue["label"])
    if not used:
        log.call(consumer, "MessageConsumer.close", session)
    log.call(queue["label"], "TemporaryQueue.delete", session, error=f"jakarta.jms.{error}")
    log.time_out(consumer if used else log.consumer(session, queue["label"]), session)
    in_doubt = error == "JMSException" and not used
    assert broken(log) == (set() if in_doubt else {"no-loss-persistent"})


@pytest.mark.parametrize("fails", [False, True])
def test_a_queue_may_be_gone_after_a_drop_that_failed(log, fails):
    sending, receiving = log.session(), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    sent = log.send(producer)
    log.call("provider", "Provider.drop", error="builtins.OSError" if fails else None, destination="queue:q")
    log.time_out(consumer, receiving)
    log.receive(consumer, receiving, sent)
    assert broken(log) == set()
