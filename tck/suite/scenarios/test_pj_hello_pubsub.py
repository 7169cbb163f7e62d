"""Hello World over a topic: three subscribers and one that comes too late, each on a connection of its own."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario

HELLO, GOODBYE = "Hello World", "Goodbye World"


@scenario("pj-hello-pubsub")
def test_hello_world_over_a_topic(case: Case) -> None:
    """Three subscribers get a copy each; one returns its copy after another has acknowledged; a fourth comes too late."""
    topic = case.topic()
    first, second, third = (Subscriber(case, topic) for _ in range(3))
    publisher = case.client()
    publishing = publisher.sender(topic)
    publishing.send(publisher.text(HELLO))
    for each in (first, second, third):
        each.read()
    first.acknowledge()
    second.recover()
    again = second.read_again()
    late = Subscriber(case, topic)
    publishing.send(publisher.text(GOODBYE))
    for each in (first, second, third, late):
        each.read_until(GOODBYE)

    with expect.for_row("pj-hello-pubsub-1"):
        for number, each in enumerate((first, second, third), 1):
            expect.equal(f"the texts of subscriber {number} up to the goodbye", each.texts, [HELLO, GOODBYE])
    with expect.for_row("pj-hello-pubsub-2"):
        identifiers = {each.identifiers[0] for each in (first, second, third) if each.identifiers}
        expect.equal("the number of message identifiers on the copies", len(identifiers), 1)
    with expect.for_row("pj-hello-pubsub-3"):
        expect.equal("the text that came again to a subscriber while another had acknowledged its copy", again, HELLO)
    with expect.for_row("pj-hello-pubsub-4"):
        expect.equal("the texts of the subscriber that came later", late.texts, [GOODBYE])


class Subscriber:
    """A subscriber on its own connection, which acknowledges its messages itself."""

    def __init__(self, case: Case, topic: api.Topic) -> None:
        self._case = case
        self._client = case.client("client")
        self._consumer = self._client.consumer(topic)
        self._last: api.Message | None = None
        self.texts: list[str] = []
        self.identifiers: list[str | None] = []

    def read(self) -> str | None:
        """Wait for the next message; keep its text and identifier."""
        text = self.read_again()
        if self._last is not None:
            self.texts.append(str(text))
            self.identifiers.append(self._last.jms_message_id)
        return text

    def read_again(self) -> str | None:
        """Wait for a message that comes for the second time; return its text."""
        self._last = self._consumer.receive(self._case.timing.deadline)
        return self._last.text if isinstance(self._last, api.TextMessage) else None

    def read_until(self, text: str) -> None:
        """Read up to this text, or until nothing comes."""
        while self.read() not in (text, None):
            pass

    def acknowledge(self) -> None:
        """Acknowledge the last message."""
        if self._last is not None:
            self._last.acknowledge()

    def recover(self) -> None:
        """Ask for all unacknowledged messages again."""
        self._client.recover()
