"""7.1 Producers of temporary destinations that are deleted while the producer is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import ending_of
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link

PARTS = ("classic", "simplified")
DELIVERY_MODES = (api.DeliveryMode.PERSISTENT, api.DeliveryMode.NON_PERSISTENT)
USES = ("never used", "used once", "used three times", "used for another destination in between")


def _used(
    link: Link, owner: Client, temporary: api.Destination, use: str, *, named: bool, mode: int
) -> Callable[[], object]:
    """Use a producer of a temporary destination; return its next send."""
    sender = owner.sender(temporary if named else None)
    sender.set(mode=mode)
    to = None if named else temporary
    for number in range({"never used": 0, "used once": 1}.get(use, 3)):
        sender.send(owner.text(f"while it lives {number}"), to=to)
        if "another" in use and not named:
            sender.send(owner.text("elsewhere"), to=link.destination)
    return partial(sender.send, owner.text("too late"), to=to)


def _refuses(case: Case, use: str, sessions: Callable[[Client], Client]) -> None:
    """Demand that a producer refuses to send to a temporary destination once that is deleted."""
    link = case.link()
    for named in (True, False):
        for mode in DELIVERY_MODES:
            with expect.all_of():
                temporary: Any = link.client.temporary()
                own = Link(link.client, temporary)
                own.send("while it lives")
                expect.arrives(own, ["while it lives"])
                send = _used(link, sessions(link.client), temporary, use, named=named, mode=mode)
                own.consumer.close()
                temporary.delete()
                wanted = case.thrown(api.InvalidDestinationException)
                words = "for it" if named else "for no destination of its own"
                expect.raises(
                    wanted, send, what=f"a send by a producer {words}, {use}, of mode {mode}, after the deletion"
                )


def _refuse(case: Case) -> None:
    with expect.all_of():
        for use in USES:
            for sessions in (lambda client: client, lambda client: client.peer()):
                _refuses(case, use, sessions)


@asserts("7.1-10", ack=("auto",), api=PARTS, variant="deleted-since")
def test_a_producer_that_was_used_refuses_a_deleted_destination(case: Case) -> None:
    """A producer made before a temporary destination was deleted, used or not, raises InvalidDestinationException."""
    _refuse(case)


@asserts("7.1-10", "9.2-27", ack=("auto",), api=("domain-specific",), variant="deleted-since")
def test_a_domain_producer_that_was_used_refuses_a_deleted_destination(case: Case) -> None:
    """A QueueSender or TopicPublisher made before a temporary destination was deleted raises InvalidDestinationException."""
    _refuse(case)


REPORTS: Mapping[object, str] = {
    "raises InvalidDestinationException": "thrown",
    "onException of InvalidDestinationException": "passed to onException",
}


@asserts("7.1-10", api=("classic",), variant="deleted-asynchronous", needs="asynchronous sends")
def test_a_deleted_destination_is_reported_of_an_asynchronous_send(case: Case) -> None:
    """An asynchronous send to a deleted destination throws InvalidDestinationException, or passes it to onException; it is recorded."""
    client = case.client()
    temporary: Any = client.temporary()
    own = Link(client, temporary)
    own.send("while it lives")
    expect.arrives(own, ["while it lives"])
    own.consumer.close()
    temporary.delete()
    send: Any = own.sender.producer.send
    options: dict[str, Any] = {"delivery_mode": api.DeliveryMode.PERSISTENT, "priority": 4, "time_to_live": 0}
    with expect.all_of():
        for what, more in (("send(message, listener)", {}), ("send(message, options, listener)", options)):
            call = partial(_heard, send, client.text("x"), more)
            expect.one_of(f"{what} to a deleted destination", ending_of(case, call), REPORTS)


def _heard(
    send: Callable[..., object], message: api.Message, options: Mapping[str, Any], listener: api.CompletionListener
) -> object:
    return send(message, **options, completion_listener=listener)
