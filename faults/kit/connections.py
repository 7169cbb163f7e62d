"""Connections that were never started: which are, which a context owns, and a receive that finds messages all the same."""

from faults.kit.seams import *


class Connections:
    """A set of connections by identity; it keeps them alive, so that no identity is used twice."""

    def __init__(self):
        self._connections = {}

    def add(self, connection):
        """Remember a connection."""
        self._connections[id(connection)] = connection

    def discard(self, connection):
        """Forget a connection."""
        self._connections.pop(id(connection), None)

    def __contains__(self, connection):
        return id(connection) in self._connections


def started(patch, fault=lambda _: None):
    """Remember the connections that were ever started; run `fault` before the first start of each."""
    ever = Connections()

    def start(original, connection):
        if connection not in ever:
            ever.add(connection)
            fault(connection)
        original(connection)

    patch.at(fault_points.CONNECTION_STARTED, start)
    return ever


def of_contexts(patch):
    """Remember the connections that contexts own."""
    owned = Connections()

    def create(original, factory, **options):
        context = original(factory, **options)
        owned.add(context.connection)
        return context

    patch.around(ReferenceConnectionFactory, "create_context", create)
    return owned


def received_before_start(patch):
    """Let a receive that does not wait find messages on a connection that was never started and that no context owns."""
    ever, contexts = started(patch), of_contexts(patch)

    def next_delivery(original, consumer, timeout):
        connection = consumer.session.connection
        if timeout != 0 or connection.running or connection in ever or connection in contexts:
            return original(consumer, timeout)
        connection.running = True
        try:
            return original(consumer, timeout)
        finally:
            connection.running = False

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
