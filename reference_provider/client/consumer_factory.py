"""Opens and closes the receivers of consumers, on queues and on the four kinds of subscription.

A subscription is identified by its name and the client identifier, if one is set; durable and non-durable names are
separate. An unshared durable subscription has at most one consumer at a time and needs a client identifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from reference_provider.broker.physical_destinations import (
    PhysicalDestination,
    PhysicalQueue,
    PhysicalTopic,
    Predicate,
    Subscription,
)
from reference_provider.broker.subscriptions import Key, Terms
from reference_provider.client.receivers import Receiver, WaitSlot
from tck.api import OMITTED, IllegalStateException, InvalidDestinationException, JMSException

if TYPE_CHECKING:
    from reference_provider.broker.broker import Broker
    from reference_provider.client.temporary_destinations import TemporaryDestinations
    from reference_provider.messages import MessageModel
    from tck.api import Destination, Omitted, Topic


class SubscribingConnection(Protocol):
    """The interface that subscriptions need from the connection that opens them; see `ReferenceConnection`."""

    broker: Broker
    model: MessageModel
    identity: str
    temporaries: TemporaryDestinations

    @property
    def client_id_or_none(self) -> str | None:
        """Return the client identifier."""
        ...


class ConsumerFactory:
    """Opens and closes receivers for the sessions of one connection. `owner` in calls is the session."""

    __slots__ = ("broker", "connection")

    def __init__(self, connection: SubscribingConnection) -> None:
        self.connection = connection
        self.broker = connection.broker

    # --- opening ----------------------------------------------------------------------------------------------

    def open_plain(
        self, owner: object, destination: Destination | None, selector: str | Omitted | None, no_local: bool | Omitted
    ) -> Receiver:
        """Open a consumer of a queue, or of a topic with a subscription that ends with it."""
        text = selector_text(selector)
        matches = self._predicate(text)
        with self.broker.lock:
            physical = self._physical_destination(destination)
            if isinstance(physical, PhysicalQueue):
                return self.open_receiver(physical.delivery_queue.physical, text, matches, None)
            topic = as_topic(physical)
            subscription = self.broker.subscriptions.add_unshared(
                topic, text, matches, self.no_local_identity(no_local)
            )
            subscription.session = owner
            return self.open_receiver(topic, text, None, subscription)

    def open_shared(self, topic: Topic | None, name: str | None, selector: str | Omitted | None) -> Receiver:
        """Open a consumer of a shared non-durable subscription, which is created with its first consumer."""
        text = selector_text(selector)
        matches = self._predicate(text)
        with self.broker.lock:
            physical = as_topic(self._physical_destination(topic))
            key = (self.connection.client_id_or_none, checked_name(name))
            subscription = self.broker.subscriptions.shared(key)
            if subscription is None:
                subscription = self.broker.subscriptions.add_shared(key, physical, text, matches)
            else:
                check_same(subscription, physical, text)
            return self.open_receiver(physical, text, None, subscription)

    def open_durable(
        self,
        topic: Topic | None,
        name: str | None,
        selector: str | Omitted | None,
        no_local: bool | Omitted,
    ) -> Receiver:
        """Open the consumer of an unshared durable subscription; create or replace the subscription if necessary."""
        client_id = self.connection.client_id_or_none
        if client_id is None:
            self._check_durable(topic, name, selector_text(selector))
            raise IllegalStateException(
                "an unshared durable subscription needs a client identifier: set one on the connection", "NO_CLIENT_ID"
            )
        return self.open_stored(
            topic, (client_id, checked_name(name)), selector, self.no_local_identity(no_local), shared=False
        )

    def _check_durable(self, topic: Topic | None, name: str | None, text: str | None) -> None:
        """Refuse each invalid argument for its own sake, whatever else is missing."""
        self._predicate(text)
        with self.broker.lock:
            refuse_temporary(as_topic(self._physical_destination(topic)))
        checked_name(name)

    def open_shared_durable(self, topic: Topic | None, name: str | None, selector: str | Omitted | None) -> Receiver:
        """Open a consumer of a shared durable subscription; create or replace the subscription if necessary."""
        key = (self.connection.client_id_or_none, checked_name(name))
        return self.open_stored(topic, key, selector, None, shared=True)

    def open_stored(
        self,
        topic: Topic | None,
        key: Key,
        selector: str | Omitted | None,
        no_local: str | None,
        *,
        shared: bool,
    ) -> Receiver:
        """Open a consumer of a durable subscription; one caller at a time may create, replace or delete one."""
        with self.broker.subscriptions.naming:
            return self._resume_or_store(topic, key, selector_text(selector), no_local, shared=shared)

    def _resume_or_store(
        self, topic: Topic | None, key: Key, text: str | None, no_local: str | None, *, shared: bool
    ) -> Receiver:
        matches = self._predicate(text)
        subscriptions = self.broker.subscriptions
        with self.broker.lock:
            physical = as_topic(self._physical_destination(topic))
            refuse_temporary(physical)
            found = subscriptions.durable(key)
            if found is not None:
                check_kind(found, shared=shared)
                check_free(found, shared=shared)
                terms = Terms(physical, text, no_local)
                if found.consumers:
                    check_same(found, physical, text)
                if terms.match(found):
                    return self.open_receiver(physical, text, None, found)
        made = subscriptions.store(key, Terms(physical, text, no_local), matches, shared=shared, replaced=found)
        with self.broker.lock:
            return self.open_receiver(physical, text, None, made)

    def unsubscribe(self, name: str | None) -> None:
        """Delete a durable subscription; InvalidDestinationException if there is none, JMSException if it is in use."""
        with self.broker.subscriptions.naming:
            self._delete((self.connection.client_id_or_none, name or ""))

    def _delete(self, key: Key) -> None:
        client_id, name = key
        with self.broker.lock:
            found = self.broker.subscriptions.durable(key)
            if found is None:
                raise InvalidDestinationException(
                    f"no durable subscription {name!r} of client identifier {client_id!r}"
                )
            if found.consumers:
                raise JMSException(f"the subscription {name!r} has an open consumer: close it first", "IN_USE")
            if found.delivery_queue.count_taken():
                raise JMSException(f"messages of the subscription {name!r} are not acknowledged yet", "IN_USE")
        self.broker.subscriptions.delete(found)

    # --- closing ----------------------------------------------------------------------------------------------

    def close(self, receiver: Receiver) -> None:
        """Close a receiver; a non-durable subscription ends with its last consumer. Needs B."""
        if receiver.closed:
            return
        receiver.close()
        receiver.physical.consumers -= 1
        subscription = receiver.subscription
        if subscription is not None:
            subscription.consumers -= 1
            if subscription.consumers == 0 and not subscription.durable:
                self.broker.subscriptions.remove(subscription)

    # --- parts ------------------------------------------------------------------------------------------------

    def _predicate(self, text: str | None) -> Predicate | None:
        return self.broker.predicate(text, self.connection.model.version)

    def _physical_destination(self, destination: Destination | None) -> PhysicalDestination:
        physical = self.broker.physical_destination(destination)
        self.connection.temporaries.check_consumable(physical)
        return physical

    def no_local_identity(self, no_local: bool | Omitted) -> str | None:
        """Return the identity whose messages a consumer leaves out, None without noLocal."""
        return self.connection.identity if no_local is True else None

    def open_receiver(
        self,
        physical: PhysicalDestination,
        text: str | None,
        matches: Predicate | None,
        subscription: Subscription | None,
    ) -> Receiver:
        """Open a receiver of a queue or of a subscription. Needs B.

        `matches` filters the messages of a queue; a subscription filters with its own selector, so it is None there.
        """
        physical.consumers += 1
        if subscription is not None:
            subscription.consumers += 1
            return Receiver(subscription.delivery_queue, text, matches, WaitSlot(self.broker), subscription)
        assert isinstance(physical, PhysicalQueue)  # noqa: S101 # topics have subscriptions
        return Receiver(physical.delivery_queue, text, matches, WaitSlot(self.broker))


def selector_text(selector: str | Omitted | None) -> str | None:
    """Return the text of a selector; omitted, null and "" all mean none."""
    return None if selector is OMITTED else selector or None


def refuse_temporary(physical: PhysicalTopic) -> None:
    """Raise InvalidDestinationException for a temporary topic, which has no durable subscriptions."""
    if physical.temporary:
        raise InvalidDestinationException(f"{physical.destination} is temporary: no durable subscription on it")


def as_topic(physical: PhysicalDestination) -> PhysicalTopic:
    """Check that a physical destination is a topic; InvalidDestinationException if not."""
    if not isinstance(physical, PhysicalTopic):
        raise InvalidDestinationException(f"{physical.destination} is no topic: only topics have subscriptions")
    return physical


def checked_name(name: str | None) -> str:
    """Check the name of a subscription; JMSException for null or an empty one."""
    if not name:
        raise JMSException(f"a subscription needs a name, not {name!r}", "BAD_SUBSCRIPTION_NAME")
    return name


def check_same(subscription: Subscription, physical: PhysicalTopic, selector: str | None) -> None:
    """Raise JMSException unless topic and selector equal those of a subscription in use."""
    if subscription.delivery_queue.physical is not physical or subscription.selector != selector:
        raise JMSException(
            f"the subscription is in use on {subscription.delivery_queue.physical.destination} with selector "
            f"{subscription.selector!r}: another topic or selector needs another name",
            "SUBSCRIPTION_IN_USE",
        )


def check_kind(subscription: Subscription, *, shared: bool) -> None:
    """Raise JMSException if the durable subscription of this name is shared and should not be, or the reverse."""
    if subscription.shared != shared:
        kind = "shared" if subscription.shared else "unshared"
        raise JMSException(f"there is {kind} durable subscription of this name and client identifier", "WRONG_KIND")


def check_free(subscription: Subscription, *, shared: bool) -> None:
    """Raise JMSException if an unshared durable subscription has a consumer already."""
    if subscription.consumers and not shared:
        raise JMSException("the durable subscription has an open consumer already", "SUBSCRIPTION_IN_USE")
