"""8.3.1 Topic subscribers of the domain-specific interface."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect


@asserts("8.3.1-17")
def test_a_subscriber_tells_its_topic(case: Case) -> None:
    """getTopic() of a subscriber gives the topic it was created on."""
    topic = case.topic()
    expect.equal("the topic of a subscriber", case.client().session.create_subscriber(topic).topic, topic)


@asserts("8.3.1-18")
def test_a_subscriber_tells_whether_it_is_no_local(case: Case) -> None:
    """getNoLocal() of a subscriber is true if it was created so, and false otherwise."""
    session, topic = case.client().session, case.topic()
    made = {
        "with noLocal": session.create_subscriber(topic, None, True),
        "without noLocal": session.create_subscriber(topic, None, False),
        "with neither": session.create_subscriber(topic),
    }
    seen = {name: subscriber.no_local for name, subscriber in made.items()}
    expect.equal("getNoLocal()", seen, {"with noLocal": True, "without noLocal": False, "with neither": False})


@asserts("8.3.1-19")
def test_a_subscriber_needs_a_topic(case: Case) -> None:
    """createSubscriber() of null, with and without a selector, raises InvalidDestinationException."""
    session = case.client().session
    make, topic = session.create_subscriber, case.topic()
    wrong = api.InvalidDestinationException
    expect.raises(wrong, lambda: make(None), what="createSubscriber(null)", though_works=lambda: make(topic))
    selecting = "createSubscriber(null, selector, noLocal)"
    expect.raises(
        wrong, lambda: make(None, "a = 1", False), what=selecting, though_works=lambda: make(topic, "a = 1", False)
    )
