"""Places that keep messages for a later consumer: a queue, or a durable subscription of a topic."""

from __future__ import annotations

from dataclasses import dataclass

from tck import api
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import subscription
from tck.suite.support.harness.running import RunningCase
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.lifecycle.stopping import settling
from tck.suite.support.server.application_server import ApplicationServer
from tck.suite.support.server.pool import Employ, Work


@dataclass(frozen=True, slots=True)
class Place:
    """A fresh queue, or a durable subscription, in the case's domain.

    Attributes:
        case: the running case.
        destination: the queue or topic.
        name: the name of the subscription, and the client identifier that it needs; None for a queue.
    """

    case: RunningCase
    destination: api.Destination
    name: str | None

    def server(
        self,
        *,
        sessions: int = 1,
        max_messages: int = 1,
        work: Work = settling,
        employ: Employ | None = None,
        fails: bool = False,
    ) -> ApplicationServer:
        """Connect a server with the arguments of `ApplicationServer`, and create a connection consumer of the place.

        With `fails` each call of the pool raises JMSException.
        """
        server = ApplicationServer(self.case, client_id=self.name, sessions=sessions, work=work, employ=employ)
        if fails:
            server.pool.shut()
        if isinstance(self.destination, api.Topic):
            durable = subscription(self.case, "durable", self.destination, name=self.name, client_id=self.name)
            server.serve(durable, max_messages=max_messages)
        else:
            server.consume(self.destination, max_messages=max_messages)
        return server

    def sender(self, ack: str = "auto") -> Link:
        """Connect a sender."""
        return Link(connect(self.case, ack), self.destination, consumes=False)

    def link(self) -> Link:
        """Connect an ordinary consumer of the place, and a sender; a refusal is tried again, as after a broken link."""
        return reconnected(self.case, self.destination, durable=self.name)


def place(case: RunningCase) -> Place:
    """Create a queue, or a topic with a durable subscription that nobody uses."""
    name = case.name("s") if case.domain == "topic" else None
    made = Place(case, case.destination(), name)
    made.link().client.close()
    return made
