"""A compute server on a queue, and clients that ask it through a QueueRequestor."""

from __future__ import annotations

import math
from collections.abc import Callable

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.listeners import Listener

SUMS = {"Add 10 20 -15 2.5": 17.5, "Subtract 10 20": -10.0, "Multiply 10 20 6": 1200.0, "Add 10 30 40.2 -15": 65.2}
OPERATIONS: dict[str, Callable[[list[float]], float]] = {
    "Add": sum,
    "Subtract": lambda numbers: numbers[0] - sum(numbers[1:]),
    "Multiply": math.prod,
}


@scenario("pj-compute-requestor", api=("domain-specific",))
def test_a_compute_server_answers_requestors(case: Case) -> None:
    """A client asks for four sums, nobody waits for a fifth, and two more clients ask in turn."""
    queue = case.queue()
    server = case.client()
    serve(server, queue)
    client = Asker(case, queue)
    for question in SUMS:
        client.ask(question)
    stranger = case.client()
    stranger.sender(queue).send(stranger.text("Add 1 2"))
    client.ask("Add 3 4")
    pair = [Asker(case, queue), Asker(case, queue)]
    for number in (1, 2):
        for hundreds, each in enumerate(pair, 1):
            each.ask(f"Add {100 * hundreds} {number}")
    intruder = case.client()

    with expect.for_row("pj-compute-requestor-1"):
        expect.equal("the results", client.results[: len(SUMS)], list(SUMS.values()))
    with expect.for_row("pj-compute-requestor-2"):
        for number, (request, reply) in enumerate(client.exchanges, 1):
            expect.equal(f"JMSCorrelationID of reply {number}", reply.jms_correlation_id, request.jms_message_id)
    with expect.for_row("pj-compute-requestor-3"):
        for number, (request, reply) in enumerate(client.exchanges, 1):
            expect.equal(f"JMSDestination of reply {number}", reply.jms_destination, request.jms_reply_to)
    with expect.for_row("pj-compute-requestor-4"):
        expect.equal("the results of two clients in turn", [each.results for each in pair], [[101, 102], [201, 202]])
    with expect.for_row("pj-compute-requestor-6"):
        replies = pair[0].exchanges[-1][0].jms_reply_to
        refused = lambda: intruder.consumer(replies)  # type: ignore[arg-type] # noqa: E731 - the requestor has set it
        expect.raises(api.JMSException, refused, what="another connection's consumer of the temporary queue")
    with expect.for_row("pj-compute-requestor-5"):
        expect.equal("the result of the request after one without JMSReplyTo", client.results[len(SUMS) :], [7.0])
        server.close()
        expect.equal("the requests that are left", stranger.browse(queue), [])
    with expect.for_row("pj-compute-requestor-7"):
        client.requestor.close()
        call = client.client.session.create_text_message
        expect.raises(api.IllegalStateException, call, what="a call on the session of a requestor that is closed")


def serve(server: Client, queue: api.Queue) -> None:
    """Answer requests in a listener, by a producer of the same session that has no destination."""
    producer = server.sender()

    def answer(request: api.Message, _: int) -> None:
        if isinstance(request, api.TextMessage) and request.jms_reply_to is not None:
            operation, *numbers = str(request.text).split()
            reply = server.text(str(OPERATIONS[operation]([float(number) for number in numbers])))
            reply.jms_correlation_id = request.jms_message_id
            producer.send(reply, to=request.jms_reply_to)

    server.consumer(queue).message_listener = Listener(answer)


class Asker:
    """A client with a requestor on a connection of its own."""

    def __init__(self, case: Case, queue: api.Queue) -> None:
        self._case = case
        self.client = case.client()
        self.requestor = case.provider.queue_requestor(self.client.session, queue)
        self.exchanges: list[tuple[api.Message, api.Message]] = []

    def ask(self, question: str) -> None:
        """Send a request, and wait for its reply."""
        request = self.client.text(question)
        call = self._case.spawn("request()", lambda: self.requestor.request(request))
        self.exchanges.append((request, call.result()))

    @property
    def results(self) -> list[float | str | None]:
        """The results of all requests, as numbers where they are."""
        return [_number(reply) for _, reply in self.exchanges]


def _number(reply: api.Message) -> float | str | None:
    text = reply.text if isinstance(reply, api.TextMessage) else None
    try:
        return round(float(str(text)), 6)
    except ValueError:
        return text
