"""Faults in 6.1.2: client identifiers in use, and uses that need none."""

from faults.kit import *

_HONEST = ReferenceConnection.client_id


def _setter(patch, fault):
    """Run `fault` where an identifier is set that another connection has; the exception follows unless it is raised there."""

    def set_client_id(self, client_id):
        try:
            _HONEST.fset(self, client_id)
        except InvalidClientIDException:
            fault(self, client_id)

    patch.replace(ReferenceConnection, "client_id", property(_HONEST.fget, set_client_id))


@saboteur(
    "6.1.2-11",
    "two connections with one identifier consume the same durable subscription",
    collateral={
        "6.1.2-13": "the identifier in use is accepted",
        "6.1.2-16": "no identifier is refused",
        "6.1.2-14": "two clients consume together",
        "6.1.2-15": "two clients consume together",
    },
)
def _(patch):
    def accept(connection, client_id):
        connection._client_id = client_id

    def open_stored(original, factory, *arguments, shared):
        broker = factory.broker
        with broker.lock:
            found = broker.subscriptions.durable(arguments[1])
            if found is not None and found.consumers and not shared:
                return factory.open_receiver(broker.physical_destination(arguments[0]), None, None, found)
        return original(factory, *arguments, shared=shared)

    _setter(patch, accept)
    patch.at(fault_points.SUBSCRIPTION_STORED, open_stored)


saboteur(
    "6.1.2-13",
    "an identifier in use is accepted, and has no effect",
    lambda patch: _setter(patch, lambda _, __: None),
    collateral={"6.1.2-16": "no value is refused"},
)


def _after_an_attempt(patch, fault):
    """Run `fault` as the next message reaches a durable subscription after its identifier was refused to another client."""
    attempts = set[str | None]()

    def refuse(_, client_id):
        attempts.add(client_id)
        raise InvalidClientIDException(f"the client identifier {client_id!r} is in use")

    def admit(original, broker, delivery_queue, entry):
        keys = [one.key for one in broker.subscriptions.all_durable() if one.delivery_queue is delivery_queue]
        if attempts.isdisjoint(key[0] for key in keys if key is not None):
            original(broker, delivery_queue, entry)
        else:
            attempts.clear()
            fault(entry, lambda: original(broker, delivery_queue, entry))

    _setter(patch, refuse)
    patch.at(fault_points.ARRIVED, admit)


_PUBLISHED_THEN = {"6.1.2-11": "it publishes after an attempt", "6.1.2-17": "it publishes after an attempt"}
saboteur(
    "6.1.2-14",
    "the next message to a durable subscription is lost after its identifier was refused to another client",
    lambda patch: _after_an_attempt(patch, lambda _, __: None),
    collateral=_PUBLISHED_THEN,
)


@saboteur(
    "6.1.2-15",
    "the next message to a durable subscription comes twice after its identifier was refused to another client",
    collateral=_PUBLISHED_THEN,
)
def _(patch):
    victims = list[StoredMessage]()

    def admit(entry, honest):
        victims.append(entry)
        honest()

    def remove(original, delivery):
        for victim in victims:
            if victim.number == delivery.entry.number:
                victims.remove(victim)
                delivery.redeliver()
                return
        original(delivery)

    _after_an_attempt(patch, admit)
    patch.at(fault_points.REMOVED, remove)


@saboteur(
    "6.1.2-17",
    "an identifier stays reserved if its connection was closed without having been used",
    at=fault_points.CONNECTION_CLOSED,
)
def _(original, connection):
    client_id = connection.client_id_or_none
    unused = not connection.used and not connection.closed
    original(connection)
    if unused and client_id is not None:
        connection.server.claim_client_id(client_id, ReferenceConnection(connection.server, None))


@saboteur(
    "6.1.2-20",
    "a shared consumer with a selector needs a client identifier",
    around=(ReferenceSession, "create_shared_consumer"),
)
def _(original, self, topic, name, selector):
    if isinstance(selector, str) and self.connection.client_id is None:
        raise IllegalStateException("set a client identifier first")
    return original(self, topic, name, selector)


def _needs_identifier(patch, needs):
    """Refuse consumers of connections without identifier where `needs` holds for noLocal."""

    def open_plain(original, session, destination, selector, no_local):
        if needs(no_local) and session.connection.client_id_or_none is None:
            raise IllegalStateException("set a client identifier first")
        return original(session, destination, selector, no_local)

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)


saboteur(
    "6.1.2-21",
    "a consumer that is not durable needs a client identifier",
    lambda patch: _needs_identifier(patch, lambda _no_local: True),
)
