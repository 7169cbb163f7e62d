"""A phone call whose caller names the queue for the answer in JMSReplyTo."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario

DIAL, OK = "ControlMessage:Dial", "ControlMessage:OK"
TTL = 15_000
"""How long a message is kept, in ms."""


@scenario("pj-phone-replyto")
def test_a_caller_names_the_queue_for_the_answer(case: Case) -> None:
    """Bob answers on the queue that the dial names; a dial without such a queue reaches him too."""
    bob_listener, john_receiver = case.queue(), case.queue()
    bob = Bob(case, bob_listener)
    dial(case, bob_listener, john_receiver)
    answered = bob.answers()
    answer = reads(case, john_receiver)
    dial(case, bob_listener, None)
    unanswerable = bob.answers()

    with expect.for_row("pj-phone-replyto-1"):
        expect.equal("JMSReplyTo of the dial", answered, john_receiver)
    with expect.for_row("pj-phone-replyto-2"):
        expect.equal("the answer that John reads", answer, OK)
    with expect.for_row("pj-phone-replyto-3"):
        expect.equal("the dials that reached Bob", bob.dials, [DIAL, DIAL])
        expect.equal("JMSReplyTo of the dial without one", unanswerable, None)
    with expect.for_row("pj-phone-replyto-4"):
        same = isinstance(answered, api.Queue) and answered.queue_name == john_receiver.queue_name
        expect.record(f"getQueueName() of JMSReplyTo is {'' if same else 'not '}the name that the caller's queue tells")


def dial(case: Case, listener: api.Queue, answer_to: api.Queue | None) -> None:
    """Call from a connection of its own, and name the queue for the answer."""
    caller = case.client()
    message = caller.text(DIAL)
    message.jms_reply_to = answer_to
    caller.sender(listener).send(message, ttl=TTL)
    caller.close()


def reads(case: Case, queue: api.Queue) -> str | None:
    """Connect, and wait for the answer."""
    answer = case.client().consumer(queue).receive(case.timing.deadline)
    return answer.text if isinstance(answer, api.TextMessage) else None


class Bob:
    """The party that is called."""

    def __init__(self, case: Case, listener: api.Queue) -> None:
        self._case = case
        self._client = case.client()
        self._consumer = self._client.consumer(listener)
        self._answering = self._client.sender()
        self.dials: list[str | None] = []

    def answers(self) -> api.Destination | None:
        """Wait for a dial, answer it if it names a queue for that, and return that queue."""
        message = self._consumer.receive(self._case.timing.deadline)
        if not isinstance(message, api.TextMessage):
            return None
        self.dials.append(message.text)
        answer_to = message.jms_reply_to
        if answer_to is not None:
            self._answering.send(self._client.text(OK), to=answer_to, ttl=TTL)
        return answer_to
