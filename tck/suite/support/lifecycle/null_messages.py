"""Sends of a null message, by every synchronous method: each is refused, and the producer goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.link import Link

OPTIONS: Mapping[str, Any] = {
    "delivery_mode": api.DeliveryMode.NON_PERSISTENT,
    "priority": 6,
    "time_to_live": 3_600_000,
}
"""Options of a send, none of them the default."""


def _publishes(link: Link) -> bool:
    """Whether the sends of a case are those of a TopicPublisher before 1.1, which has no send() yet."""
    return link.case.api == "domain-specific" and link.case.domain == "topic" and not link.case.offers("classic")


def send_of(producer: Any, link: Link) -> Callable[..., object]:
    """Return send(), or publish() where there is no other, by the same arguments."""
    if not _publishes(link):
        send: Callable[..., object] = producer.send
        return send

    def publish(message: api.Message | None, **given: Any) -> None:
        named = {"topic": given.pop("destination")} if "destination" in given else {}
        producer.publish(message, **named, **given)

    return publish


def _of_null(link: Link) -> Mapping[str, Callable[[], object]]:
    """Return the sends of a null message, by every synchronous method."""
    own, anywhere, nothing = link.sender.producer, link.client.sender(None).producer, None
    if link.case.api == "simplified":
        return {"a send": lambda: own.send(link.destination, nothing, body_type=api.Message)}
    send, send_to = send_of(own, link), send_of(anywhere, link)
    calls = {
        "send(message)": lambda: send(nothing),
        "send(message, options)": lambda: send(nothing, **OPTIONS),
        "send(destination, message)": lambda: send_to(nothing, destination=link.destination),
        "send(destination, message, options)": lambda: send_to(nothing, destination=link.destination, **OPTIONS),
    }
    if link.case.api == "domain-specific" and link.case.domain == "topic":
        calls["publish(message)"] = lambda: own.publish(nothing)
        calls["publish(topic, message)"] = lambda: anywhere.publish(nothing, topic=link.destination)
    return calls


def refuses_null_messages(link: Link) -> None:
    """Demand that each send of null raises MessageFormatException, and that the producer and its transaction go on."""
    wanted = link.case.thrown(api.MessageFormatException)
    link.put("before")
    calls = _of_null(link)
    with expect.all_of():
        for what, call in calls.items():
            with expect.all_of():
                expect.raises(wanted, call, what=f"{what} of null", though_works=partial(link.put, what))
        link.client.settle()
        expect.only(link, ["before", *calls])
