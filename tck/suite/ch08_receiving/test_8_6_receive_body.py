"""8.6 Receiving message bodies synchronously: receiveBody(type), receiveBody(type, timeout), receiveBodyNoWait(type)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.deliveries import receive_body
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import filled, fragile, fresh
from tck.suite.support.values.body_types import ASKED, ENTRIES, PARCEL
from tck.suite.support.values.seen import tried

REFUSED = "raises MessageFormatRuntimeException"


def _waiting(link: Link, body_type: api.BodyType) -> object:
    """Call receiveBody(type), which must return within the profile's deadline; show the body, or `raises TYPE`."""
    consumer: Any = link.consumer
    call = link.case.spawn("receiveBody(type)", lambda: tried(lambda: consumer.receive_body(body_type)))
    return expect.returns(call, "receiveBody(type)")


def _polling(link: Link, body_type: api.BodyType) -> object:
    """Call receiveBodyNoWait(type) for a bounded time until it is not null; show the body, or `raises TYPE`."""
    consumer: Any = link.consumer
    for _ in range(200):
        seen = tried(lambda: consumer.receive_body_no_wait(body_type))
        if seen is not None:
            return seen
        link.case.provider.clock.event().wait(max(link.case.timing.deadline / 200, 1))
    return None


WAYS: Mapping[str, Callable[[Link, api.BodyType], object]] = {
    "receiveBody(type)": _waiting,
    "receiveBody(type, timeout)": receive_body,
    "receiveBodyNoWait(type)": _polling,
}
"""The three forms."""


def _each_way(case: Case, make: Callable[[], api.Message], body_type: api.BodyType) -> dict[str, object]:
    """Send a message for each form and receive its body; a refused message is left behind on a destination of its own.

    A witness comes first: a text whose body is received.
    """
    link = case.link()
    expect.equal("the body of a text", _received(link, link.text("witness"), receive_body, str), "witness")
    seen: dict[str, object] = {}
    for name, way in WAYS.items():
        if REFUSED in seen.values():  # the provider has to keep that message, which is another row's matter (8.6-21)
            link = case.link()
        seen[name] = _received(link, make(), way, body_type)
    return seen


def _received(
    link: Link, message: api.Message, way: Callable[[Link, api.BodyType], object], body_type: api.BodyType
) -> object:
    link.send(message)
    return way(link, body_type)


@asserts("8.6-1")
def test_the_body_of_the_next_message(case: Case) -> None:
    """receiveBody(type) gives the body of one message after the other."""
    link = case.link()
    link.send_all(("one", "two"))
    expect.equal("what two calls gave", [_waiting(link, str), _waiting(link, str)], ["one", "two"])


@asserts("8.6-2")
def test_with_timeout_a_body_that_comes_in_time(case: Case) -> None:
    """receiveBody(type, timeout) gives the body of a message that comes while it waits, well before the time is up."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    limit = 4 * case.timing.deadline
    call = case.spawn("receiveBody", lambda: (link.consumer.receive_body(str, int(limit)), case.now()))  # type: ignore[union-attr]  # of JMSConsumer
    case.pass_time(case.timing.delay, "the receiver waits before anything is sent")
    sent_at = case.now()
    sender.send("late")
    text, returned_at = expect.returns(call, "receiveBody(type, timeout)", limit + case.timing.deadline)
    expect.equal("what it gave", text, "late")
    elapsed = returned_at - sent_at
    expect.true(f"it returns well before its limit of {limit} ms", elapsed < limit / 2, f"it took {elapsed} ms")


@asserts("8.6-3")
def test_without_waiting_a_body_that_is_there(case: Case) -> None:
    """receiveBodyNoWait(type) gives the body of a message that is there."""
    link = case.link()
    link.send("there")
    expect.equal("what receiveBodyNoWait() gave", _polling(link, str), "there")


@asserts("8.6-5")
def test_null_when_the_time_is_up(case: Case) -> None:
    """receiveBody(type, timeout) gives null when the time is up, and not before."""
    link = case.link()
    link.send("x")
    expect.equal("the body of a message", receive_body(link, str), "x")
    began, limit = case.now(), int(case.timing.delay)
    expect.equal("a body when nothing comes", tried(lambda: link.consumer.receive_body(str, limit)), None)  # type: ignore[union-attr]  # of JMSConsumer
    expect.between("ms it took", case.now() - began, limit, limit + int(case.timing.deadline))


@asserts("8.6-6")
def test_without_timeout_it_waits(case: Case) -> None:
    """receiveBody(type), and receiveBody(type, 0), wait as long as nothing comes, and then give the body."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    consumer = link.consumer
    for what, arguments in (("receiveBody(type)", (str,)), ("receiveBody(type, 0)", (str, 0))):
        call = case.spawn(what, lambda: consumer.receive_body(*arguments))  # type: ignore[union-attr]  # of JMSConsumer
        expect.waits(call, what, "while nothing was sent")
        sender.send("at last")
        expect.equal(f"what {what} gave", expect.returns(call, what), "at last")


@asserts("8.6-7")
def test_without_waiting_null_when_nothing_is_there(case: Case) -> None:
    """receiveBodyNoWait(type) returns at once with null when nothing is there."""
    link = case.link()
    link.send("first")
    expect.equal("the body of a message", _polling(link, str), "first")
    call = case.spawn("receiveBodyNoWait", lambda: link.consumer.receive_body_no_wait(str))  # type: ignore[union-attr]  # of JMSConsumer
    expect.equal("a body when nothing is there", expect.returns(call, "receiveBodyNoWait()"), None)


@asserts("8.6-8")
def test_null_when_the_consumer_is_closed(case: Case) -> None:
    """A call of receiveBody that waits returns null when its consumer is closed."""
    link = case.link()
    link.send("x")
    expect.equal("the body of a message", receive_body(link, str), "x")
    call = case.spawn("receiveBody", lambda: link.consumer.receive_body(str))  # type: ignore[union-attr]  # of JMSConsumer
    expect.waits(call, "receiveBody(type)", "while nothing was sent")
    expect.works("close()", link.consumer.close)
    expect.equal("what the waiting call gave", expect.returns(call, "receiveBody(type)"), None)


@asserts("8.6-9", ack=("transacted",))
def test_the_message_is_kept_until_the_commit(case: Case) -> None:
    """A body received in a transaction that is rolled back is received again; after a commit it is not."""
    link = case.link()
    link.send("x")
    expect.equal("the body", receive_body(link, str), "x")
    link.client.rollback()
    expect.equal("the body after a rollback", receive_body(link, str), "x")
    link.client.commit()
    expect.only(link, [])


@asserts("8.6-10")
def test_a_text_as_string(case: Case) -> None:
    """The body of a text message is received as String in each form."""
    link = case.link()
    seen = _each_way(case, lambda: filled(link, "text"), str)
    expect.equal("the body of a text as String", seen, dict.fromkeys(WAYS, "x"))


@asserts("8.6-11")
def test_a_text_as_what_a_string_is(case: Case) -> None:
    """The body of a text message is received as each type that a String can be assigned to."""
    link = case.link()
    for name in ("Object", "CharSequence", "Comparable", "Serializable"):
        seen = _each_way(case, lambda: filled(link, "text"), ASKED[name])
        expect.equal(f"the body of a text as {name}", seen, dict.fromkeys(WAYS, "x"))


@asserts("8.6-12")
def test_an_object_as_what_it_is(case: Case) -> None:
    """The body of an object message is received as Serializable, as its class and as each type it can be assigned to."""
    link = case.link()
    for name in ("Serializable", "Parcel", "Container", "Object"):
        seen = _each_way(case, lambda: filled(link, "object"), ASKED[name])
        expect.equal(f"the body of an object message as {name}", seen, dict.fromkeys(WAYS, PARCEL))


@asserts("8.6-13")
def test_a_map_as_map(case: Case) -> None:
    """The body of a map message is received as Map or Object and holds the entries."""
    link = case.link()
    for name in ("Map", "Object"):
        seen = _each_way(case, lambda: filled(link, "map"), ASKED[name])
        expect.equal(f"the body of a map as {name}", seen, dict.fromkeys(WAYS, ENTRIES))


@asserts("8.6-14")
def test_bytes_as_array(case: Case) -> None:
    """The body of a bytes message is received as byte array or Object and holds all bytes."""
    link = case.link()
    for name in ("byte[]", "Object"):
        seen = _each_way(case, lambda: filled(link, "bytes"), ASKED[name])
        expect.equal(f"the body of a bytes message as {name}", seen, dict.fromkeys(WAYS, b"\x07\x08abc"))


@asserts("8.6-15")
def test_a_stream_is_refused(case: Case) -> None:
    """Each form raises MessageFormatRuntimeException when the next message is a stream message."""
    link = case.link()
    seen = _each_way(case, lambda: filled(link, "stream"), api.OBJECT)
    expect.equal("the body of a stream", seen, dict.fromkeys(WAYS, REFUSED))


@asserts("8.6-16")
def test_a_plain_message_is_refused(case: Case) -> None:
    """Each form raises MessageFormatRuntimeException when the next message has no kind of body."""
    link = case.link()
    seen = _each_way(case, lambda: fresh(link, "message"), api.OBJECT)
    expect.equal("the body of a plain message", seen, dict.fromkeys(WAYS, REFUSED))


@asserts("8.6-17")
def test_a_body_that_is_no_such_type_is_refused(case: Case) -> None:
    """Each form raises MessageFormatRuntimeException when the body cannot be assigned to the type."""
    link = case.link()
    for name in ("Integer", "Map", "byte[]"):
        seen = _each_way(case, lambda: filled(link, "text"), ASKED[name])
        expect.equal(f"the body of a text as {name}", seen, dict.fromkeys(WAYS, REFUSED))


@asserts("8.6-18")
def test_a_message_without_a_body_is_refused(case: Case) -> None:
    """Each form raises MessageFormatRuntimeException when the text or object was never set."""
    link = case.link()
    texts = _each_way(case, lambda: fresh(link, "text"), str)
    expect.equal("the body of a text message without a text", texts, dict.fromkeys(WAYS, REFUSED))
    objects = _each_way(case, lambda: fresh(link, "object"), api.SERIALIZABLE)
    expect.equal("the body of an object message without an object", objects, dict.fromkeys(WAYS, REFUSED))


@asserts("8.6-20")
def test_an_object_that_cannot_be_built_is_refused(case: Case) -> None:
    """Each form raises MessageFormatRuntimeException when the object cannot be deserialised."""
    sound, seen = case.link(), {}
    whole = _each_way(case, lambda: filled(sound, "object"), api.SERIALIZABLE)
    expect.equal("a sound object", whole, dict.fromkeys(WAYS, PARCEL))
    for name, way in WAYS.items():
        link = case.link()
        link.send(fragile(link))
        seen[name] = way(link, api.SERIALIZABLE)
    expect.equal("an object that refuses to be built", seen, dict.fromkeys(WAYS, REFUSED))
