"""7.7 Message delivery mode: PERSISTENT messages outlive a failure of the provider. Each case needs a hook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import fresh, rewind
from tck.suite.support.values.bodies import ALL_MIXED, array_of, set_entries, typed_entries, typed_items, write_items
from tck.suite.support.values.kinds import KINDS, Kind, kind_of
from tck.suite.support.values.properties import objects, own_names, set_all, set_some
from tck.suite.support.values.seen import headers, tried
from tck.suite.support.values.texts import seldom_right

CONTENT = [1, "two", [3.5, None, True], {"four": "größer, \N{GRINNING FACE}"}]
"""What object messages hold."""
KEPT = (
    "jms_message_id",
    "jms_timestamp",
    "jms_correlation_id",
    "jms_reply_to",
    "jms_destination",
    "jms_type",
    "jms_delivery_mode",
    "jms_expiration",
    "jms_priority",
)
"""Headers that are the same at both ends."""


_VALUES = [each for each in ALL_MIXED if not seldom_right(each[1])]


def _laden(link: Link, kind: Kind) -> Any:
    """Create a message of a kind with a full body, properties of all types and every header of the client."""
    message = fresh(link, kind)
    if kind == "text":
        message.text = "größer, 東京, \N{GRINNING FACE}"
    elif kind == "object":
        message.object = CONTENT
    elif kind == "map":
        set_entries(message, _VALUES)
    elif kind == "stream":
        write_items(message, _VALUES)
    elif kind == "bytes":
        message.write_bytes(bytes(range(256)))
    if kind == "text":
        set_all(message, lambda one, name, value: one.set(message, name, _plain(value)))
    else:
        set_some(message)
    message.jms_type, message.jms_correlation_id = "type", "correlation"
    message.jms_reply_to = link.destination
    return message


def _plain(value: object) -> object:
    """Replace a text that some providers alter on the way: that it arrives in a property at all is 3.5.3-1."""
    return "plain" if seldom_right(value) else value


def _bare(link: Link, kind: Kind) -> Any:
    """Create an empty message of a kind with JMSReplyTo, in the other domain."""
    message = fresh(link, kind)
    message.jms_reply_to = link.case.destination(link.case.other_domain)
    return message


def _asking(link: Link) -> Any:
    """Create a message with a temporary destination as JMSReplyTo, which ends with its connection."""
    message = link.text("x")
    message.jms_reply_to = link.client.temporary()
    return message


def _belongings(message: Any) -> Mapping[str, object]:
    """Show kind, headers, properties and body of a sent or received message; reset it first."""
    rewind(message)
    names = dict.fromkeys(own_names(message))
    shown = {"kind": kind_of(message), **headers(message, names=KEPT), "names": sorted(names)}
    return {**shown, **objects(message, names), **_content(message)}


def _content(message: Any) -> Mapping[str, object]:
    kind = kind_of(message)
    if kind == "map":
        return typed_entries(message, _VALUES)
    if kind == "stream":
        return typed_items(message, _VALUES)
    read = {
        "text": lambda: message.text,
        "object": lambda: message.object,
        "bytes": lambda: array_of(message),
    }.get(kind, lambda: "no body")
    return {"body": tried(read)}


@asserts("7.7-3", "9.1-1")
def test_persistent_messages_of_a_queue_survive(case: Case) -> None:
    """After the provider failed, PERSISTENT messages of every kind, full ones and empty ones, are received with all that they held."""
    link = case.link(consumes=False)
    messages = [*(_laden(link, kind) for kind in KINDS), *(_bare(link, kind) for kind in KINDS), _asking(link)]
    for message in messages:
        link.send(message, mode=api.DeliveryMode.PERSISTENT, priority=4)
    wanted = [_belongings(message) for message in messages]
    case.provider.kill()
    again = case.link(destination=link.destination)
    for held in wanted:
        message = expect.arrival(again)
        again.client.settle(message)
        expect.equal(f"the {held['kind']} message after the failure", _belongings(message), held)


SIZES = (10, 40_000, 70_000, 200_000, 10)
"""Lengths of texts, below and above the sizes from which stores treat messages in another way; in characters."""


@asserts("7.7-3", "9.1-1", variant="after-others")
def test_persistent_messages_in_the_place_of_others_survive(case: Case) -> None:
    """PERSISTENT messages of several sizes are there after the provider failed, also where others of their sizes were consumed before."""
    link = case.link()
    link.sender.set(mode=api.DeliveryMode.PERSISTENT)
    rounds = [[f"{turn} {at} ".ljust(size, "x") for at, size in enumerate(SIZES)] for turn in range(3)]
    for texts in rounds[:2]:
        link.send_all(texts)
        expect.arrives(link, texts)
    link.send_all(rounds[2])
    case.provider.kill()
    again = case.link(destination=link.destination)
    expect.only(again, rounds[2])


@asserts("7.7-4")
def test_persistent_messages_of_a_durable_subscription_survive(case: Case) -> None:
    """After the provider failed, what an inactive durable subscription held is received with all that the messages held."""
    name = case.name("s")
    link = case.link(durable=name)
    link.client.close()
    publisher = case.link("auto", destination=link.destination, consumes=False)
    messages = [_laden(publisher, kind) for kind in KINDS]
    messages += [*(_bare(publisher, kind) for kind in KINDS), _asking(publisher)]
    for message in messages:
        publisher.send(message, mode=api.DeliveryMode.PERSISTENT, priority=4)
    wanted = [_belongings(message) for message in messages]
    case.provider.kill()
    again = case.link(destination=link.destination, durable=name)
    for held in wanted:
        message = expect.arrival(again)
        expect.equal(f"the {held['kind']} message after the failure", _belongings(message), held)
