"""Refused calls: each leaves the session, its unsettled work and its listener as they were.

The callers say which calls must be refused; the scenarios here say when they are made.
"""

from __future__ import annotations

from collections.abc import Callable

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.clients.members import Rows
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.administered import exchanged
from tck.suite.support.values.seen import body, shown

Refuse = Callable[[], None]
"""Demands the refusals."""


def refused(wanted: type[Exception], calls: Rows) -> None:
    """Demand an exception of just this type from each call, and again from each; the case has seen a message arrive before."""
    for turn in ("", ", called again"):
        for what, call in calls.items():
            with expect.all_of():
                expect.raises(wanted, call, what=f"{what}{turn}")


def with_open_work(link: Link, refuse: Refuse) -> None:
    """Demand refusals while the session has unsettled messages, received and sent, which are then settled as a whole."""
    link.send("received")
    received = link.take()
    before = numbered(3)
    for text in before:
        link.put(text)
    refuse()
    link.put("sent after")
    link.client.settle(received)
    expect.only(link, [*before, "sent after"])


def with_returned_work(link: Link, refuse: Refuse) -> None:
    """Demand refusals before and after a rollback or recover(), which returns all that was received and drops all that was sent."""
    link.send_all(("one", "two"))
    expect.arrives(link, ["one", "two"], settle=False)
    if link.client.transacted:
        link.put("rolled back")
    refuse()
    link.client.return_all()
    refuse()
    expect.arrives(link, ["one", "two"])
    expect.only(link)


def before_everything(client: Client, refuse: Refuse) -> None:
    """Demand refusals first of all on the session of a client that is not started yet, which then starts and serves."""
    exchanged(client.case, connect(client.case))
    refuse()
    client.start()
    exchanged(client.case, client)


def within_a_listener(link: Link, wanted: type[Exception], calls: Rows) -> None:
    """Demand refusals by a listener of the session in its second call; it settles that message and gets the third.

    Raises:
        Undecided: the listener is not called at all.
    """
    case = link.case
    endings: dict[str, str] = {}
    bodies: list[object] = []
    heard = {ordinal: case.provider.clock.event() for ordinal in (1, 2, 3)}

    def hear(message: api.Message, ordinal: int) -> None:
        bodies.append(body(message))
        if ordinal == 2:
            endings.update({what: _ending(wanted, call) for what, call in calls.items()})
        link.client.settle(message)
        heard[min(ordinal, 3)].set()

    link.consumer.message_listener = Listener(hear)
    sender = Link(connect(case, "auto"), link.destination, consumes=False)
    sender.send("before")
    if not heard[1].wait(case.timing.deadline):
        raise Undecided("the listener was never called")
    sender.send_all(("refused", "after"))
    heard[3].wait(case.timing.deadline)
    expect.equal("the listener's calls", endings, dict.fromkeys(calls, f"raised {wanted.__name__}"))
    expect.equal("what the listener got", bodies, ["before", "refused", "after"])


def _ending(wanted: type[Exception], call: Callable[[], object]) -> str:
    try:
        value = call()
    except wanted:
        return f"raised {wanted.__name__}"
    except Exception as error:  # noqa: BLE001 - the caller judges it
        return f"raised {type(error).__name__}: {error}"
    return f"returned {shown(value)!r}"
