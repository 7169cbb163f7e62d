"""Faults in 5.1: administered objects, their binding and their lookup."""

import threading
from collections import Counter

from faults.kit import *

LIFE = 2.0
"""Seconds of real time that a thread of a lookup lives."""


def _looked_up(patch, fault):
    """Return from each lookup the result of `fault`, which gets the object that was found."""

    def lookup(original, provider, name):
        return fault(provider, name, original(provider, name))

    patch.around(ReferenceProvider, "lookup", lookup)


@saboteur("5.1-1", "the factory of the third lookup of a name does not connect until a vendor's setter is called")
def _(patch):
    lookups = Counter[str]()
    dead = []

    def fault(_, name, found):
        lookups[name] += 1
        if isinstance(found, Factory) and lookups[name] == 3:
            dead.append(found)
        return found

    def connect(original, factory, *arguments):
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
    around=(ReferenceProvider, "bind"),
)
def _(original, provider, name, obj):
    if isinstance(obj, Topic):
        raise IllegalArgumentException("only factories and queues can be bound")
    original(provider, name, obj)


@saboteur("5.1-3", "names with a slash are found below jms/ only", by=_looked_up)
def _(_, name, found):
    if "/" in name and not name.startswith("jms/"):
        raise JMSException(f"there is no context for {name}")
    return found


@saboteur("5.1-5", "a factory that the provider makes for a client opens a connection and keeps it")
def _(patch):
    busy = threading.local()

    def make(original, provider):
        factory = original(provider)
        if not getattr(busy, "now", False):
            busy.now = True
            try:
                factory.create_connection()
            finally:
                busy.now = False
        return factory

    around_each(
        patch, ReferenceProvider, ["connection_factory", "queue_connection_factory", "topic_connection_factory"], make
    )


@saboteur(
    "5.1-6",
    "the lookup of a destination connects to the provider for a moment, to see whether it exists",
    by=_looked_up,
)
def _(provider, _, found):
    if isinstance(found, Destination):
        ReferenceConnectionFactory(provider.server).create_connection().close()
    return found


@saboteur("5.1-7", "the lookup of a queue or topic that does not exist creates it", by=_looked_up)
def _(provider, _, found):
    if isinstance(found, (Queue, Topic)):
        broker = provider.server.broker
        with broker.lock:
            broker.physical_destination(found)
    return found


@saboteur("5.1-8", "each lookup of a destination starts a background thread", by=_looked_up)
def _(_, __, found):
    if isinstance(found, Destination):
        threading.Thread(target=threading.Event().wait, args=(LIFE,), daemon=True).start()
    return found


@saboteur("5.1-14", "a factory that was bound forgets the client identifier that it was configured with")
def _(patch):
    kinds = {
        kind.__name__: kind
        for kind in (ReferenceConnectionFactory, ReferenceQueueConnectionFactory, ReferenceTopicConnectionFactory)
    }

    def fault(provider, _, found):
        kind = kinds.get(type(found).__name__)
        return found if kind is None else kind(provider.server)

    _looked_up(patch, fault)
