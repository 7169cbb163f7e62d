"""5.2 Destination objects outlive what they come from: an object stands for its address, whoever uses it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.raw import named_anew

Making = Callable[[Client, api.Destination], api.Destination | None]


def _carried(client: Client, place: api.Destination) -> api.Message:
    """Send a message with JMSReplyTo to a place, and receive it."""
    link = Link(client, place)
    message = link.text("x")
    message.jms_reply_to = named_anew(client, place)
    received = link.carry(message)
    link.consumer.close()
    return received


MAKINGS: dict[str, Making] = {
    "made by a session": named_anew,
    "JMSDestination of a received message": lambda client, place: _carried(client, place).jms_destination,
    "JMSReplyTo of a received message": lambda client, place: _carried(client, place).jms_reply_to,
}
"""Ways to get an object for the address of a destination, over a client."""
ENDS: dict[str, Callable[[Client, Client], object]] = {
    "whose session is closed": lambda maker, _: maker.close_session(),
    "whose connection is closed": lambda maker, owner: (maker.close_session(), owner.close()),
    "whose connection is stopped": lambda _, owner: owner.stop(),
}
"""What becomes of the session and the connection that an object comes from."""


@asserts("5.2-2", ack=("auto", "client", "transacted"), variant="company")
def test_an_object_outlives_the_session_that_made_it(case: Case) -> None:
    """An object whose session or connection was closed or stopped is one place with its address, for senders and receivers."""
    with expect.all_of():
        for origin, make in MAKINGS.items():
            for end, act in ENDS.items():
                what = f"an object, {origin}, {end}"
                place, owner = case.destination(), case.client()
                maker = owner.peer()
                made = expect.present(what, make(maker, place))
                act(maker, owner)
                _is_one_place(case, made, place, what)


def _is_one_place(case: Case, made: api.Destination, place: api.Destination, what: str) -> None:
    """Demand that what is sent through one of two objects arrives through the other, on connections of their own."""
    for sending, receiving in ((made, place), (place, made)):
        receiver = expect.works(f"receiving through {what}", partial(Link, case.client(), receiving))
        sender = expect.works(f"sending through {what}", partial(Link, case.client(), sending, consumes=False))
        expect.works(f"a send through {what}", partial(sender.send, "x"))
        expect.arrives(receiver, ["x"])
        receiver.client.close()


def _browsed(client: Client, queue: api.Destination) -> list[object]:
    return client.browse_until(queue, 1)


@asserts("5.2-2", domain=("queue",), ack=("auto", "transacted"), variant="browsed")
def test_a_queue_is_browsed_through_an_object_that_outlives_its_maker(case: Case) -> None:
    """A queue is browsed through an object whose session or connection was closed or stopped."""
    with expect.all_of():
        for origin, make in MAKINGS.items():
            for end, act in ENDS.items():
                place, owner = case.destination(), case.client()
                maker = owner.peer()
                made = expect.present("the object", make(maker, place))
                act(maker, owner)
                case.link(destination=place, consumes=False).send("waits")
                shown = expect.works(
                    f"browsing through an object, {origin}, {end}", partial(_browsed, case.client(), made)
                )
                expect.equal(f"what is browsed through an object, {origin}, {end}", shown, ["waits"])
