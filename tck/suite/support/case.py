"""The case that a test gets: one test at one point of its axes, and the clients it opens.

Made and closed by the runner. Destinations, client identifiers and names are fresh for each case, so that any order, any
subset and any number of workers give the same verdicts.
"""

from __future__ import annotations

from tck import api as jms
from tck.suite.support.clients.client import Client, Login
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.running import RunningCase


class Case(RunningCase):
    """The running case; `version` is that of the specification it is judged by."""

    def client(
        self,
        ack: str | None = None,
        *,
        domain: str | None = None,
        api: str | None = None,
        login: Login | None = None,
        client_id: str | None = None,
    ) -> Client:
        """Connect in the case's interface; `ack` defaults to the case's mode. Delivery is started.

        The domain-specific interface needs a domain: the case's unless another is named.
        """
        return connect(self, ack, domain=domain, api=api, login=login, client_id=client_id)

    def link(
        self,
        ack: str | None = None,
        *,
        destination: jms.Destination | None = None,
        domain: str | None = None,
        client: Client | None = None,
        consumes: bool = True,
        selector: str | None = None,
        durable: str | None = None,
    ) -> Link:
        """Open a client with one destination (fresh unless given), a producer and, if it `consumes`, a consumer.

        With `durable` the link consumes a topic through the durable subscription of that name, which is also the client's
        identifier; a queue needs none and ignores it.
        """
        if destination is not None:
            domain = "queue" if isinstance(destination, jms.Queue) else "topic"
        subscription = durable if (domain or self.domain) == "topic" else None
        client = client or self.client(ack, domain=domain, client_id=subscription)
        place = self.destination(domain) if destination is None else destination
        return Link(client, place, consumes=consumes, selector=selector, durable=subscription)
