"""Hello World over a queue: a sender and a receiver on two connections, in either order."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario

HELLO = "Hello World"


@scenario("pj-hello-ptp")
def test_hello_world_over_a_queue(case: Case) -> None:
    """The receiver gets Hello World once, whether it waits for the sender or connects after the sender has left."""
    queue = case.queue()
    waiting = case.spawn("the receiver that waits", lambda: receiver(case, queue))
    sender(case, queue)
    first = waiting.result(2 * case.timing.deadline)
    sender(case, queue)
    later = receiver(case, queue)
    with expect.for_row("pj-hello-ptp-1"):
        expect.equal("the text that the waiting receiver got", [text for text, _, _ in first[:1]], [HELLO])
    with expect.for_row("pj-hello-ptp-2"):
        expect.equal("the messages of a receiver that asks twice", (len(first), len(later)), (1, 1))
    with expect.for_row("pj-hello-ptp-3"):
        expect.equal("the text after the sender had left", [text for text, _, _ in later[:1]], [HELLO])
    with expect.for_row("pj-hello-ptp-4"):
        for _, identifier, destination in first + later:
            expect.true("JMSMessageID begins with ID:", str(identifier).startswith("ID:"), f"it was {identifier!r}")
            expect.equal("JMSDestination", destination, queue)
    with expect.for_row("pj-hello-ptp-5"):
        expect.record(f"a second receiver of the queue is {second_receiver(case, queue)}")


def receiver(case: Case, queue: api.Queue) -> list[tuple[str, str | None, api.Destination | None]]:
    """Connect, wait for a message, and ask once more; return the text, identifier and destination of each message."""
    client = case.client()
    consumer = client.consumer(queue)
    came = [consumer.receive(case.timing.deadline), consumer.receive(case.timing.delay)]
    client.close()
    return [
        (str(each.text), each.jms_message_id, each.jms_destination)
        for each in came
        if isinstance(each, api.TextMessage)
    ]


def sender(case: Case, queue: api.Queue) -> None:
    """Connect, say Hello World, and close first the session and then the connection."""
    client = case.client()
    client.sender(queue).send(client.text(HELLO))
    client.close_session()
    client.close()


def second_receiver(case: Case, queue: api.Queue) -> str:
    """Open a receiver of a queue that has one already; return how that went."""
    case.client().consumer(queue)
    try:
        case.client().consumer(queue)
    except (api.JMSException, api.JMSRuntimeException):
        return "refused"
    return "accepted"
