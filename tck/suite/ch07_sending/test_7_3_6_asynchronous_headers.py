"""7.3.6 Message headers after an asynchronous send."""

from __future__ import annotations

from tck import api
from tck.api import DeliveryMode
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.completion import seen_at_completion
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.values.seen import headers

HOUR = 3_600_000
SET_ON_SEND = ("JMSXUserID", "JMSXAppID", "JMSXProducerTXID")

SET_BY_SEND = (
    "jms_destination",
    "jms_delivery_mode",
    "jms_expiration",
    "jms_delivery_time",
    "jms_priority",
    "jms_message_id",
    "jms_timestamp",
)


@asserts("7.3.6-1", api=("domain-specific",))
def test_an_asynchronous_send_in_one_domain_has_set_its_fields_at_completion(case: Case) -> None:
    """When the completion listener of a QueueSender or TopicPublisher is called, all seven fields are there."""
    link = case.link()
    link.sender.set(mode=DeliveryMode.NON_PERSISTENT, priority=6, ttl=HOUR)
    seen = seen_at_completion(link, link.text("x"), lambda message: headers(message, names=SET_BY_SEND))
    received = headers(link.receive(), names=SET_BY_SEND)
    expect.equal("fields at the receiver, the priority", received["jms_priority"], 6)
    expect.equal("fields inside the completion callback", seen, received)


@asserts("7.3.6-2", ack=("auto", "transacted"))
def test_properties_that_a_send_sets_are_there_at_completion(case: Case) -> None:
    """JMSX properties that the provider sets on send and the receiver sees are on the message when onCompletion is called."""
    link = case.link()
    seen, received = [], []
    for text in numbered(6):  # a provider may set them in some messages only (3.5.9-20)
        seen.append(seen_at_completion(link, link.text(text), _set_on_send))
        if link.client.transacted:
            link.client.commit()
        received.append(_set_on_send(link.receive()))
    none = f"none of {SET_ON_SEND} is in any of {len(received)} messages"
    expect.true("the receiver sees a JMSX property that a send sets", any(received), none)
    expect.equal("properties inside the completion callbacks", seen, received)


def _set_on_send(message: api.Message) -> dict[str, object]:
    return {name: message.get_object_property(name) for name in SET_ON_SEND if message.property_exists(name)}
