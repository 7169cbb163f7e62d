"""Starting, stopping and closing: a connection that was never started, one under load, and the use of closed objects."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.lifecycle.administered import configured_factory, connection_from
from tck.suite.support.lifecycle.stopping import controller, receiving, stop
from tck.suite.support.lifecycle.unstarted import seen_at, unstarted
from tck.suite.support.values.seen import body, tried

LOAD = numbered(40)


@scenario("pj-clean-shutdown")
def test_starting_stopping_and_closing(case: Case) -> None:
    """Nothing comes before start and after stop; close ends a receive, settles nothing, and refuses what comes later."""
    before, after = never_started(case)
    stopped = StoppedUnderLoad(case)
    ends = {part: blocked_receive(case, part) for part in ("consumer", "session", "connection")}
    uses, again = used_after_close(case)

    with expect.for_row("pj-clean-shutdown-1"):
        case.witness("a message came after start")
        expect.equal("the message sent while stopped, before and after start", [before, after], [[], "early"])
    with expect.for_row("pj-clean-shutdown-2"):
        expect.equal("the messages after stop had returned, and a receive of limited time", stopped.silent, [[], None])
        expect.equal("all messages, with those after the next start", sorted(stopped.heard), LOAD)
    with expect.for_row("pj-clean-shutdown-3"):
        expect.equal("the receives that were blocked", ends, dict.fromkeys(ends, "returned null"))
    with expect.for_row("pj-clean-shutdown-4"):
        refused = f"raises {case.thrown(api.IllegalStateException).__name__}"
        wanted = {use: "raises IllegalStateException" if use == "acknowledge" else refused for use in uses}
        expect.equal("the uses of closed objects", uses, wanted)
        expect.equal("the second close of each", again, [None] * len(again))
    with expect.for_row("pj-clean-shutdown-5"):
        expect.equal("what the closed session had not acknowledged", unacknowledged(case), COMES_AGAIN)
    with expect.for_row("pj-clean-shutdown-6"):
        case.presumes("administered-client-id")
        configured = connection_from(case, configured_factory(case, client_id=case.name("configured")))
        expect.raises(
            case.thrown(api.IllegalStateException), partial(identify, case, configured), what="another identifier"
        )
    with expect.for_row("pj-clean-shutdown-7"):
        late = unstarted(case).connection
        expect.raises(case.thrown(api.IllegalStateException), partial(identify, case, late), what="a late identifier")
    with expect.for_row("pj-clean-shutdown-8"):
        expect.equal("the versions in numbers", *versions(case))


def never_started(case: Case) -> tuple[list[object], object]:
    """Send over a connection that was never started, look for the message there, start, and receive it."""
    client = unstarted(case)
    link = Link(client, case.destination())
    link.send("early")
    before = seen_at(link)
    client.start()
    return before, body(link.poll())


class StoppedUnderLoad:
    """A connection that is stopped and started again while a sender sends; a second session on it receives."""

    def __init__(self, case: Case) -> None:
        listening, waiting = case.link(), case.destination()
        second = listening.client.peer().consumer(waiting)
        control, listener = controller(listening.client), CollectingListener(case)
        listening.consumer.message_listener = listener
        sender = case.link(destination=listening.destination, consumes=False)
        load = case.spawn("the sender", lambda: sender.send_all(LOAD))
        listener.after(len(LOAD) // 4)
        stop(control)
        heard = len(listener.bodies)
        load.result(4 * case.timing.deadline)
        sender.dispatched()
        nothing = second.receive(int(case.timing.delay))
        self.silent = [listener.bodies[heard:], nothing]
        control.start()
        self.heard = list(map(str, listener.after(len(LOAD))))


def blocked_receive(case: Case, part: str) -> str:
    """Block in receive on one thread, and close a part of the client on another; return how the receive ended."""
    link = case.link()
    close = {"consumer": link.consumer.close, "session": link.client.close_session, "connection": link.client.close}
    waiting = receiving(link)
    case.until_blocked(waiting, "the other thread is in receive by now")
    closing = case.spawn(f"close of the {part}", close[part])
    ended = waiting.ends_within() and closing.ends_within()
    return f"returned {body(waiting.result()) or 'null'}" if ended else "did not return"  # type: ignore[arg-type]


def used_after_close(case: Case) -> tuple[dict[str, object], list[object]]:
    """Close a client with all its parts, use each part, and close each again; return the results of both."""
    link = case.link("client")
    link.send("kept")
    message = link.take()
    client, session = link.client, link.client.session
    text = link.text("x")
    client.close()
    uses: dict[str, Callable[[], object]] = {
        "the connection": client.start,
        "the session": partial(session.create_text_message, "x"),
        "the producer": partial(link.sender.send, text),
        "the consumer": link.consumer.receive_no_wait,
        "acknowledge": message.acknowledge,
    }
    closes = (link.consumer.close, client.close_session, client.close)
    return {use: tried(call) for use, call in uses.items()}, [tried(close) for close in closes]


COMES_AGAIN = [("one", True), ("two", True)]


def unacknowledged(case: Case) -> list[tuple[object, bool]]:
    """Receive two messages of a queue or a durable subscription, close the session unacknowledged, and receive again."""
    name = case.name("kept")
    link = case.link("client", durable=name)
    link.send_all(["one", "two"])
    link.take_all(2)
    link.client.close()
    again = case.link("client", destination=link.destination, durable=name)
    back = [message for message in (again.poll(), again.poll()) if message is not None]
    for message in back[-1:]:
        again.client.settle(message)
    return [(body(message), message.jms_redelivered) for message in back]


def identify(case: Case, connection: Any) -> None:
    """Set a client identifier."""
    connection.client_id = case.name("other")


def versions(case: Case) -> tuple[list[str], list[str]]:
    """Return the first two numbers of the texts of both versions, and the numbers."""
    data: api.ConnectionMetaData = case.client().connection.meta_data
    texts = [re.findall(r"\d+", each)[:2] for each in (data.jms_version, data.provider_version)]
    numbers = [
        [data.jms_major_version, data.jms_minor_version],
        [data.provider_major_version, data.provider_minor_version],
    ]
    return [".".join(map(str, each)) for each in numbers], [".".join(each) for each in texts]
