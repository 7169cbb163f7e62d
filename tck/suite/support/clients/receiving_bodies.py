"""Bodies received without their messages: the three forms of receiveBody, and what becomes of a message after a failed call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import taken
from tck.suite.support.values.seen import tried

REFUSED = "raises MessageFormatRuntimeException"


def waiting(link: Link, body_type: api.BodyType) -> object:
    """Call receiveBody(type), which must return within the profile's deadline; show what came of it."""
    consumer: Any = link.consumer
    call = link.case.spawn("receiveBody(type)", lambda: tried(lambda: consumer.receive_body(body_type)))
    return expect.returns(call, "receiveBody(type)")


def limited(link: Link, body_type: api.BodyType) -> object:
    """Call receiveBody(type, timeout) with the profile's deadline; show what came of it."""
    consumer: Any = link.consumer
    return tried(lambda: consumer.receive_body(body_type, int(link.case.timing.deadline)))


def polling(link: Link, body_type: api.BodyType) -> object:
    """Call receiveBodyNoWait(type), again for a bounded time as long as it gives null; show what came of it."""
    consumer: Any = link.consumer
    for _ in range(200):
        seen = tried(lambda: consumer.receive_body_no_wait(body_type))
        if seen is not None:
            return seen
        link.case.provider.clock.event().wait(max(link.case.timing.deadline / 200, 1))
    return None


WAYS: Mapping[str, Callable[[Link, api.BodyType], object]] = {
    "receiveBody(type)": waiting,
    "receiveBody(type, timeout)": limited,
    "receiveBodyNoWait(type)": polling,
}
"""The three forms."""


def each_way(link: Link, make: Callable[[], api.Message], body_type: api.BodyType) -> dict[str, object]:
    """Send a message for each form and receive its body; what a form refuses is received as a message afterwards.

    A witness comes first: a text whose body is received.
    """
    expect.equal("the body of a text", _received(link, link.text("witness"), limited, str), "witness")
    return {name: _received(link, make(), way, body_type) for name, way in WAYS.items()}


def _received(
    link: Link, message: api.Message, way: Callable[[Link, api.BodyType], object], body_type: api.BodyType
) -> object:
    link.send(message)
    seen = way(link, body_type)
    if seen == REFUSED:
        link.client.settle(taken(link))
    return seen
