"""3.8.1 Message selector: what a consumer with one is given, and what it may refer to."""

from __future__ import annotations

from tck import api
from tck.api import UnsupportedOperationException
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.selectors import Samples, chosen
from tck.suite.support.values.seen import body

MIX = ("n1a", "n2a", "n1b", "n2b", "n1c")
"""Messages whose property `n` is the digit in their names."""
MANY = 250
"""More messages than some providers look through for a consumer with a selector."""
ONES = ["n1a", "n1b", "n1c"]
SELECTOR = "n = 1 OR n IS NULL"
"""Chooses the ones, and the marker, which has no such property."""


def _put_mix(link: Link, names: tuple[str, ...] = MIX) -> None:
    for name in names:
        message = link.text(name)
        message.set_int_property("n", int(name[1]))
        link.send(message)


@asserts("3.8.1-1", "8.1-2")
def test_a_consumer_is_given_what_its_selector_chooses(case: Case) -> None:
    """Of a mix of messages a consumer receives those its selector chooses, and no other."""
    link = case.link(selector=SELECTOR)
    _put_mix(link)
    expect.only(link, ONES)


@asserts("3.8.1-1", "8.1-2", variant="listener")
def test_a_listener_is_given_what_the_selector_chooses(case: Case) -> None:
    """Of a mix of messages a listener is called with those the consumer's selector chooses, and no other."""
    link = case.link(selector=SELECTOR)
    seen: list[object] = []
    done = case.provider.clock.event()
    sending = case.link(destination=link.destination, consumes=False)

    def note(message: object, ordinal: int) -> None:  # noqa: ARG001 # a listener is given both
        seen.append(body(message))  # type: ignore[arg-type]  # a message
        if seen[-1] == "end":
            done.set()

    link.consumer.message_listener = Listener(note)
    _put_mix(sending)
    sending.send("end")
    done.wait(case.timing.deadline)
    expect.equal("what the listener was called with", seen, [*ONES, "end"])


@asserts("3.8.1-1", "8.1-2", domain=("topic",), variant="durable")
def test_a_durable_subscription_keeps_what_its_selector_chooses(case: Case) -> None:
    """Of a mix of messages a durable subscription receives those its selector chooses, and no other."""
    link = case.link(selector=SELECTOR, durable=case.name("s"))
    _put_mix(link)
    expect.only(link, ONES)


@asserts("3.8.1-1", "8.1-2", domain=("queue",), variant="browser")
def test_a_browser_shows_what_its_selector_chooses(case: Case) -> None:
    """Of a mix of messages a browser shows those its selector chooses, and no other."""
    link = case.link(consumes=False)
    _put_mix(link)
    with link.client.session.create_browser(link.destination, "n = 1") as browser:
        seen = [body(message) for message in browser.get_enumeration()]
    expect.equal("what the browser shows", seen, ONES)


@asserts("3.8.1-2")
def test_all_that_is_chosen_is_delivered(case: Case) -> None:
    """Messages that a selector chooses reach the consumer, also from behind several that it does not."""
    link = case.link(selector="n = 1")
    _put_mix(link, ("n2a", "n2b", "n1a"))
    expect.arrives(link, ["n1a"])


@asserts("3.8.1-2", domain=("queue",), variant="far behind")
def test_a_message_behind_many_is_delivered(case: Case) -> None:
    """A message that a selector chooses reaches the consumer from behind hundreds that nobody takes."""
    link = case.link(selector="n = 1")
    for number in range(MANY):
        _put(link, f"unwanted {number}", 2)
    _put(link, "wanted", 1)
    expect.arrives(link, ["wanted"])


def _put(link: Link, text: str, number: int) -> None:
    message = link.text(text)
    message.set_int_property("n", number)
    link.send(message, mode=api.DeliveryMode.NON_PERSISTENT)


@asserts("3.8.1-2", variant="bytes")
def test_a_correlation_id_in_bytes_is_delivered_too(case: Case) -> None:
    """A byte array as correlation id, where the provider takes one, does not keep a message from the selector that chooses it."""
    link = case.link(selector="n = 1")
    for correlation in (b"text", "größer".encode()):
        message = link.text("x")
        message.set_int_property("n", 1)
        expect.works_or(
            UnsupportedOperationException,
            lambda: setattr(message, "jms_correlation_id_as_bytes", correlation),
        )
        expect.works("sending it", lambda: link.send(message))
        expect.arrives(link, ["x"])


@asserts("3.8.1-3")
def test_the_body_cannot_be_referred_to(case: Case) -> None:
    """An entry of a MapMessage is no property: a selector finds NULL under its name."""
    link = case.link(selector="x = 1")
    others = case.link(destination=link.destination, selector="x IS NULL")
    message = link.message("map", "entries")
    message.set_int("x", 1)  # type: ignore[attr-defined]  # a map message
    link.send(message)
    marker = link.text("property")
    marker.set_int_property("x", 1)
    link.send(marker)
    expect.arrives(link, ["property"])
    expect.arrives(others, ["entries"])


@asserts("3.8.1-4")
def test_headers_and_properties_in_one_selector(case: Case) -> None:
    """Header fields and properties are used together."""
    samples: Samples = {
        f"{priority}{region}{correlation or '-'}": {
            "JMSPriority": priority,
            "region": region,
            "JMSCorrelationID": correlation,
        }
        for priority in (4, 9)
        for region in ("north", "south")
        for correlation in ("c7", None)
    }
    wanted = {
        "JMSPriority > 4 AND (region = 'north' OR JMSCorrelationID = 'c7')": "9northc7 9north- 9southc7",
        "region = 'south' AND JMSCorrelationID IS NULL": "4south- 9south-",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted, fenced=True), wanted)
