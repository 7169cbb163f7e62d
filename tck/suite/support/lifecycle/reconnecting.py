"""Connecting again after a failure: a provider may take a while to notice that a client is gone."""

from __future__ import annotations

from tck import api
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.running import RunningCase


def reconnected(
    case: RunningCase, destination: api.Destination, *, durable: str | None = None, ack: str = "auto"
) -> Link:
    """Open a link on a new connection; a refusal is tried again until the profile's deadline.

    With `durable` a topic is consumed through the durable subscription of that name, which is the client identifier too.
    """
    domain = "queue" if isinstance(destination, api.Queue) else "topic"
    name = durable if domain == "topic" else None
    until = case.now() + case.timing.deadline
    while True:
        try:
            return Link(connect(case, ack, domain=domain, client_id=name), destination, durable=name)
        except (api.JMSException, api.JMSRuntimeException):
            if case.now() >= until:
                raise
        case.provider.clock.event().wait(case.timing.deadline / 50)
