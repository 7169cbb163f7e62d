"""What a trace leaves open is nobody's fault: outcomes nobody knows, calls that overlap, decisions taken elsewhere."""

import pytest
from check_events import MS, broken, judged

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
    log.time_out(consumer, receiving)
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
    log.time_out(consumer, receiving)
    assert broken(log) == set()


# -- subscriptions ---------------------------------------------------------------------------------------------------

DURABLE = {"destination": "topic:t", "op": "create_durable_consumer", "durable": True, "subscription": "s"}
SHARED = {"destination": "topic:t", "op": "create_shared_consumer", "shared": True, "subscription": "s"}


@pytest.mark.parametrize("another", [False, True])
def test_whose_messages_a_no_local_subscription_keeps_out_is_open_once_another_connection_has_it(log, another):
    def connect():
        connection = log.connection(start=False)
        log.call(connection, "Connection.client_id", connection, value="X")
        log.call(connection, "Connection.start", connection)
        return connection, log.session(connection)

    connection, session = connect()
    consumer = log.consumer(session, **DURABLE, no_local=True)
    log.send(log.producer(session, "topic:t"), destination="topic:t")
    if another:
        log.call(connection, "Connection.close", connection)
        connection, session = connect()
    else:
        log.call(consumer, "MessageConsumer.close", session)
    log.time_out(log.consumer(session, **DURABLE, no_local=True), session)
    assert broken(log) == set()


@pytest.fixture
def shared(log):
    """A producer to a topic, a consumer of a shared subscription of it, and another session."""
    sending, first, second = log.session(), log.session(), log.session()
    return log.producer(sending, "topic:t"), log.consumer(first, **SHARED), first, second


@pytest.mark.parametrize("comes", [False, True])
@pytest.mark.parametrize("end", ["close", "overlapping close", "sever"])
def test_a_shared_subscription_may_outlive_an_uncertain_end(log, shared, end, comes):
    producer, consumer, first, second = shared
    sent = log.send(producer, destination="topic:t")
    log.wait(1)
    if end == "sever":
        log.call("provider", "Provider.sever", connection="connection-2")
    else:
        close = log.begin(consumer, "MessageConsumer.close", first)
        if end == "close":
            log.end(close)
    again = log.consumer(second, **SHARED)
    if end == "overlapping close":
        log.end(close)
    if comes:
        log.receive(again, second, sent)
    log.time_out(again, second)
    assert broken(log) == ({"not-before-subscription"} if comes and end == "close" else set())


def test_a_shared_subscription_may_end_while_another_consumer_is_being_made(log, shared):
    producer, consumer, first, second = shared
    log.send(producer, destination="topic:t")
    log.wait(1)
    making = log.begin(second, "Session.create_shared_consumer", second, destination="topic:t")
    log.call(consumer, "MessageConsumer.close", first)
    made = {"label": "consumer-9", "parent": second, "type": "Consumer", "destination": "topic:t", "selector": None}
    made |= {"no_local": False, "durable": False, "shared": True, "subscription": "s"}
    log.end(making, value="consumer-9", created=made)
    log.time_out("consumer-9", second)
    assert broken(log) == set()


@pytest.mark.parametrize("known", [False, True])
def test_a_durable_subscription_may_outlive_an_unsubscribe_in_doubt(log, known):
    sending, receiving = log.session(), log.session()
    consumer = log.consumer(receiving, **DURABLE)
    sent = log.send(log.producer(sending, "topic:t"), destination="topic:t")
    log.call(consumer, "MessageConsumer.close", receiving)
    log.end(log.begin(receiving, "Session.unsubscribe", receiving, name="s"), "ok" if known else "unknown")
    log.receive(log.consumer(receiving, **DURABLE), receiving, sent)
    assert broken(log) == ({"not-before-subscription"} if known else set())


# -- calls that overlap, and results nobody knows --------------------------------------------------------------------


def handed_back(log, op, error, third):
    """One session gives back what it was handed, seen or not; another gets it."""
    sending, first, second = log.session(), log.session(mode=0), log.session(mode=0)
    producer, one, two = log.producer(sending), log.consumer(first), log.consumer(second)
    sent = [log.send(producer, body) for body in "abc"]
    log.receive(one, first, sent[0])
    if third:
        log.receive(two, second, sent[2])
    log.call(first, f"Session.{op}", first, error=error)
    log.receive(two, second, sent[0], again=1)
    log.receive(two, second, sent[1], again=0 if third else 1)


@pytest.mark.parametrize("third", [False, True])
@pytest.mark.parametrize(
    ("op", "error"), [("rollback", None), ("commit", "TransactionRolledBackException"), ("commit", "JMSException")]
)
def test_a_commit_that_did_not_succeed_may_give_back_what_nobody_saw(log, op, error, third):
    handed_back(log, op, error, third)
    assert broken(log) & {"order-per-stream", "first-count-is-one"} == set()
    undecided = judged(log)["order-per-stream" if third else "first-count-is-one"].undecided
    assert undecided == 1


@pytest.mark.parametrize("called", ["before", "after"])
def test_a_receive_called_while_the_close_was_under_way_may_get_a_message(log, called):
    sending, session = log.session(), log.session()
    consumer = log.consumer(session)
    sent = log.send(log.producer(sending))
    close = log.begin(consumer, "MessageConsumer.close", session)
    if called == "after":
        log.end(close)
    receive = log.begin(consumer, "MessageConsumer.receive", "thread-2", timeout=1000)
    if called == "before":
        log.end(close)
    facts = sent | {"label": log.label("message"), "count": 1}
    log.end(receive, value=facts["label"], message=facts, subscription=consumer)
    assert broken(log) == ({"nothing-after-close"} if called == "after" else set())


@pytest.fixture
def listening(log):
    """A connection with a consumer, and a function that overlaps or orders calls of it."""
    connection = log.connection()
    session = log.session(connection)
    consumer, producer = log.consumer(session), log.producer(log.session())

    def calls(*names):
        begun = [log.begin(connection, f"Connection.{name}", f"thread-{name}") for name in names]
        for call in reversed(begun):
            log.end(call)

    return calls, consumer, session, producer


@pytest.mark.parametrize("order", [("start", "stop"), ("stop", "start")])
def test_of_a_start_and_a_stop_that_overlap_either_may_have_come_last(log, listening, order):
    calls, consumer, session, producer = listening
    calls(*order)
    sent = log.send(producer)
    log.time_out(consumer, session)
    assert broken(log) == set()
    log.deliver(consumer, session, sent)
    assert broken(log) == set()
    calls("stop")
    log.deliver(consumer, session, log.send(producer, "b"))
    assert broken(log) == {"nothing-while-stopped"}


def test_a_start_after_overlapping_calls_makes_it_sure_again(log, listening):
    calls, consumer, session, producer = listening
    calls("start", "stop")
    calls("start")
    log.send(producer)
    log.time_out(consumer, session)
    assert broken(log) == {"no-loss-persistent"}


@pytest.mark.parametrize("end", ["ok", "fail", "none"])
def test_a_close_without_a_good_end_owes_no_callback(log, end):
    sending = log.session()
    send_async(log, log.producer(sending), sending)
    close = log.begin(sending, "Session.close", sending)
    if end != "none":
        error = {"type": "JMSException", "text": "", "code": None, "linked": None}
        log.end(close, end, **({"error": error} if end == "fail" else {}))
    assert broken(log) == ({"completion-once"} if end == "ok" else set())
    assert judged(log)["completion-once"].undecided == (0 if end == "ok" else 1)


# -- what is known all the same --------------------------------------------------------------------------------------


@pytest.mark.parametrize("doubt", [{"error": "JMSException"}, {"cut": True}])
def test_a_send_in_doubt_is_rolled_back_like_any_other(log, doubt):
    sending, receiving = log.session(mode=0), log.session()
    sent = log.send(log.producer(sending), **doubt)
    consumer = log.consumer(receiving)
    log.call(sending, "Session.rollback", sending)
    log.receive(consumer, receiving, sent, id="ID:7")
    assert broken(log) == {"rolled-back-invisible"}


def test_a_send_in_doubt_that_came_comes_back_like_any_other(log):
    sending, receiving = log.session(), log.session(mode=0)
    sent, consumer = log.send(log.producer(sending), error="JMSException"), log.consumer(receiving)
    log.receive(consumer, receiving, sent, id="ID:7")
    log.call(receiving, "Session.rollback", receiving)
    log.time_out(consumer, receiving)
    assert broken(log) == {"unsettled-comes-back"}


@pytest.mark.parametrize(("mode", "settles", "undoes"), [(0, "commit", "rollback"), (2, "acknowledge", "recover")])
def test_what_follows_a_settling_call_in_doubt_is_in_no_doubt(log, mode, settles, undoes):
    sending, receiving = log.session(), log.session(mode=mode)
    producer, consumer = log.producer(sending), log.consumer(receiving)
    on = ("message-1", "Message") if settles == "acknowledge" else (receiving, "Session")
    log.call(on[0], f"{on[1]}.{settles}", receiving, error="JMSException")
    sent = [log.send(producer, body) for body in "ab"]
    for each in sent:
        log.receive(consumer, receiving, each)
    log.call(receiving, f"Session.{undoes}", receiving)
    log.receive(consumer, receiving, sent[0], again=1)
    log.time_out(consumer, receiving)
    assert broken(log) == {"unsettled-comes-back"}


# -- numbers out of all bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2**15 - 1, 2**15, 2**31 - 1, 2**70, -(2**70)])
def test_any_delivery_count_can_be_judged(log, count):
    sending, receiving = log.session(), log.session(mode=0)
    sent, consumer = log.send(log.producer(sending)), log.consumer(receiving)
    log.receive(consumer, receiving, sent, redelivered=True, count=count)
    assert broken(log) == ({"first-count-is-one"} if count > 0 else set())
    log.call(receiving, "Session.rollback", receiving)
    log.receive(consumer, receiving, sent, redelivered=True, count=count + 1)
    assert "count-rises" not in broken(log)


@pytest.mark.parametrize(("count", "blamed"), [(1, True), (2, False), (3, False), (4, False)])
def test_the_next_session_may_count_less_but_never_one(log, count, blamed):
    sending, receiving = log.session(), log.session(mode=0)
    sent, consumer = log.send(log.producer(sending)), log.consumer(receiving)
    for number in (1, 2, 3):
        log.receive(consumer, receiving, sent, redelivered=number > 1, count=number)
        log.call(receiving, "Session.rollback", receiving)
    other = log.session(mode=0)
    log.receive(log.consumer(other), other, sent, redelivered=True, count=count)
    assert ("count-rises" in broken(log)) == blamed


@pytest.mark.parametrize("value", [2**58, 2**63 - 1, 2**63, -(2**70)])
@pytest.mark.parametrize("header", ["timestamp", "expiration", "delivery_time"])
def test_any_header_number_can_be_judged(log, header, value):
    sending, receiving = log.session(), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    sent = log.send(producer)
    log.events[-1]["message"][header] = value
    log.receive(consumer, receiving, sent | {header: value})
    named = {"timestamp": "timestamp-within-send", "expiration": "expiration-computed"}
    found = broken(log)
    assert value < 0 or named.get(header, "delivery-time-computed") in found
