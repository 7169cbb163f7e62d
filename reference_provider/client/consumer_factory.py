"""How consumers get their messages: opening receivers on queues and on the four kinds of subscription.

A subscription is identified by its name and the client identifier, if one is set; durable and non-durable names are
apart. An unshared durable subscription has at most one consumer at a time and needs a client identifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    from reference_provider.client.connections import ReferenceConnection
    from tck.api import Destination, Omitted, Topic


class ConsumerFactory:
    """Opens and closes receivers for the sessions of one connection. `owner` in calls is the session."""

    __slots__ = ("_broker", "_connection")

    def __init__(self, connection: ReferenceConnection) -> None:
        self._connection = connection
        self._broker = connection.broker

    # --- opening ----------------------------------------------------------------------------------------------

    def open_plain(
        self, owner: object, destination: Destination | None, selector: str | Omitted | None, no_local: bool | Omitted
    ) -> Receiver:
        """Open a consumer of a queue, or of a topic with a subscription that ends with it."""
        text = selector_text(selector)
        matches = self._predicate(text)
        with self._broker.lock:
            place = self._place(destination)
            if isinstance(place, PhysicalQueue):
                return self._receiver(place.stream.place, text, matches, None)
            topic = as_topic(place)
            subscription = self._broker.subscriptions.add_unshared(topic, text, matches, self._left_out(no_local))
            subscription.session = owner
            return self._receiver(topic, text, None, subscription)

    def open_shared(self, topic: Topic | None, name: str | None, selector: str | Omitted | None) -> Receiver:
        """Open a consumer of a shared non-durable subscription, made with its first consumer."""
        text = selector_text(selector)
        matches = self._predicate(text)
        with self._broker.lock:
            place = as_topic(self._place(topic))
            key = (self._connection.client_id_or_none, checked_name(name))
            subscription = self._broker.subscriptions.shared(key)
            if subscription is None:
                subscription = self._broker.subscriptions.add_shared(key, place, text, matches)
            else:
                check_same(subscription, place, text)
            return self._receiver(place, text, None, subscription)

    def open_durable(
        self,
        topic: Topic | None,
        name: str | None,
        selector: str | Omitted | None,
        no_local: bool | Omitted,
    ) -> Receiver:
        """Open the consumer of an unshared durable subscription, made or replaced if need be."""
        client_id = self._connection.client_id_or_none
        if client_id is None:
            raise IllegalStateException(
                "an unshared durable subscription needs a client identifier: set one on the connection", "NO_CLIENT_ID"
            )
        return self._open_stored(
            topic, (client_id, checked_name(name)), selector, self._left_out(no_local), shared=False
        )

    def open_shared_durable(self, topic: Topic | None, name: str | None, selector: str | Omitted | None) -> Receiver:
        """Open a consumer of a shared durable subscription, made or replaced if need be."""
        key = (self._connection.client_id_or_none, checked_name(name))
        return self._open_stored(topic, key, selector, None, shared=True)

    def _open_stored(
        self,
        topic: Topic | None,
        key: Key,
        selector: str | Omitted | None,
        no_local: str | None,
        *,
        shared: bool,
    ) -> Receiver:
        with self._broker.subscriptions.naming:
            return self._resume_or_store(topic, key, selector_text(selector), no_local, shared=shared)

    def _resume_or_store(
        self, topic: Topic | None, key: Key, text: str | None, no_local: str | None, *, shared: bool
    ) -> Receiver:
        matches = self._predicate(text)
        subscriptions = self._broker.subscriptions
        with self._broker.lock:
            place = as_topic(self._place(topic))
            if place.temporary:
                raise InvalidDestinationException(f"{place.destination} is temporary: no durable subscription on it")
            found = subscriptions.durable(key)
            if found is not None:
                check_kind(found, shared=shared)
                check_free(found, shared=shared)
                terms = Terms(place, text, no_local)
                if found.consumers:
                    check_same(found, place, text)
                if terms.hold_for(found):
                    return self._receiver(place, text, None, found)
        made = subscriptions.store(key, Terms(place, text, no_local), matches, shared=shared, replaced=found)
        with self._broker.lock:
            return self._receiver(place, text, None, made)

    def unsubscribe(self, name: str | None) -> None:
        """Delete a durable subscription; InvalidDestinationException if there is none, JMSException if it is in use."""
        with self._broker.subscriptions.naming:
            self._delete((self._connection.client_id_or_none, name or ""))

    def _delete(self, key: Key) -> None:
        client_id, name = key
        with self._broker.lock:
            found = self._broker.subscriptions.durable(key)
            if found is None:
                raise InvalidDestinationException(
                    f"no durable subscription {name!r} of client identifier {client_id!r}"
                )
            if found.consumers:
                raise JMSException(f"the subscription {name!r} has an open consumer: close it first", "IN_USE")
            if found.stream.in_hand():
                raise JMSException(f"messages of the subscription {name!r} are not acknowledged yet", "IN_USE")
        self._broker.subscriptions.delete(found)

    # --- closing ----------------------------------------------------------------------------------------------

    def close(self, receiver: Receiver) -> None:
        """Take a receiver out; a subscription that lived for its consumers ends with the last one. Needs B."""
        if receiver.closed:
            return
        receiver.close()
        receiver.place.consumers -= 1
        subscription = receiver.subscription
        if subscription is not None:
            subscription.consumers -= 1
            if subscription.consumers == 0 and not subscription.durable:
                self._broker.subscriptions.remove(subscription)

    # --- parts ------------------------------------------------------------------------------------------------

    def _predicate(self, text: str | None) -> Predicate | None:
        return self._broker.predicate(text, self._connection.model.version)

    def _place(self, destination: Destination | None) -> PhysicalDestination:
        place = self._broker.place(destination)
        self._connection.temporaries.check_consumable(place)
        return place

    def _left_out(self, no_local: bool | Omitted) -> str | None:
        return self._connection.identity if no_local is True else None

    def _receiver(
        self, place: PhysicalDestination, text: str | None, matches: Predicate | None, subscription: Subscription | None
    ) -> Receiver:
        place.consumers += 1
        if subscription is not None:
            subscription.consumers += 1
            return Receiver(subscription.stream, text, matches, WaitSlot(self._broker), subscription)
        assert isinstance(place, PhysicalQueue)  # noqa: S101 # topics have subscriptions
        return Receiver(place.stream, text, matches, WaitSlot(self._broker))


def selector_text(selector: str | Omitted | None) -> str | None:
    """Give the text of a selector; not given, null and "" all mean none."""
    return None if selector is OMITTED else selector or None


def as_topic(place: PhysicalDestination) -> PhysicalTopic:
    """Check that a place is a topic; InvalidDestinationException if not."""
    if not isinstance(place, PhysicalTopic):
        raise InvalidDestinationException(f"{place.destination} is no topic: only topics have subscriptions")
    return place


def checked_name(name: str | None) -> str:
    """Check the name of a subscription; JMSException for null or an empty one."""
    if not name:
        raise JMSException(f"a subscription needs a name, not {name!r}", "BAD_SUBSCRIPTION_NAME")
    return name


def check_same(subscription: Subscription, place: PhysicalTopic, selector: str | None) -> None:
    """Raise JMSException unless topic and selector are those of a subscription in use."""
    if subscription.stream.place is not place or subscription.selector != selector:
        raise JMSException(
            f"the subscription is in use on {subscription.stream.place.destination} with selector "
            f"{subscription.selector!r}: another topic or selector needs another name",
            "SUBSCRIPTION_IN_USE",
        )


def check_kind(subscription: Subscription, *, shared: bool) -> None:
    """Raise JMSException if a durable subscription of this name is of the other kind."""
    if subscription.shared != shared:
        kind = "shared" if subscription.shared else "unshared"
        raise JMSException(f"there is {kind} durable subscription of this name and client identifier", "WRONG_KIND")


def check_free(subscription: Subscription, *, shared: bool) -> None:
    """Raise JMSException if an unshared durable subscription has a consumer already."""
    if subscription.consumers and not shared:
        raise JMSException("the durable subscription has an open consumer already", "SUBSCRIPTION_IN_USE")
