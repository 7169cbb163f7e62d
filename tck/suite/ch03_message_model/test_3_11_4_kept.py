"""3.11.4 Messages for clients of this interface keep their full form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import carried, client_headers, fresh, rewind
from tck.suite.support.values.bodies import (
    ONE_OF_EACH,
    objects,
    set_entries,
    typed,
    typed_entries,
    typed_items,
    write_items,
)
from tck.suite.support.values.kinds import Kind, kind_of
from tck.suite.support.values.seen import body, headers, tried
from tck.suite.support.values.texts import LONG

OTHERS: tuple[Kind, ...] = ("text", "object", "bytes", "message")


def _dressed(link: Link, kind: Kind, content: str | None) -> Any:
    """Create a message with headers, a property and, if `content` is given, a body."""
    message = link.message(kind, content) if content is not None else fresh(link, kind)
    message.jms_type = "type"
    message.jms_correlation_id = "correlation"
    message.jms_reply_to = link.destination
    message.set_string_property("name", "value")
    return message


def _portrait(message: Any) -> Mapping[str, object]:
    """Show kind, client's headers and body of a sent or received message; reset it first."""
    rewind(message)
    return {"kind": kind_of(message), **client_headers(message), "body": tried(lambda: body(message))}


@asserts("3.11.4-1")
def test_a_stream_arrives_as_a_stream(case: Case) -> None:
    """A stream message reaches the receiver as a stream message with the same items."""
    link = case.link()
    message = fresh(link, "stream")
    write_items(message, ONE_OF_EACH)
    received = carried(link, message)
    expect.equal("the kind at the receiver", kind_of(received), "stream")
    expect.equal("the items", typed_items(received, ONE_OF_EACH), typed(ONE_OF_EACH))


@asserts("3.11.4-2")
def test_a_map_arrives_as_a_map(case: Case) -> None:
    """A map message reaches the receiver as a map message with the same entries."""
    link = case.link()
    message = fresh(link, "map")
    set_entries(message, ONE_OF_EACH)
    received = carried(link, message)
    expect.equal("the kind at the receiver", kind_of(received), "map")
    expect.equal("the entries", typed_entries(received, ONE_OF_EACH), typed(ONE_OF_EACH))
    expect.equal(
        "the names", sorted(received.get_map_names()), sorted(f"e{number}" for number, _ in enumerate(ONE_OF_EACH))
    )


LONG_VALUES: Mapping[str, object] = {**LONG, "an array beyond 64 KiB": bytes(range(256)) * 300}
"""Values that do not fit 15 or 16 bits of length; no sentence of the specification limits them."""


@asserts("3.11.4-1", variant="long")
def test_a_stream_of_long_values_arrives(case: Case) -> None:
    """Texts and arrays that do not fit 16 bits of length arrive as items of a stream, alone and between short ones."""
    link = case.link()
    unlike = []
    for what, value in LONG_VALUES.items():
        alone, between = fresh(link, "stream"), fresh(link, "stream")
        alone.write_object(value)
        between.write_string("before")
        (between.write_string if isinstance(value, str) else between.write_bytes)(value)
        between.write_string("after")
        for message, items in ((alone, [value]), (between, ["before", value, "after"])):
            read = tried(partial(objects, carried(link, message), len(items)))
            unlike += [] if read == items else [what]
    expect.equal("the values that did not arrive as they were sent", unlike, [])


@asserts("3.11.4-2", variant="long")
def test_a_map_of_long_values_arrives(case: Case) -> None:
    """Texts and arrays that do not fit 16 bits of length arrive as entries of a map, alone and all together."""
    link = case.link()
    together = fresh(link, "map")
    unlike = []
    for what, value in LONG_VALUES.items():
        alone = fresh(link, "map")
        alone.set_object(what, value)
        (together.set_string if isinstance(value, str) else together.set_bytes)(what, value)
        unlike += [] if _entry(carried(link, alone), what) == value else [what]
    received = carried(link, together)
    unlike += [f"{what} among others" for what, value in LONG_VALUES.items() if _entry(received, what) != value]
    expect.equal("the values that did not arrive as they were sent", unlike, [])


def _entry(message: Any, name: str) -> object:
    """Read an entry of a message that should be a map."""
    return tried(lambda: message.get_object(name)) if kind_of(message) == "map" else f"a {kind_of(message)} message"


def _judge(link: Link) -> None:
    for kind in OTHERS:
        for content in ("x", "", None):
            message = _dressed(link, kind, content)
            received = carried(link, message)
            expect.equal(f"a {kind} message with {content!r}", _portrait(received), _portrait(message))
            expect.equal("its property", received.get_string_property("name"), "value")


@asserts("3.11.4-3")
def test_messages_keep_their_form(case: Case) -> None:
    """Text, object, bytes and plain messages keep kind, body, properties and headers, empty ones too."""
    _judge(case.link())


@asserts("3.11.4-1", ack=("client",), variant="later")
def test_a_stream_stays_a_stream(case: Case) -> None:
    """A received stream message reads the same again, after its acknowledgement and when its connection is closed."""
    _judge_later(case, ("stream",))


@asserts("3.11.4-2", ack=("client",), variant="later")
def test_a_map_stays_a_map(case: Case) -> None:
    """A received map message reads the same again, after its acknowledgement and when its connection is closed."""
    _judge_later(case, ("map",))


@asserts("3.11.4-3", ack=("client",), variant="later")
def test_messages_keep_their_form_for_ever(case: Case) -> None:
    """A received message of each other kind reads the same again, after its acknowledgement and when its connection is closed."""
    _judge_later(case, OTHERS)


def _judge_later(case: Case, kinds: Sequence[Kind]) -> None:
    link = case.link()
    received = [carried(link, _dressed(link, kind, "x"), settle=False) for kind in kinds]
    at_first = [_full(message) for message in received]
    expect.equal("the bodies", [one["body"] or "x" for one in at_first], ["x"] * len(kinds))
    for what, act in (
        ("when read again", lambda: None),
        ("after their acknowledgement", received[-1].acknowledge),
        ("after a later message", lambda: carried(link, link.text("later"))),
        ("after the end of the consumer", link.consumer.close),
        ("after the end of the connection", link.client.close),
    ):
        act()
        for before, message in zip(at_first, received, strict=True):
            expect.equal(f"a message {what}", _full(message), before)


def _full(message: Any) -> Mapping[str, object]:
    """Show all of a message: kind, headers, property and body."""
    return {**headers(message), **_portrait(message), "name": tried(lambda: message.get_string_property("name"))}


@asserts("3.11.4-3", domain=("topic",), variant="durable")
def test_messages_keep_their_form_in_a_durable_subscription(case: Case) -> None:
    """Text, object, bytes and plain messages keep their form through a durable subscription."""
    _judge(case.link(durable=case.name("durable")))


@asserts("3.11.4-3", domain=("queue",), variant="browser")
def test_messages_keep_their_form_in_a_browser(case: Case) -> None:
    """Text, object, bytes and plain messages keep their form for a browser."""
    link = case.link(consumes=False)
    sent = [_dressed(link, kind, content) for kind in OTHERS for content in ("x", "", None)]
    link.send_all(sent)
    seen = [_portrait(message) for message in link.client.browse_messages(link.destination)]
    expect.equal("what the browser shows", seen, [_portrait(message) for message in sent])
