"""A listener that publishes what it hears, in transactions of ten messages, one of which is rolled back."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.gathering import drained, numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.values.seen import body

MESSAGES = numbered(40)
BATCH, ROLLBACK_AT = 10, 25


@scenario("pj-listener-publisher")
def test_listener_that_publishes(case: Case) -> None:
    """Each message that the listener has committed is published once, none before, and a rolled-back stretch is redelivered."""
    output = case.link("auto")
    relay = Relay(case, output)
    case.link("auto", destination=relay.input, consumes=False).send_all(MESSAGES)
    heard = relay.after(len(MESSAGES) + ROLLBACK_AT % BATCH)
    published = relay.published + drained(output, len(relay.committed) - len(relay.published))

    with expect.for_row("pj-listener-publisher-1"):
        expect.equal("the messages published", sorted(published), sorted(set(relay.committed)))
    with expect.for_row("pj-listener-publisher-2"):
        expect.equal("the messages before the rollback", heard[:ROLLBACK_AT], MESSAGES[:ROLLBACK_AT])
        expect.equal("the messages after the rollback", sorted(map(str, heard[ROLLBACK_AT:])), MESSAGES[20:])
    with expect.for_row("pj-listener-publisher-3"):
        case.witness(f"{len(published)} messages were published")
        expect.equal("the messages published before the commit", relay.ahead, [])


class Relay(CollectingListener):
    """A listener in a transacted session that publishes each message, and an observer who looks in between."""

    def __init__(self, case: Case, output: Link) -> None:
        super().__init__(case)
        link = case.link("transacted")
        self._client, self.input, self._output = link.client, link.destination, output
        self._sender = self._client.sender(output.destination)
        self._open: list[str] = []
        self._calls = 0
        self.committed: list[str] = []
        self.published: list[str] = []
        self.ahead: list[str] = []
        link.consumer.message_listener = self

    def on_message(self, message: api.Message) -> None:
        """Publish the message; commit or roll back when it is time, and let the observer look half-way."""
        self._calls += 1
        self._open.append(str(body(message)))
        self._sender.send(self._client.text(self._open[-1]))
        if self._calls % BATCH == BATCH // 2:
            self._observe()
        if self._calls == ROLLBACK_AT:
            self._client.rollback()
            self._open.clear()
        elif len(self._open) == BATCH:
            self._client.commit()
            self.committed += self._open
            self._open.clear()
        super().on_message(message)

    def _observe(self) -> None:
        """Take all that is published now, and note the messages whose transaction is not committed."""
        seen = drained(self._output, len(self.committed) - len(self.published))
        self.ahead += [text for text in seen if text not in self.committed]
        self.published += seen
