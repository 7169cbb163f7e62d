"""7.4 Message delivery options: those given in sends that failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.sender import Sender
from tck.suite.support.values.seen import body, tried

LONG = 3_600_000
"""A time-to-live in ms that does not end during the case."""
OWN = {"delivery_mode": api.DeliveryMode.NON_PERSISTENT, "priority": 2, "time_to_live": LONG}
"""The settings of a producer."""


def _deleted(link: Link) -> Any:
    temporary = link.client.temporary()
    temporary.delete()
    return temporary


def _failing(link: Link, sender: Sender, *, named: bool) -> dict[str, Callable[[], object]]:
    """Return sends with options that may fail, by words for them; `named` if the producer has a destination of its own."""
    to = None if named else link.destination
    given: dict[str, Any] = {"mode": api.DeliveryMode.PERSISTENT, "priority": 8, "ttl": 2 * LONG}
    message, gone = link.text("fails"), _deleted(link)
    return {
        "to a deleted destination": lambda: sender.send(message, to=gone, **given),
        "to another destination": lambda: sender.send(message, to=gone if named else None, **given),
        "of no message": lambda: sender.send(None, to=to, **given),  # type: ignore[arg-type]  # to be refused
        "with priority 10": lambda: sender.send(message, to=to, **given | {"priority": 10}),
        "with priority -1": lambda: sender.send(message, to=to, **given | {"priority": -1}),
        "with delivery mode 3": lambda: sender.send(message, to=to, **given | {"mode": 3}),
        "with a negative time-to-live": lambda: sender.send(message, to=to, **given | {"ttl": -1}),
    }


def _received(link: Link, text: str) -> api.Message:
    """Receive up to the message with a text: what was not refused comes before it."""
    while body(message := link.receive()) != text:
        pass
    return message


@asserts("7.4-8", ack=("auto", "transacted"), variant="failed")
def test_a_failed_send_leaves_the_settings_of_the_producer(case: Case) -> None:
    """After sends with options that failed, a producer, with a destination and without, has its settings, and its next message too."""
    link = case.link()
    with expect.all_of():
        for named in (True, False):
            sender = link.client.sender(link.destination if named else None)
            sender.set(mode=OWN["delivery_mode"], priority=OWN["priority"], ttl=OWN["time_to_live"])
            for what, send in _failing(link, sender, named=named).items():
                outcome = tried(send)  # refused or not: other rows
                words = f"after a send {what} ({outcome}), its producer has a destination: {named}"
                expect.equal(f"the settings {words}", {name: getattr(sender.producer, name) for name in OWN}, OWN)
                sender.send(link.text(words), to=None if named else link.destination)
                link.client.settle()
                message = _received(link, words)
                seen = [message.jms_delivery_mode, message.jms_priority]
                expect.equal(
                    f"mode and priority of the next message {words}", seen, [OWN["delivery_mode"], OWN["priority"]]
                )
