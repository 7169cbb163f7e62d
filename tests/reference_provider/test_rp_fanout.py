"""Many selective subscriptions on one topic: each gets what it would get alone."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rp_support import connect, session_of

SELECTORS = st.sampled_from(
    [
        None,
        "n = 1",
        "n = 2",
        "n = 1 OR n = 3",
        "c = 'a'",
        "c IN ('a', 'b') AND n > 1",
        "n > 1",
        "c = 'b' OR n = 3",
        "n = 9",
    ]
)


def _message(session, number, text):
    message = session.create_text_message(f"{number}{text}")
    message.set_int_property("n", number)
    message.set_string_property("c", text)
    return message


def _texts(consumer):
    texts = []
    while (message := consumer.receive_no_wait()) is not None:
        texts.append(message.text)
    return texts


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(selectors=st.lists(SELECTORS, min_size=12, max_size=30), left=st.integers(0, 29))
def test_each_subscription_gets_what_its_selector_matches(provider, selectors, left):
    topic = provider.create_topic("t")
    session = session_of(provider)
    producer = session.create_producer(topic)
    consumers = [session.create_consumer(topic, selector) for selector in selectors]
    sent = [(number, text) for number in (1, 2, 3) for text in "abc"]
    for round_ in range(2):
        for number, text in sent:
            producer.send(_message(session, number, text))
        for selector, consumer in zip(selectors, consumers, strict=True):
            chosen = [f"{number}{text}" for number, text in sent if _matches(selector, number, text)]
            assert _texts(consumer) == chosen, selector
        if round_ == 0 and left < len(consumers):
            consumers.pop(left).close()
            selectors = [*selectors[:left], *selectors[left + 1 :]]
    session.close()


def _matches(selector, n, c):
    return (
        selector is None
        or {
            "n = 1": n == 1,
            "n = 2": n == 2,
            "n = 1 OR n = 3": n in (1, 3),
            "c = 'a'": c == "a",
            "c IN ('a', 'b') AND n > 1": c in "ab" and n > 1,
            "n > 1": n > 1,
            "c = 'b' OR n = 3": c == "b" or n == 3,
            "n = 9": False,
        }[selector]
    )


@pytest.mark.parametrize("count", [9, 10, 40])
def test_messages_of_the_own_connection_stay_away_among_many(provider, count):
    topic = provider.create_topic("t")
    session = session_of(provider)
    local = [session.create_consumer(topic, "n > 0", no_local=True) for _ in range(count)]
    foreign = session_of(provider)
    for one in (session, foreign):
        one.create_producer(topic).send(_message(one, 1, "own" if one is session else "foreign"))
    assert [_texts(consumer) for consumer in local] == [["1foreign"]] * count


def test_durable_subscriptions_among_many_keep_their_selectors_over_a_restart(provider):
    topic = provider.create_topic("t")
    session = session_of(provider, client_id="me")
    for number in range(15):
        session.create_durable_consumer(topic, f"s{number}", f"n = {number}").close()
    provider.restart()
    connection = connect(provider, "me")
    session = connection.create_session()
    producer = session.create_producer(provider.create_topic("t"))
    for number in (3, 14):
        producer.send(_message(session, number, "x"))
    assert [_texts(session.create_durable_consumer(topic, f"s{n}", f"n = {n}")) for n in (3, 4, 14)] == [
        ["3x"],
        [],
        ["14x"],
    ]
