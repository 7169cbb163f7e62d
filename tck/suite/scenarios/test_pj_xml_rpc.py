"""Calls of a remote object as XML packets: stubs call, a skeleton answers in reverse order."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.values.documents import DocumentError, Element, read_document

CALLS = [("divide", 100 * number, number + 1) for number in range(10)]
RESULTS = [str(dividend // divisor) for _, dividend, divisor in CALLS]
FAULT = ("fault", "division by zero")


@scenario("pj-xml-rpc")
def test_stubs_call_a_remote_object(case: Case) -> None:
    """A stub issues ten calls before it reads an answer; another makes one that fails."""
    queue = case.queue()
    stub, careless = Stub(case, queue), Stub(case, queue)
    skeleton = case.spawn("the skeleton", lambda: serve(case, queue, len(CALLS)))
    for call in CALLS:
        stub.call(*call)
    answers = stub.answers(len(CALLS))
    careless.call("divide", 1, 0)
    faults = careless.answers(1)
    skeleton.result(2 * case.timing.deadline)

    with expect.for_row("pj-xml-rpc-1"):
        correlations = sorted(str(each.correlation) for each in answers)
        expect.equal("JMSCorrelationID of the answers", correlations, sorted(str(each) for each in stub.requests))
    with expect.for_row("pj-xml-rpc-2"):
        wanted = dict(zip(stub.requests, RESULTS, strict=True))
        seen = [(wanted[each.correlation], each.text) for each in answers if each.correlation in wanted]
        expect.equal("the results of the calls", [result for _, result in seen], [result for result, _ in seen])
    with expect.for_row("pj-xml-rpc-3"):
        expect.equal("the answers to a call that fails", [(each.kind, each.text) for each in faults], [FAULT])
        kinds = [each.kind for each in answers]
        expect.equal("the faults among the answers to the other stub", kinds.count(FAULT[0]), 0)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: JMSCorrelationID, whether it is a result or a fault, and its text."""

    correlation: str | None
    kind: str
    text: str


class Stub:
    """A caller: it packs calls as XML, and gets the answers on a temporary queue."""

    def __init__(self, case: Case, queue: api.Queue) -> None:
        self._case = case
        self._client = case.client()
        self._calling = self._client.sender(queue)
        self._replies = self._client.temporary()
        self._consumer = self._client.consumer(self._replies)
        self.requests: list[str | None] = []

    def call(self, method: str, *arguments: int) -> None:
        """Send a call; keep the identifier of its message."""
        packet = Element("call", {"method": method}, [Element("argument", {}, [str(each)]) for each in arguments])
        message = self._client.text(packet.written())
        message.jms_reply_to = self._replies
        self._calling.send(message)
        self.requests.append(message.jms_message_id)

    def answers(self, count: int) -> list[Answer]:
        """Wait for so many answers; there and back each way has its deadline."""
        came = [self._consumer.receive(2 * self._case.timing.deadline) for _ in range(count)]
        return [_answer(message) for message in came if isinstance(message, api.TextMessage)]


def _answer(message: api.TextMessage) -> Answer:
    try:
        packet = read_document(message.text or "")
    except DocumentError as error:
        packet = Element("no packet", {}, [str(error)])
    return Answer(message.jms_correlation_id, packet.name, packet.text)


def serve(case: Case, queue: api.Queue, batch: int) -> None:
    """Take a batch of calls and answer them in reverse order, then answer one more."""
    client = case.client()
    consumer = client.consumer(queue)
    answering = client.sender()
    for count in (batch, 1):
        for request in reversed([consumer.receive(case.timing.deadline) for _ in range(count)]):
            if isinstance(request, api.TextMessage):
                reply = client.text(executed(request.text or "").written())
                reply.jms_correlation_id = request.jms_message_id
                answering.send(reply, to=request.jms_reply_to)


def executed(packet: str) -> Element:
    """Execute the call of a packet; return the packet with the result or the fault."""
    try:
        dividend, divisor = (int(argument.text) for argument in read_document(packet).elements)
        return Element("result", {}, [str(dividend // divisor)])
    except ZeroDivisionError:
        return Element(FAULT[0], {}, [FAULT[1]])
    except ValueError as error:
        return Element(FAULT[0], {}, [f"unreadable call: {error}"])
