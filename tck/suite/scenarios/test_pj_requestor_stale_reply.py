"""A server that answers its first request twice, and a requestor that does not match replies to requests."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.listeners import Listener


@scenario("pj-requestor-stale-reply", api=("domain-specific",))
def test_a_server_answers_twice(case: Case) -> None:
    """A second reply to the first request may be taken for that of the second; correlation identifiers tell."""
    queue = case.queue()
    serve(case.client(), queue)
    client = case.client()
    requestor = case.provider.queue_requestor(client.session, queue)
    requests = [client.text("request 1"), client.text("request 2")]
    replies = [case.spawn("request()", lambda each=each: requestor.request(each)).result() for each in requests]  # type: ignore[misc]
    texts = [reply.text if isinstance(reply, api.TextMessage) else None for reply in replies]
    answered = {request.jms_message_id: number for number, request in enumerate(requests, 1)}

    with expect.for_row("pj-requestor-stale-reply-1"):
        expect.equal("the reply to request 1", texts[0], "reply 1 to request 1")
    with expect.for_row("pj-requestor-stale-reply-2"):
        expect.record(f"request 2 returns {texts[1]!r}")
    with expect.for_row("pj-requestor-stale-reply-3"):
        for text, reply in zip(texts, replies, strict=True):
            number = answered.get(reply.jms_correlation_id, 0)
            expect.true(
                "JMSCorrelationID names the request that a reply answers",
                str(text).endswith(f" to request {number}"),
                f"{text!r} has the JMSCorrelationID of request {number or 'none'}",
            )


def serve(server: Client, queue: api.Queue) -> None:
    """Answer the first request twice, and later ones once."""
    producer = server.sender()

    def answer(request: api.Message, ordinal: int) -> None:
        for number in (1, 2) if ordinal == 1 else (1,):
            reply = server.text(
                f"reply {number} to {request.text if isinstance(request, api.TextMessage) else request}"
            )
            reply.jms_correlation_id = request.jms_message_id
            producer.send(reply, to=request.jms_reply_to)

    server.consumer(queue).message_listener = Listener(answer)
