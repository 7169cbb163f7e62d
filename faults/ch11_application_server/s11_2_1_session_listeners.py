"""Faults in 11.2.1: a session's own listener, the messages it gets, and producers of its session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.broker.delivery import Delivery
from reference_provider.client.application_server import fault_points as server_points
from reference_provider.client.application_server.server_session import ServerSessionRunner
from reference_provider.client.sessions import ReferenceSession
from tck.api import DeliveryMode, Destination, IllegalStateException


@saboteur("11.2.1-1", "getMessageListener of a session returns null after a listener was set")
def _(patch: Patch) -> None:
    original = vars(ReferenceSession)["message_listener"]
    patch.replace(ReferenceSession, "message_listener", property(lambda self: None, original.fset))


@saboteur(
    "11.2.1-2",
    "a NON_PERSISTENT message of the lowest priority is acknowledged without a call of the session's own listener",
)
def _(patch: Patch) -> None:
    def call(original: Callable[..., bool], runner: ServerSessionRunner, listener: object, delivery: Delivery) -> bool:
        entry = delivery.entry
        if entry.delivery_mode == DeliveryMode.NON_PERSISTENT and entry.priority == 0:
            return False
        return original(runner, listener, delivery)

    patch.at(server_points.OWN_LISTENER_CALLED, call)


@saboteur("11.2.1-7", "a session with its own listener refuses a producer without a destination")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], session: ReferenceSession, destination: Destination | None) -> Any:
        if destination is None and session.runner.listener is not None:
            raise IllegalStateException("the session has a listener of its own")
        return original(session, destination)

    around(patch, ReferenceSession, "create_producer", create)
