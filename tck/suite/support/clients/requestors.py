"""Requests and replies through QueueRequestor and TopicRequestor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tck import api
from tck.suite.support import expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.values.seen import tried

Requestor = api.QueueRequestor | api.TopicRequestor
"""A requestor of either domain."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A requestor on a session of its own, and a responder on another connection."""

    case: RunningCase
    client: Client
    requestor: Requestor
    responder: Link

    def want_nobody(self) -> None:
        """Construct a requestor for a null destination, recorded and not judged: in Java the class comes with the API."""
        make = _maker(self.case)
        tried(lambda: make(self.client.session, None))

    def ask(self, *replies: str, reply_to: api.Destination | None = None) -> tuple[api.Message, api.Message]:
        """Send one request and answer it with `replies`; return the request at the responder, and the reply at the requestor.

        `reply_to` is JMSReplyTo of the request before it is given to the requestor.
        """
        message = self.client.text("request")
        if reply_to is not None:
            message.jms_reply_to = reply_to
        call = self.case.spawn("request()", lambda: self.requestor.request(message))
        request = self.responder.receive()
        answering = self.responder.client.sender(expect.present("JMSReplyTo of the request", request.jms_reply_to))
        for reply in replies:
            answering.send(self.responder.text(reply))
        return request, expect.returns(call, "request()")


def _maker(case: RunningCase) -> Callable[..., Requestor]:
    return case.provider.queue_requestor if case.domain == "queue" else case.provider.topic_requestor


def exchange(case: RunningCase) -> Exchange:
    """Open a requestor and a responder of a fresh destination of the case's domain."""
    responder = Link(connect(case), case.destination())
    client = connect(case)
    make = _maker(case)
    requestor = expect.works(
        "constructing a requestor",
        lambda: make(client.session, responder.destination),
    )
    return Exchange(case, client, requestor, responder)
