"""7.3.2 Exceptions of an asynchronous send, by each overload of a MessageProducer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import ending_of
from tck.suite.support.clients.link import Link

MODES = ("auto", "transacted")
OPTIONS: Mapping[str, Any] = {"delivery_mode": api.DeliveryMode.PERSISTENT, "priority": 4, "time_to_live": 0}
Send = Callable[[api.CompletionListener], object]


def _of_own(link: Link, message: api.Message | None) -> Mapping[str, Send]:
    """Return the asynchronous sends of the link's producer, which has a destination."""
    send: Any = link.sender.producer.send
    return {
        "send(message, listener)": lambda listener: send(message, completion_listener=listener),
        "send(message, options, listener)": lambda listener: send(message, **OPTIONS, completion_listener=listener),
    }


def _of_named(link: Link, message: api.Message | None, to: api.Destination | None) -> Mapping[str, Send]:
    """Return the asynchronous sends of a producer that has no destination."""
    send = partial(link.client.sender().producer.send, message, destination=to)
    return {
        "send(destination, message, listener)": lambda listener: send(completion_listener=listener),
        "send(destination, message, options, listener)": lambda listener: send(completion_listener=listener, **OPTIONS),
    }


@asserts("7.3.2-1", ack=MODES, api=("classic",), variant="overloads")
def test_each_overload_throws_the_fitting_exception(case: Case) -> None:
    """An asynchronous send of null throws MessageFormatException by each overload, one to null InvalidDestinationException."""
    link = case.link()
    working = {**_of_own(link, link.text("x")), **_of_named(link, link.text("x"), link.destination)}
    expect.equal(
        "sends that work",
        {what: ending_of(case, send) for what, send in working.items()},
        dict.fromkeys(working, "sent"),
    )
    link.client.settle()
    expect.arrives(link, ["x"] * len(working))
    of_null = {**_of_own(link, None), **_of_named(link, None, link.destination)}
    to_null = _of_named(link, link.text("refused"), None)
    with expect.all_of():
        for words, sends, wanted in (
            ("of null", of_null, "raises MessageFormatException"),
            ("to null", to_null, "raises InvalidDestinationException"),
        ):
            seen = {what: ending_of(case, send) for what, send in sends.items()}
            expect.equal(f"sends {words}", seen, dict.fromkeys(sends, wanted))
        link.client.settle()
        expect.only(link)
