"""Requests and replies through QueueRequestor and TopicRequestor."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.client import Client
from tck.suite.support.link import Link

Requestor = api.QueueRequestor | api.TopicRequestor


@dataclass(frozen=True, slots=True)
class Exchange:
    """A requestor on a session of its own, and a responder on another connection."""

    case: Case
    client: Client
    requestor: Requestor
    responder: Link

    def ask(self, *replies: str) -> tuple[api.Message, api.Message]:
        """Have one request answered with `replies`; returns the request as the responder got it, and what came back."""
        call = self.case.spawn("request()", lambda: self.requestor.request(self.client.text("request")))
        request = self.responder.receive()
        answering = self.responder.client.sender(expect.present("JMSReplyTo of the request", request.jms_reply_to))
        for reply in replies:
            answering.send(self.responder.text(reply))
        return request, expect.returns(call, "request()")


def exchange(case: Case) -> Exchange:
    """Open both sides of a fresh destination of the case's domain."""
    responder = case.link()
    client = case.client()
    make = case.provider.queue_requestor if case.domain == "queue" else case.provider.topic_requestor
    requestor = expect.works(
        "constructing a requestor",
        lambda: make(client.session, responder.destination),  # type: ignore[arg-type] # the domain chooses both
    )
    return Exchange(case, client, requestor, responder)
