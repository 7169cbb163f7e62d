"""Faults in 5.1: administered objects, their binding and their lookup."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import (
    Factory,
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
)
from reference_provider.provider import ReferenceProvider
from tck.api import Destination, IllegalArgumentException, JMSException, Queue, Topic

LIFE = 2.0
"""Seconds of real time that a thread of a lookup lives."""


def _looked_up(patch: Patch, fault: Callable[[ReferenceProvider, str, Any], Any]) -> None:
    """Return from each lookup the result of `fault`, which gets the object that was found."""

    def lookup(original: Callable[..., Any], provider: ReferenceProvider, name: str) -> Any:
        return fault(provider, name, original(provider, name))

    around(patch, ReferenceProvider, "lookup", lookup)


@saboteur("5.1-1", "the factory of the third lookup of a name does not connect until a vendor's setter is called")
def _(patch: Patch) -> None:
    lookups = Counter[str]()
    dead: list[Factory] = []

    def fault(_: ReferenceProvider, name: str, found: Any) -> Any:
        lookups[name] += 1
        if isinstance(found, Factory) and lookups[name] == 3:
            dead.append(found)
        return found

    def connect(original: Callable[..., Any], factory: Factory, *arguments: Any) -> Any:
        if any(each is factory for each in dead):
            raise JMSException("call set_broker_address first")
        return original(factory, *arguments)

    _looked_up(patch, fault)
    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur(
    "5.1-2",
    "topics cannot be bound",
    collateral=dict.fromkeys(
        ("5.1-1", "5.1-3", "5.1-5", "5.1-6", "5.1-7", "5.1-8", "5.1-14"), "on topics it binds one too"
    ),
)
def _(patch: Patch) -> None:
    def bind(original: Callable[..., None], provider: ReferenceProvider, name: str, obj: object) -> None:
        if isinstance(obj, Topic):
            raise IllegalArgumentException("only factories and queues can be bound")
        original(provider, name, obj)

    around(patch, ReferenceProvider, "bind", bind)


@saboteur("5.1-3", "names with a slash are found below jms/ only")
def _(patch: Patch) -> None:
    def fault(_: ReferenceProvider, name: str, found: Any) -> Any:
        if "/" in name and not name.startswith("jms/"):
            raise JMSException(f"there is no context for {name}")
        return found

    _looked_up(patch, fault)


@saboteur("5.1-5", "a factory that the provider makes for a client opens a connection and keeps it")
def _(patch: Patch) -> None:
    busy = threading.local()

    def make(original: Callable[..., Any], provider: ReferenceProvider) -> Any:
        factory = original(provider)
        if not getattr(busy, "now", False):
            busy.now = True
            try:
                factory.create_connection()
            finally:
                busy.now = False
        return factory

    around_each(
        patch,
        ReferenceProvider,
        ["connection_factory", "queue_connection_factory", "topic_connection_factory"],
        make,
    )


@saboteur("5.1-6", "the lookup of a destination connects to the provider for a moment, to see whether it exists")
def _(patch: Patch) -> None:
    def fault(provider: ReferenceProvider, _: str, found: Any) -> Any:
        if isinstance(found, Destination):
            ReferenceConnectionFactory(provider.server).create_connection().close()
        return found

    _looked_up(patch, fault)


@saboteur("5.1-7", "the lookup of a queue or topic that does not exist creates it")
def _(patch: Patch) -> None:
    def fault(provider: ReferenceProvider, _: str, found: Any) -> Any:
        if isinstance(found, (Queue, Topic)):
            broker = provider.server.broker
            with broker.lock:
                broker.physical_destination(found)
        return found

    _looked_up(patch, fault)


@saboteur("5.1-8", "each lookup of a destination starts a background thread")
def _(patch: Patch) -> None:
    def fault(_: ReferenceProvider, __: str, found: Any) -> Any:
        if isinstance(found, Destination):
            threading.Thread(target=threading.Event().wait, args=(LIFE,), daemon=True).start()
        return found

    _looked_up(patch, fault)


@saboteur("5.1-14", "a factory that was bound forgets the client identifier that it was configured with")
def _(patch: Patch) -> None:
    kinds = {
        kind.__name__: kind
        for kind in (ReferenceConnectionFactory, ReferenceQueueConnectionFactory, ReferenceTopicConnectionFactory)
    }

    def fault(provider: ReferenceProvider, _: str, found: Any) -> Any:
        kind = kinds.get(type(found).__name__)
        return found if kind is None else kind(provider.server)

    _looked_up(patch, fault)
