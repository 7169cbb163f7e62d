"""From events to findings: what the columns are made of when a case leaves nothing but its events."""

import pytest
from check_events import MS, judged, violations

from tck.check import judge_events, property_names


@pytest.fixture
def queue(log):
    """A producer and a consumer on a queue, each with a session of its own; the consumer's is AUTO."""
    sending, receiving = log.session(), log.session()
    return log.producer(sending), log.consumer(receiving), receiving


def test_no_events_field_nothing(log):
    assert all(not result.obligations and not result.violations for result in judged(log).values())


def test_results_come_in_the_order_asked_for(log):
    names = ["no-corruption", "repeat-is-flagged"]
    assert [result.name for result in judge_events(log.events, properties=names)] == names
    with pytest.raises(KeyError, match=r"no property is called 'no-such'.*no-invention"):
        judge_events(log.events, properties=["no-such"])


def test_sent_and_received_breaks_nothing(log, queue):
    producer, consumer, session = queue
    for body in "abc":
        log.receive(consumer, session, log.send(producer, body))
    results = judged(log)
    assert violations(log) == {}
    assert results["no-invention"].obligations == 3
    assert results["order-per-stream"].obligations == 2
    assert results["timestamp-within-send"].held
    assert results["no-loss-persistent"].obligations == 3


def test_a_repeat_without_flag_is_reported_with_its_events(log):
    session = log.session(mode=2)
    producer, consumer = log.producer(log.session()), log.consumer(session)
    sent = log.send(producer)
    first = log.receive(consumer, session, sent)
    log.call(session, "Session.recover", session)
    again = log.receive(consumer, session, sent)
    found = violations(log)
    assert set(found) == {"repeat-is-flagged", "count-rises"}
    (finding,) = found["repeat-is-flagged"]
    send = next(each["seq"] for each in log.events if each["op"] == "MessageProducer.send")
    assert finding.cites == (send, first, again)
    assert finding.text == (
        f"message-1 was sent to queue:q by producer-1 (event {send}). consumer-1 of session-1 got message-1 from queue:q"
        f" (event {first}); then consumer-1 of session-1 got message-1 from queue:q (event {again}) once more, unflagged:"
        " JMSRedelivered was false."
    )


def test_a_message_nobody_sent(log, queue):
    producer, consumer, session = queue
    sent = log.send(producer)
    log.receive(consumer, session, sent)
    log.receive(consumer, session, log.facts("other", id="ID:999", digest="other"))
    assert set(violations(log)) == {"no-invention"}


@pytest.mark.parametrize(
    ("changed", "name", "words"),
    [
        ({"digest": "other", "body": "y"}, "no-corruption", "the body was 'x' and became 'y'"),
        ({"correlation": "c"}, "no-corruption", "correlation was None and became 'c'"),
        ({"properties": {}}, "no-corruption", "property color was 'red' and is gone"),
        ({"properties": {"color": "blue"}}, "no-corruption", "property color was 'red' and became 'blue'"),
        ({"mode": 1}, "headers-as-sent", "mode was 2 and became 1"),
        ({"id": "ID:other"}, "headers-as-sent", "id was 'ID:1' and became 'ID:other'"),
    ],
)
def test_a_changed_message_is_reported_with_the_difference(log, queue, changed, name, words):
    producer, consumer, session = queue
    sent = log.send(producer, properties={"color": "red"})
    log.receive(consumer, session, sent, **changed)
    found = violations(log)
    assert set(found) == {name}
    assert words in found[name][0].text


@pytest.mark.parametrize(("header", "expected"), [("queue:other", "queue:other"), (None, "null")])
def test_another_destination_in_the_header(log, queue, header, expected):
    producer, consumer, session = queue
    log.receive(consumer, session, log.send(producer), destination=header)
    found = violations(log)
    assert set(found) == {"right-destination"}
    assert found["right-destination"][0].text.endswith(f"with JMSDestination {expected}.")


def test_what_the_provider_adds_is_no_change(log, queue):
    producer, consumer, session = queue
    sent = log.send(producer, properties={"color": "red"}, reply_to="temporary-queue:t")
    added = {"properties": {"color": "red", "JMSXDeliveryCount": 1, "JMS_Vendor_x": 2}, "reply_to": "queue:t"}
    log.receive(consumer, session, sent, **added)
    assert violations(log) == {}


def test_what_a_jms_producer_puts_into_messages_is_no_change(log):
    context = log.context()
    producer, consumer = log.producer(context, None), log.consumer(context)
    log.call(producer, "JMSProducer.set_property", context, name="color", value="blue")
    log.call(producer, "JMSProducer.set_jms_type", context, message_type="t")
    sent = log.send(producer, op="JMSProducer.send", properties={"color": "red"})
    log.receive(consumer, context, sent, properties={"color": "blue"}, type="t")
    assert violations(log) == {}


# -- which message is which ------------------------------------------------------------------------------------------


def test_messages_without_ids_are_distinguished_by_body_and_order(log, queue):
    producer, consumer, session = queue
    sent = [log.send(producer, body, id_=None) for body in "aba"]
    for each in sent:
        log.receive(consumer, session, each)
    assert violations(log) == {}
    log.receive(consumer, session, sent[1])
    assert set(violations(log)) == {"settled-stays-settled"}


def test_one_id_for_two_messages(log, queue):
    producer, consumer, session = queue
    for body in "ab":
        log.receive(consumer, session, log.send(producer, body, id_="ID:same"))
    assert set(violations(log)) == {"message-id-unique"}


def test_a_failed_send_may_take_effect_and_may_not(log, queue):
    producer, consumer, session = queue
    seen = log.send(producer, "seen", error="JMSException")
    log.send(producer, "unseen", error="JMSException")
    log.receive(consumer, session, seen, id="ID:77")
    log.receive(consumer, session, waits=1000)
    assert violations(log) == {}


def test_a_body_sent_and_received_alone(log):
    context = log.context()
    producer, consumer = log.producer(context, None), log.consumer(context)
    bare = {"label": None, "kind": "text", "digest": "d", "body": "x"}
    call = log.begin(producer, "JMSProducer.send", context, message=bare, destination="queue:q", body="x")
    log.end(call, value=producer)
    call = log.begin(consumer, "JMSConsumer.receive_body", context, timeout=100)
    log.end(call, value="x", message=bare, subscription=consumer)
    results = judged(log)
    assert not violations(log)
    assert results["no-invention"].obligations == 1
    assert not results["flag-agrees-with-count"].obligations


# -- order and loss --------------------------------------------------------------------------------------------------


def test_the_second_before_the_first(log, queue):
    producer, consumer, session = queue
    first, second = log.send(producer, "a"), log.send(producer, "b")
    log.receive(consumer, session, second)
    log.receive(consumer, session, first)
    found = violations(log)
    assert set(found) == {"order-per-stream"}
    assert "message-2 was sent later by the same producer" in found["order-per-stream"][0].text


def test_two_producers_may_cross(log):
    session, receiving = log.session(), log.session()
    one, two, consumer = log.producer(session), log.producer(session), log.consumer(receiving)
    first, second = log.send(one, "a"), log.send(two, "b")
    log.receive(consumer, receiving, second)
    log.receive(consumer, receiving, first)
    assert violations(log) == {}


def test_a_fence_shows_a_loss(log, queue):
    producer, consumer, session = queue
    log.send(producer, "lost")
    log.receive(consumer, session, log.send(producer, "fence"))
    found = violations(log)
    assert set(found) == {"no-loss-persistent"}
    assert "message-2, sent later by the same producer, came out of queue:q" in found["no-loss-persistent"][0].text


@pytest.mark.parametrize("fence", [{"priority": 9}, {"mode": 1}])
def test_what_may_overtake_is_no_fence(log, queue, fence):
    producer, consumer, session = queue
    log.send(producer, "late")
    log.receive(consumer, session, log.send(producer, "fence", **fence))
    assert violations(log) == {}
    assert judged(log)["no-loss-persistent"].undecided == 1


def test_a_receive_that_timed_out_shows_a_loss(log, queue):
    producer, consumer, session = queue
    log.send(producer, "lost")
    log.receive(consumer, session, timeout=100, waits=100)
    found = violations(log)
    assert set(found) == {"no-loss-persistent"}
    assert "A later receive from queue:q timed out" in found["no-loss-persistent"][0].text


def test_a_receive_that_gave_up_at_once_shows_nothing(log, queue):
    producer, consumer, session = queue
    log.send(producer)
    log.receive(consumer, session, timeout=10, waits=10)
    log.receive(consumer, session, timeout=1000, waits=1)
    assert violations(log) == {}


def test_another_consumer_may_hold_what_is_missing(log, queue):
    producer, consumer, session = queue
    other = log.consumer(log.session())
    log.send(producer)
    log.receive(consumer, session, log.send(producer, "fence"))
    log.receive(consumer, session, timeout=100, waits=100)
    assert violations(log) == {}
    log.call(other, "MessageConsumer.close", "session-3")
    log.receive(consumer, session, timeout=100, waits=100)
    assert set(violations(log)) == {"no-loss-persistent"}


def test_a_stopped_connection_shows_nothing(log):
    connection = log.connection()
    session = log.session(connection)
    producer, consumer = log.producer(session), log.consumer(session)
    log.send(producer)
    log.call(connection, "Connection.stop", connection)
    log.receive(consumer, session, timeout=100, waits=100)
    assert violations(log) == {}
    log.call(connection, "Connection.start", connection)
    log.receive(consumer, session, timeout=100, waits=100)
    assert set(violations(log)) == {"no-loss-persistent"}


def test_a_failed_receive_may_have_taken_the_message(log, queue):
    producer, consumer, session = queue
    log.send(producer)
    log.call(consumer, "MessageConsumer.receive", session, error="JMSException", timeout=100)
    log.receive(consumer, session, timeout=100, waits=100)
    assert violations(log) == {}


def test_each_subscription_gets_its_own_copy(log):
    sending = log.session()
    one, two = log.session(), log.session()
    first = log.consumer(one, "topic:t")
    early = log.send(log.producer(sending, "topic:t"), "early", destination="topic:t")
    second = log.consumer(two, "topic:t")
    late = log.send("producer-1", "late", destination="topic:t")
    log.receive(first, one, early)
    log.receive(first, one, late)
    log.receive(second, two, late)
    assert violations(log) == {}
    assert judged(log)["nondurable-complete-while-open"].obligations == 3
    log.receive(second, two, early)
    assert set(violations(log)) == {"not-before-subscription", "order-per-stream"}


def test_a_durable_subscription_lives_on_without_its_consumer(log):
    sending = log.session()
    producer = log.producer(sending, "topic:t")
    durable = {"durable": True, "subscription": "s"}
    receiving = log.session()
    consumer = log.consumer(receiving, "topic:t", "create_durable_consumer", **durable)
    log.call(consumer, "MessageConsumer.close", receiving)
    missed = log.send(producer, "missed", destination="topic:t")
    fence = log.send(producer, "fence", destination="topic:t")
    again = log.consumer(receiving, "topic:t", "create_durable_consumer", **durable)
    log.receive(again, receiving, fence)
    assert set(violations(log)) == {"durable-complete"}
    log.receive(again, receiving, missed)
    assert set(violations(log)) == {"order-per-stream"}


def test_what_a_removed_subscription_held_is_gone(log):
    sending = log.session()
    producer = log.producer(sending, "topic:t")
    durable = {"durable": True, "subscription": "s"}
    receiving = log.session()
    consumer = log.consumer(receiving, "topic:t", "create_durable_consumer", **durable)
    held = log.send(producer, "held", destination="topic:t")
    log.call(consumer, "MessageConsumer.close", receiving)
    log.call(receiving, "Session.unsubscribe", receiving, name="s")
    again = log.consumer(receiving, "topic:t", "create_durable_consumer", **durable)
    fence = log.send(producer, "fence", destination="topic:t")
    log.receive(again, receiving, fence)
    assert violations(log) == {}
    log.receive(again, receiving, held)
    assert "not-before-subscription" in violations(log)


# -- settling --------------------------------------------------------------------------------------------------------


def test_commit_shows_and_rollback_hides(log):
    sending, receiving = log.session(mode=0), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    hidden = log.send(producer, "hidden")
    log.call(sending, "Session.rollback", sending)
    shown = log.send(producer, "shown")
    early = log.send(producer, "early")
    log.receive(consumer, receiving, early)
    log.call(sending, "Session.commit", sending)
    log.receive(consumer, receiving, shown)
    assert set(violations(log)) == {"uncommitted-invisible", "order-per-stream"}
    log.receive(consumer, receiving, hidden)
    found = violations(log)
    assert "session-1 called rollback" in found["rolled-back-invisible"][0].text


def test_the_fence_after_a_rollback_counts_as_kept(log):
    sending, receiving = log.session(mode=0), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    log.send(producer, "hidden")
    log.call(sending, "Session.rollback", sending)
    fence = log.send(producer, "fence")
    log.call(sending, "Session.commit", sending)
    log.receive(consumer, receiving, fence)
    assert judged(log)["rolled-back-invisible"].held


def test_a_commit_that_rolled_back_is_a_rollback_and_one_in_doubt_is_neither(log):
    sending, receiving = log.session(mode=0), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    undone = log.send(producer, "undone")
    log.call(sending, "Session.commit", sending, error="TransactionRolledBackException")
    one, two = log.send(producer, "one"), log.send(producer, "two")
    log.call(sending, "Session.commit", sending, error="JMSException")
    fence = log.send(producer, "fence")
    log.call(sending, "Session.commit", sending)
    log.receive(consumer, receiving, one)
    log.receive(consumer, receiving, two)
    log.receive(consumer, receiving, fence)
    assert violations(log) == {}
    assert judged(log)["transaction-atomic"].obligations == 1
    log.receive(consumer, receiving, undone)
    assert "rolled-back-invisible" in violations(log)


def test_half_a_transaction(log):
    sending, receiving = log.session(mode=0), log.session()
    producer, consumer = log.producer(sending), log.consumer(receiving)
    log.send(producer, "one")
    two = log.send(producer, "two")
    log.call(sending, "Session.commit", sending, error="JMSException")
    log.receive(consumer, receiving, two)
    found = violations(log)
    assert set(found) == {"transaction-atomic"}
    assert "message-1, sent in it" in found["transaction-atomic"][0].text


def test_a_rolled_back_message_is_redelivered_flagged(log):
    sending, receiving = log.session(), log.session(mode=0)
    producer, consumer = log.producer(sending), log.consumer(receiving)
    sent = log.send(producer)
    log.receive(consumer, receiving, sent)
    log.call(receiving, "Session.rollback", receiving)
    log.receive(consumer, receiving, timeout=100, waits=100)
    found = violations(log)
    assert set(found) == {"unsettled-comes-back"}
    assert "session-2 called rollback" in found["unsettled-comes-back"][0].text
    log.receive(consumer, receiving, sent, again=1)
    log.call(receiving, "Session.commit", receiving)
    assert violations(log) == {}
    log.receive(consumer, receiving, sent, again=2)
    assert set(violations(log)) == {"settled-stays-settled"}


def test_acknowledge_settles_what_the_session_got(log):
    sending, receiving = log.session(), log.session(mode=2)
    producer, consumer = log.producer(sending), log.consumer(receiving)
    one, two = log.send(producer, "one"), log.send(producer, "two")
    log.receive(consumer, receiving, one)
    log.receive(consumer, receiving, two)
    log.call("message-4", "Message.acknowledge", receiving)
    log.call(receiving, "Session.recover", receiving)
    log.receive(consumer, receiving, one, again=1)
    assert set(violations(log)) == {"settled-stays-settled"}


def test_acknowledge_in_an_auto_session_ends_no_unit(log, queue):
    producer, consumer, session = queue
    log.receive(consumer, session, log.send(producer))
    log.call("message-2", "Message.acknowledge", session)
    assert violations(log) == {}
    assert judged(log)["settled-stays-settled"].obligations == 1


def test_a_second_consumer_gets_what_the_first_holds(log):
    sending, one, two = log.session(), log.session(mode=2), log.session(mode=2)
    sent = log.send(log.producer(sending))
    first, second = log.consumer(one), log.consumer(two)
    log.receive(first, one, sent)
    log.receive(second, two, sent, again=1)
    assert set(violations(log)) == {"one-holder"}


def test_a_closed_session_gives_back(log):
    sending, one, two = log.session(), log.session(mode=2), log.session(mode=2)
    sent = log.send(log.producer(sending))
    first, second = log.consumer(one), log.consumer(two)
    log.receive(first, one, sent)
    log.call(one, "Session.close", one)
    log.receive(second, two, sent, again=1)
    log.call("message-3", "Message.acknowledge", two)
    assert violations(log) == {}


def test_a_listener_that_raised_gets_it_again(log, queue):
    producer, consumer, session = queue
    sent = log.send(producer)
    log.deliver(consumer, session, sent, error="ValueError")
    log.deliver(consumer, session, sent, again=1)
    assert violations(log) == {}
    log.deliver(consumer, session, sent, again=2)
    assert set(violations(log)) == {"settled-stays-settled"}


# -- the life of connections -----------------------------------------------------------------------------------------


def test_a_delivery_to_a_stopped_connection(log):
    connection = log.connection(start=False)
    session = log.session(connection)
    consumer = log.consumer(session)
    sent = log.send(log.producer(log.session()))
    log.deliver(consumer, session, sent)
    found = violations(log)
    assert set(found) == {"nothing-while-stopped"}
    assert "connection-1 was created, not yet started" in found["nothing-while-stopped"][0].text


@pytest.mark.parametrize("closes", ["consumer", "session", "connection"])
def test_a_delivery_after_close(log, closes):
    connection = log.connection()
    session = log.session(connection)
    consumer = log.consumer(session)
    sent = log.send(log.producer(log.session()))
    log.call(
        {"consumer": consumer, "session": session, "connection": connection}[closes], "AutoCloseable.close", session
    )
    log.receive(consumer, session, sent)
    found = violations(log)
    assert set(found) == {"nothing-after-close"}
    assert f"{consumer if closes == 'consumer' else session} was closed" in found["nothing-after-close"][0].text


def test_a_close_that_was_refused_closes_nothing(log, queue):
    producer, consumer, session = queue
    sent = log.send(producer)
    log.call(session, "Session.close", session, error="IllegalStateException")
    log.receive(consumer, session, sent)
    assert violations(log) == {}


def test_after_a_crash_only_the_last_of_an_auto_session_may_be_redelivered(log, queue):
    producer, consumer, session = queue
    sent = [log.send(producer, body) for body in "ab"]
    for each in sent:
        log.receive(consumer, session, each)
    log.call("provider", "Provider.sever", connection="connection-2")
    later = log.session()
    again = log.consumer(later)
    log.receive(again, later, sent[1], again=1)
    assert violations(log) == {}
    log.receive(again, later, sent[0], again=1)
    assert set(violations(log)) == {"auto-last-only"}


def test_a_temporary_queue_belongs_to_its_connection(log):
    mine, other = log.session(), log.session()
    label = "temporary-queue:t"
    log.call(
        mine,
        "Session.create_temporary_queue",
        mine,
        gives=label,
        created={"label": label, "type": "TemporaryQueue", "parent": mine},
    )
    consumer = log.consumer(other, label)
    sent = log.send(log.producer(log.session(), label), destination=label)
    log.receive(consumer, other, sent)
    found = violations(log)
    assert set(found) == {"temporary-owner-only"}
    assert (
        "a temporary destination of connection-1; the consumer belongs to connection-2"
        in found["temporary-owner-only"][0].text
    )


# -- time ------------------------------------------------------------------------------------------------------------


def test_expired_long_ago(log, queue):
    producer, consumer, session = queue
    sent = log.send(producer, ttl=100)
    log.wait(400)
    log.receive(consumer, session, sent)
    assert set(violations(log)) == {"expired-not-received"}
    late = log.send(producer, ttl=100)
    log.wait(4000)
    log.receive(consumer, session, late)
    found = violations(log)
    assert set(found) == {"expired-not-received", "not-after-expiry"}
    assert "a time-to-live of 100 ms" in found["not-after-expiry"][0].text


def test_before_its_delivery_time(log, queue):
    producer, consumer, session = queue
    log.call(producer, "MessageProducer.delivery_delay", "session-1", value=500)
    sent = log.send(producer)
    after = log.events[-1]["message"]
    after["delivery_time"] += 500
    log.receive(consumer, session, sent | {"delivery_time": after["delivery_time"]})
    assert set(violations(log)) == {"not-before-delivery-time"}


def test_an_override_by_the_administrator_is_nobodys_fault(log, queue):
    producer, consumer, session = queue
    arguments = {"type": "map", "value": {"destination": "queue:q", "time_to_live": 60_000}}
    log.call("provider", "Provider.administer", action="override", arguments=arguments)
    sent = log.send(producer)
    expiration = log.events[-1]["message"]["expiration"] = log.now // MS + 60_000
    log.receive(consumer, session, sent | {"expiration": expiration})
    assert violations(log) == {}


def test_header_fields_of_the_send(log, queue):
    producer, _, _ = queue
    log.send(producer, ttl=1000)
    after = log.events[-1]["message"]
    after["timestamp"] -= 50
    after["expiration"] += 7
    after["delivery_time"] += 3
    assert set(violations(log)) == {"timestamp-within-send", "expiration-computed", "delivery-time-computed"}


# -- selectors, no-local ---------------------------------------------------------------------------------------------


def color_of(selector, facts):
    """As much of a selector as is needed: the value of the property `color`."""
    return facts["properties"].get("color") == selector


def test_a_selector_refuses(log):
    sending, receiving = log.session(), log.session()
    consumer = log.consumer(receiving, selector="red")
    producer = log.producer(sending)
    red, blue = (log.send(producer, color, properties={"color": color}) for color in ("red", "blue"))
    log.receive(consumer, receiving, red)
    log.receive(consumer, receiving, blue)
    found = violations(log, matches=color_of)
    assert set(found) == {"selector-honoured"}
    assert "The selector is: red" in found["selector-honoured"][0].text
    assert judged(log)["selector-honoured"].undecided == 2


def test_what_a_selector_refuses_is_not_lost(log):
    sending, receiving = log.session(), log.session()
    consumer = log.consumer(receiving, "topic:t", selector="red")
    producer = log.producer(sending, "topic:t")
    blue, lost, fence = (
        log.send(producer, body, destination="topic:t", properties={"color": color})
        for body, color in (("1", "blue"), ("2", "red"), ("3", "red"))
    )
    log.receive(consumer, receiving, fence)
    found = violations(log, matches=color_of)
    assert [finding.text.split(" ")[0] for finding in found["nondurable-complete-while-open"]] == [lost["label"]]
    assert blue["label"] == "message-1"
    assert violations(log) == {}


def test_no_local(log):
    connection = log.connection()
    one, two = log.session(connection), log.session(connection)
    consumer = log.consumer(one, "topic:t", no_local=True)
    mine = log.send(log.producer(two, "topic:t"), destination="topic:t")
    other = log.send(log.producer(log.session(), "topic:t"), destination="topic:t")
    log.receive(consumer, one, other)
    assert violations(log) == {}
    log.receive(consumer, one, mine)
    assert set(violations(log)) == {"no-local-honoured"}


# -- browsers, exceptions --------------------------------------------------------------------------------------------


def test_a_browser_does_not_consume(log, queue):
    producer, consumer, session = queue
    seen = log.send(producer, "seen")
    browser = log.create("browser", session, "Session.create_browser", destination="queue:q")
    call = log.begin("enumeration-1", "Enumeration.next_element", session)
    log.end(call, value="message-2", message=seen, destination="queue:q", subscription=browser)
    log.receive(consumer, session, log.send(producer, "fence"))
    found = violations(log)
    assert set(found) == {"browsing-does-not-consume", "no-loss-persistent"}
    assert f"A browser saw it on queue:q (event {call})" in found["browsing-does-not-consume"][0].text


def test_exception_listener_calls_overlap(log):
    connection = log.connection()
    first = log.event("delivered", "exception-listener-1", "ExceptionListener.on_exception", connection, args={})
    second = log.event("delivered", "exception-listener-1", "ExceptionListener.on_exception", connection, args={})
    log.end(first)
    log.end(second)
    assert set(violations(log)) == {"exception-listener-serial"}


# -- branches --------------------------------------------------------------------------------------------------------


def test_a_prepared_branch_shows_nothing_before_it_is_committed(log):
    session = log.create("session", log.connection(), "XAConnection.create_xa_session", session_mode=0, transacted=True)
    log.events[-1]["created"]["type"] = "XASession"
    resource = log.create("resource", session, "XASession.xa_resource")
    receiving = log.session()
    producer, consumer = log.producer(session), log.consumer(receiving)

    def xa(name, value=None, **more):
        log.call(resource, f"XAResource.{name}", session, gives=value, xid={"type": "Xid", "value": 1}, **more)

    xa("start", flags=0)
    early, late = log.send(producer, "early"), log.send(producer, "late")
    xa("end", flags=0)
    xa("prepare", 0)
    log.receive(consumer, receiving, early)
    xa("commit", one_phase=False)
    log.receive(consumer, receiving, late)
    found = violations(log)
    assert set(found) == {"prepared-outcome", "uncommitted-invisible"}
    assert "The branch ended in commit" in found["prepared-outcome"][0].text


# -- what has no place in the model ----------------------------------------------------------------------------------


def test_a_request_is_a_send(log):
    session = log.session()
    requestor = log.label("requestor")
    created = {"label": requestor, "type": "QueueRequestor", "parent": "provider"}
    log.call("provider", "Provider.queue_requestor", gives=requestor, created=created, session=session, queue="queue:q")
    question = log.facts("question")
    call = log.begin(requestor, "QueueRequestor.request", session, message=question)
    serving = log.session()
    log.receive(log.consumer(serving), serving, question | {"id": "ID:q", "reply_to": "queue:r"})
    log.end(call, value="message-9", message=log.facts("answer"))
    assert violations(log) == {}


def test_every_property_answers(log, queue):
    producer, consumer, session = queue
    log.receive(consumer, session, log.send(producer))
    assert tuple(judged(log)) == property_names()
