"""Closing something that another thread uses."""

from __future__ import annotations

from collections.abc import Callable

from tck.suite.support import expect
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import BlockingListener


def closed_while_receiving(link: Link, choose: Callable[[Link], Callable[[], object]]) -> None:
    """Close something from this thread while another one waits in receive; it returns, and the receive ends."""
    case = link.case
    link.send("before")
    link.receive()
    call = case.spawn("receive()", link.consumer.receive)
    case.until_blocked(call, "the other thread is in receive by now")
    expect.true("receive() waits", not call.returned, "receive() had returned")
    closing = case.spawn("close()", choose(link))
    expect.returns(closing, "close() while another thread is in receive()")
    expect.true("receive() ends", call.ends_within(case.timing.deadline), "receive() was still waiting")


def closed_while_listening(link: Link, choose: Callable[[Link], Callable[[], object]]) -> None:
    """Close something from another thread while a listener runs; the close returns at the latest when the listener has."""
    case = link.case
    sender = Link(connect(case, "auto"), link.destination, consumes=False)
    listener = BlockingListener(case)
    link.consumer.message_listener = listener
    sender.send("x")
    listener.occupied()
    closing = case.spawn("close()", choose(link))
    case.until_blocked(closing, "close() may wait for the listener")
    listener.release()
    expect.returns(closing, "close() while a listener ran")
