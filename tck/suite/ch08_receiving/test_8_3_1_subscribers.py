"""8.3.1 Topic subscribers of the domain-specific interface."""

from __future__ import annotations

from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.members import every_call


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
    calls = partial(every_call, case, "TopicSession", lambda: session, only=["createSubscriber"])
    expect.all_raise(api.InvalidDestinationException, calls(topic=None), though_work=calls())


@asserts("8.3.1-20")
def test_a_subscriber_with_an_invalid_selector_is_refused(case: Case) -> None:
    """createSubscriber() with a selector that does not parse raises InvalidSelectorException, with noLocal and without."""
    session, topic = case.client().session, case.topic()
    with expect.all_of():
        for no_local in (False, True):
            for text in ("=TEST 'test'", "colour = 'red", "colour =", "n = 1 AND"):
                expect.raises(
                    api.InvalidSelectorException,
                    partial(session.create_subscriber, topic, text, no_local),
                    what=f"createSubscriber() with the selector {text!r}",
                    though_works=partial(session.create_subscriber, topic, "n = 1", no_local),
                )
