"""6.1.8 Closing contexts: their parts, their connection, and their siblings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.members import Rows, every_call
from tck.suite.support.lifecycle.closed import all_refused
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.seen import tried

MODES = ("auto", "client", "dups_ok", "transacted")
REFUSED = api.IllegalStateRuntimeException


@asserts("6.1.8-18", ack=MODES)
def test_the_close_of_a_context_closes_its_parts(case: Case) -> None:
    """After the close, of the only context or of one with a sibling, send and receive are refused; 6.1.8-43 asks how."""
    with expect.all_of():
        for sibling in (False, True):
            name = case.name("s")
            link, watcher = case.link(durable=name), case.link("auto")
            others = [link.client.peer()] if sibling else []
            producer = link.client.sender(watcher.destination)
            sender_to(link).send_all(numbered(4))
            expect.arrives(link, ["001"])
            message = link.text("too late")
            link.client.close()
            calls: dict[str, Callable[[], object]] = {
                "send()": partial(producer.send, message),
                "receive()": link.consumer.receive,
                "receive() with a time limit": partial(link.consumer.receive, 1),
                "receiveNoWait()": link.consumer.receive_no_wait,
            }
            for what, call in calls.items():
                with expect.all_of():
                    expect.raises(api.JMSRuntimeException, call, what=f"{what} after the close")
            expect.only(watcher)
            for other in others:
                other.close()
            expect.arrives(case.link("auto", destination=link.destination, durable=name), numbered(4)[1:])


@asserts("6.1.8-19", ack=("auto", "client", "transacted"))
def test_the_close_of_the_last_context_closes_the_connection(case: Case) -> None:
    """The client identifier is free once the last of three contexts is closed, whichever that is."""
    with expect.all_of():
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
            client_id = case.name("c")
            first = case.client(client_id=client_id)
            contexts = [first, first.peer(), first.peer()]
            for context in contexts:
                link = case.link(client=context)
                link.send("x")
                expect.arrives(link, ["x"])
            for number in order:
                contexts[number].close()
            with expect.all_of():
                what = f"connecting with the same identifier after the closes {order}"
                again = expect.works(what, partial(case.client, client_id=client_id))
                expect.equal("the identifier of the new connection", again.connection.client_id, client_id)
                again.close()


@asserts("6.1.8-20", ack=("auto", "client", "transacted"))
def test_the_close_of_a_context_leaves_its_siblings(case: Case) -> None:
    """After the close of a context, twice, its siblings send and receive, by receive() and by a listener."""
    with expect.all_of():
        for closing in range(3):
            first = case.link()
            links = [first, *(case.link(client=first.client.peer()) for _ in range(2))]
            for link in links:
                link.send("before")
                expect.arrives(link, ["before"])
            links[closing].client.close()
            case.witness(f"a second close of it: {tried(links[closing].client.close)}")
            left = [link for link in links if link is not links[closing]]
            for link in left:
                with expect.all_of():
                    expect.works(f"a send after the close of context {closing}", partial(link.send, "after"))
                    expect.arrives(link, ["after"])
            listener = CollectingListener(case)
            left[0].consumer.message_listener = listener
            sender_to(left[0]).send("to the listener")
            what = f"what a listener got after the close of context {closing}"
            expect.equal(what, listener.after(1), ["to the listener"])


@asserts("6.1.8-20", ack=("auto", "client", "transacted"), variant="chain")
def test_a_context_made_from_a_sibling_keeps_the_connection(case: Case) -> None:
    """Of four contexts, of which each was made from the one before, or all but two from the second, any may be the last one open."""
    with expect.all_of():
        for made_from in ((0, 1, 2), (0, 1, 1), (0, 0, 1)):
            for order in ((0, 1, 2, 3), (3, 2, 1, 0), (0, 3, 2, 1), (2, 0, 1, 3), (1, 3, 0, 2)):
                clients = [case.client()]
                for parent in made_from:
                    clients.append(clients[parent].peer())
                links = [case.link(client=client) for client in clients]
                for at, closing in enumerate(order[:3], 1):
                    clients[closing].close()
                    for left in order[at:]:
                        what = f"a send of context {left}, made from {made_from}, after the closes {order[:at]}"
                        expect.works(what, partial(links[left].send, what))
                        expect.arrives(links[left], [what])
                clients[order[3]].close()


@asserts("6.1.8-20", ack=("auto",), variant="made-later")
def test_a_context_made_after_the_close_of_a_sibling_keeps_the_connection(case: Case) -> None:
    """Contexts are made from what is left after each close; the connection, its identifier and the newest context go on."""
    client_id = case.name("c")
    client = case.client(client_id=client_id)
    with expect.all_of():
        for number in range(5):
            later = expect.works(f"making context {number + 1}", client.peer)
            client.close()
            client = later
            link = case.link(client=client)
            expect.works(f"a send of context {number + 1}", partial(link.send, "x"))
            expect.arrives(link, ["x"])
            expect.equal(f"getClientID() of context {number + 1}", client.connection.client_id, client_id)


@asserts("6.1.8-20", ack=("transacted",), variant="transaction")
def test_the_close_of_a_context_leaves_the_transactions_of_its_siblings(case: Case) -> None:
    """What a context has sent and received in its open transaction is committed after its sibling was closed."""
    with expect.all_of():
        for parent in (True, False):
            watcher, first = case.link("auto"), case.client()
            second = first.peer()
            worker, other = (second, first) if parent else (first, second)
            link = case.link(client=worker)
            sender_to(link).send_all(numbered(2))
            expect.arrives(link, numbered(2), settle=False)
            worker.sender(watcher.destination).send(worker.text("in the transaction"))
            other.close()
            with expect.all_of():
                expect.nothing_before(watcher, "marker", partial(watcher.put, "marker"))
                expect.works("the commit after the close of the sibling", worker.commit)
                expect.arrives(watcher, ["in the transaction"])
                expect.only(link)


@asserts("6.1.8-37", ack=("client",))
def test_acknowledge_of_a_closed_context(case: Case) -> None:
    """acknowledge() of a closed context raises IllegalStateRuntimeException, with messages in hand and without."""
    with expect.all_of():
        for unsettled in (0, 2):
            link = case.link()
            link.send_all(numbered(1 + unsettled))
            link.take()
            context = link.client.session
            expect.works("acknowledge() before the close", context.acknowledge)
            link.take_all(unsettled)
            link.client.close()
            with expect.all_of():
                expect.raises(REFUSED, context.acknowledge, what="acknowledge() after the close")


@asserts("6.1.8-42", ack=("auto", "client", "transacted"))
def test_methods_of_a_closed_context(case: Case) -> None:
    """Each method of a closed context but close() raises, of a lone one and of one whose sibling is open."""
    table = partial(every_call, case, "JMSContext")
    opened = case.client(client_id=case.name("c")).session
    with expect.all_of():
        for sibling in (False, True):
            client: Client = case.client(client_id=case.name("c"))
            others = [client.peer()] if sibling else []
            client.close()
            refused = table(partial(_same, client.session))
            all_refused(REFUSED, refused, though_work=table(partial(_same, opened)))
            for other in others:
                other.close()


def _same(value: object) -> object:
    return value


@asserts("6.1.8-43", ack=("auto", "transacted"))
def test_methods_of_the_parts_of_a_closed_context(case: Case) -> None:
    """send() of a producer and each method of a consumer but close() raise after their context was closed."""
    opened, closed = _fed(case), _fed(case)
    bodies: list[object] = [opened.text("x"), "x", {"x": 1}, b"x", numbered(2)]
    producers: list[Any] = [link.sender.producer for link in (closed, opened)]
    closed.client.close()
    takes = ("receive", "receiveNoWait", "receiveBody", "receiveBodyNoWait")
    tables: tuple[dict[str, Any], ...] = ({"only": takes}, {"without": ("close", *takes)})
    with expect.all_of():
        sends: list[Rows] = [
            {f"send() of {body!r}": partial(producer.send, opened.destination, body) for body in bodies}
            for producer in producers
        ]
        all_refused(REFUSED, sends[0], though_work=sends[1])
        for chosen in tables:
            refused = every_call(case, "JMSConsumer", partial(_same, closed.consumer), **chosen)
            working = every_call(case, "JMSConsumer", partial(_same, opened.consumer), **chosen)
            all_refused(REFUSED, refused, though_work=working)


def _fed(case: Case) -> Link:
    """Open a link with messages that wait for its consumer."""
    link = case.link()
    sender_to(link).send_all(numbered(9))
    expect.arrives(link, ["001"])
    return link


@asserts("6.1.8-20", ack=("auto", "client", "transacted"), variant="closed-again")
def test_a_context_closed_again_leaves_its_siblings(case: Case) -> None:
    """Of two to four contexts one is left; the others are closed as often as there are contexts, and again after its work."""
    with expect.all_of():
        for count in (2, 3, 4):
            for left in (0, count - 1):
                first = case.client(client_id=case.name("c"))
                clients = [first, *(first.peer() for _ in range(count - 1))]
                link = case.link(client=clients.pop(left))
                link.send("before")
                expect.arrives(link, ["before"])
                for turn in range(count):
                    for closing in clients:
                        case.witness(f"close {turn + 1}: {tried(closing.close)}")
                    what = f"context {left} of {count}, after {turn + 1} closes of each of the others"
                    expect.works(f"a send of {what}", partial(link.send, what))
                    expect.arrives(link, [what])
                link.client.close()
