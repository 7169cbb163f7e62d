"""The fault points of connection consumers and of sessions with listeners of their own; see `reference_provider.fault_points`.

The provider must not import it.
"""

from __future__ import annotations

from typing import Final

from reference_provider.client.application_server import connection_consumers
from reference_provider.client.application_server.connection_consumers import ReferenceConnectionConsumer
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.fault_point import FaultPoint

MESSAGES_ALLOWED: Final = FaultPoint(
    ReferenceConnectionConsumer,
    "may_take",
    "a connection consumer looks whether it may take messages, under the broker lock",
    "the connection consumer",
    "whether it may",
)
SERVER_SESSION_TAKEN: Final = FaultPoint(
    ReferenceConnectionConsumer,
    "take_server_session",
    "a connection consumer has a message and takes a server session out of its pool",
    "the connection consumer",
    "the server session",
)
SERVER_SESSION_ASKED: Final = FaultPoint(
    connection_consumers,
    "runner_of",
    "a server session is asked for its session",
    "the server session",
    "the ServerSessionRunner of the session",
)
SESSION_LOADED: Final = FaultPoint(
    ReferenceConnectionConsumer,
    "load",
    "a connection consumer loads messages into a session, up to the allowed number",
    "the connection consumer, the ServerSessionRunner, the Delivery of the first message",
    "whether the session took them",
)
SERVER_SESSION_STARTED: Final = FaultPoint(
    ReferenceConnectionConsumer,
    "start",
    "a connection consumer starts a server session whose session has been loaded",
    "the connection consumer, the server session",
)
RUN_ALLOWED: Final = FaultPoint(
    ServerSessionRunner,
    "may_run",
    "run() looks whether the next message may be passed on, under the broker lock",
    "the ServerSessionRunner",
    "whether it may",
)
RUN_CONTINUED: Final = FaultPoint(
    ServerSessionRunner,
    "next_delivery",
    "run() looks for the next loaded message",
    "the ServerSessionRunner",
    "the Delivery, or None if there is none left",
)
OWN_LISTENER_CALLED: Final = FaultPoint(
    ServerSessionRunner,
    "call_listener",
    "run() calls the session's own listener",
    "the ServerSessionRunner, the listener, the Delivery",
    "whether the listener raised",
)
SESSION_UNLOADED: Final = FaultPoint(
    ServerSessionRunner,
    "drop",
    "a session ends: messages that were loaded and never passed on are removed, under the broker lock",
    "the ServerSessionRunner",
    "their deliveries, which go back to their queues",
)
