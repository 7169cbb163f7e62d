"""What other sessions of a connection do and how they end, which leaves the connection as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tck.suite.support.clients.client import Client
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.values.seen import tried


def sibling_calls(client: Client) -> Mapping[str, Callable[[], object]]:
    """Open further sessions or contexts on a client's connection, and return calls on them and their parts, by words for them.

    The calls are in an order in which each can be made; what a refused one raises is for other rows. None of them creates a
    consumer, which would start the connection of a context.
    """
    case = client.case
    bare, consuming, listening, holding, working, ending = (client.peer() for _ in range(6))
    links = [Link(each, case.destination()) for each in (consuming, listening, holding, working)]
    links[1].consumer.message_listener = CollectingListener(case)
    for link in (links[2], links[3]):
        link.send("in hand")
        link.take()
    sender, temporary = working.sender(links[3].destination), working.temporary()
    calls: dict[str, Callable[[], object]] = {
        "the close of a session": bare.close_session,
        "a second close of it": bare.close_session,
        "the close of a session with a consumer": consuming.close_session,
        "the close of a session with a message listener": listening.close_session,
        "the close of a session with a message in hand": holding.close_session,
        "a send": lambda: links[3].send("x"),
        "the close of a producer": sender.close,
        "recover() or rollback()": working.return_all,
        "the deletion of a temporary destination": temporary.delete,
        "the close of a consumer": links[3].consumer.close,
        "the creation of a session, and its close": lambda: client.peer().close_session(),
        "a send to no destination": lambda: ending.sender().send(ending.text("x")),
        "the close of a session whose call was refused": ending.close_session,
    }
    return {what: _tried(call) for what, call in calls.items()}


def _tried(call: Callable[[], object]) -> Callable[[], object]:
    return lambda: tried(call)
