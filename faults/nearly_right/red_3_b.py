"""Red round 3, part b: selectors, names, seldom-used members and closing order, written without sight of the suite.

Each fault names the real bug it is modelled on, where there is one. Faults of the selector language bring a fresh cache
of compiled selectors, so that nothing broken outlives the patch.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from operator import length_hint
from typing import Any

import reference_provider.selector.selector as selector_cache
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider.broker import stored_message
from reference_provider.broker.physical_destinations import PhysicalTopic, Subscription
from reference_provider.broker.subscriptions import Terms
from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.client.consumer_factory import ConsumerFactory, selector_text
from reference_provider.client.consumers import ReferenceConsumer, ReferenceReceiver
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueSession, ReferenceTopicSession
from reference_provider.client.requestors import ReferenceQueueRequestor, answered
from reference_provider.client.temporary_destinations import TemporaryDestinations
from reference_provider.selector import literals
from reference_provider.selector.compiler import _Compiler
from reference_provider.selector.nodes import Between, NumberLiteral
from reference_provider.selector.values import Single
from tck.api import OMITTED, InvalidDestinationRuntimeException, Session, TemporaryQueue


def _fresh_cache(patch: Patch) -> None:
    patch.replace(selector_cache, "_cached", lru_cache(maxsize=64)(selector_cache._compiled))


def _seen_by_selectors(patch: Patch, change: Callable[[str, Any], Any]) -> None:
    original = stored_message.selection  # type: ignore[attr-defined]  # imported there

    def selection(*arguments: Any, **keywords: Any) -> dict[str, Any]:
        view = original(*arguments, **keywords)
        changed = {name: change(name, value) for name, value in view.items()}
        return {name: value for name, value in changed.items() if value is not None}

    patch.replace(stored_message, "selection", selection)


@nearly_right(
    "header-names-translated-within-literals",
    "the name of a header within a string literal of a selector becomes the broker's own name",
    "3.8.1.1-10",
    "3.8.1.1-62",
)
def _translated(patch: Patch) -> None:
    # A translator of JMS names to the broker's names by text replacement; such translators are in JBoss Messaging,
    # HornetQ and Artemis (SelectorTranslator), which take care of quotes.
    original = literals.string

    def string(token: str) -> str:
        return original(token).replace("JMSPriority", "AMQPriority").replace("JMSMessageID", "AMQUserID")

    patch.replace(literals, "string", string)
    _fresh_cache(patch)


@nearly_right("like-reads-a-bar-as-or", "in a LIKE pattern with _ a vertical bar means 'or'", "3.8.1.1-84")
def _bar(patch: Patch) -> None:
    # LIKE by regular expression with a list of characters to be escaped: ARTEMIS-356, AMQ-6137 (special characters).
    original = literals._regex
    patch.replace(literals, "_regex", lambda signs: original(signs).replace("\\|", "|"))
    _fresh_cache(patch)


@nearly_right(
    "empty-string-is-null-in-selectors", "for selectors a property that is an empty String is NULL", "3.8.1.1-98"
)
def _empty(patch: Patch) -> None:
    # Oracle's databases take '' for NULL, and message properties in their queues with it.
    _seen_by_selectors(patch, lambda _, value: None if type(value) is str and not value else value)


@nearly_right(
    "correlation-id-without-prefix-in-selectors",
    "a selector sees a JMSCorrelationID that begins with 'ID:' without this prefix",
    "3.8.1.1-38",
)
def _prefix(patch: Patch) -> None:
    # AMQP carries ids without 'ID:'; ARTEMIS-1314 (selectors on JMSCorrelationID, conversion of ids).
    _seen_by_selectors(patch, lambda name, value: value.removeprefix("ID:") if name == "JMSCorrelationID" else value)


@nearly_right(
    "durable-subscriptions-cannot-select-by-message-id",
    "for the selector of a durable subscription JMSMessageID is NULL",
    "3.8.1.1-36",
    "4.2.2-4",
)
def _no_id(patch: Patch) -> None:
    # ARTEMIS-842: JMSMessageID does not work in a selector.
    original = Subscription.wants

    def wants(self: Subscription, entry: Any) -> bool:
        if not self.durable or self.matches is None:
            return original(self, entry)
        view = {name: value for name, value in entry.selection().items() if name != "JMSMessageID"}
        return self.is_foreign(entry) and self.matches.selector.matches(view)  # type: ignore[attr-defined]

    patch.replace(Subscription, "wants", wants)


@nearly_right(
    "float-properties-widened-through-text",
    "for selectors a float becomes a double by its decimal text: 0.1f equals 0.1",
    "3.8.1.1-54",
)
def _through_text(patch: Patch) -> None:
    # Seen where properties travel as text, as in STOMP bridges.
    def change(_: str, value: Any) -> Any:
        if type(value) is not Single or value in (float("inf"), float("-inf")) or value != value:  # noqa: PLR0124
            return value
        texts = (f"{value:.{digits}g}" for digits in range(1, 18))
        return next(float(text) for text in texts if struct.pack("f", float(text)) == struct.pack("f", value))

    _seen_by_selectors(patch, change)


@nearly_right(
    "between-swaps-reversed-bounds", "BETWEEN whose lower literal is the greater one swaps the two", "3.8.1.1-70"
)
def _reversed(patch: Patch) -> None:
    original = _Compiler._range

    def in_order(self: Any, node: Any, wanted: bool) -> str:
        if isinstance(node, Between) and isinstance(node.low, NumberLiteral) and isinstance(node.high, NumberLiteral):
            node = Between(node.operand, *sorted((node.low, node.high), key=lambda literal: literal.value))
        return original(self, node, wanted)

    patch.replace(_Compiler, "_range", in_order)
    _fresh_cache(patch)


@nearly_right(
    "selector-of-second-shared-consumer-unknown",
    "the second consumer of a shared non-durable subscription reports no selector",
    "3.8.1.1-3",
)
def _getter(patch: Patch) -> None:
    original = ConsumerFactory.open_shared

    def open_shared(self: Any, *arguments: Any) -> Any:
        receiver: Any = original(self, *arguments)
        if receiver.subscription.consumers > 1:
            receiver.selector = None
        return receiver

    patch.replace(ConsumerFactory, "open_shared", open_shared)


# --- domain-specific sessions and requestors ------------------------------------------------------------------


@nearly_right(
    "queue-session-common-consumer-takes-all",
    "the consumer that a QueueSession makes by createConsumer ignores its selector",
    "4.1.2-5",
    "2.10-1",
    "3.8.1-1",
)
def _common(patch: Patch) -> None:
    def create_consumer(self: Any, destination: Any, message_selector: Any = OMITTED, no_local: Any = OMITTED) -> Any:
        del no_local
        self.broker.predicate(selector_text(message_selector), self.model.version)
        made = self.create_receiver(destination)
        made.receiver.selector = selector_text(message_selector)
        return made

    patch.replace(ReferenceQueueSession, "create_consumer", create_consumer)


@nearly_right(
    "topic-session-unsubscribe-only-empties",
    "unsubscribe of a TopicSession empties the durable subscription, which goes on collecting",
    "2.9-7",
    "4.2.9-3",
)
def _empties(patch: Patch) -> None:
    original = ReferenceTopicSession.unsubscribe

    def unsubscribe(self: Any, name: Any) -> None:
        subscriptions = self.broker.subscriptions
        found = subscriptions.durable((self.connection.client_id_or_none, name or ""))
        original(self, name)
        with subscriptions.naming:
            terms = Terms(found.delivery_queue.physical, found.selector, found.no_local)
            subscriptions.store(found.key, terms, found.matches, shared=found.shared, replaced=None)

    patch.replace(ReferenceTopicSession, "unsubscribe", unsubscribe)


@nearly_right(
    "closing-a-receiver-acknowledges",
    "closing a QueueReceiver before its CLIENT_ACKNOWLEDGE session acknowledges what it has received",
    "2.9-8",
)
def _acknowledges(patch: Patch) -> None:
    original = ReferenceReceiver.close

    def close(self: Any) -> None:
        state = self.session.state
        if not self.closed and self.session.mode == Session.CLIENT_ACKNOWLEDGE:
            with self.session.broker.lock:
                own = [one for one in state.unacknowledged if one.consumer is self]
                state.unacknowledged = [one for one in state.unacknowledged if one not in own]
            state.acknowledge(own, durable=True)
        original(self)

    patch.replace(ReferenceReceiver, "close", close)


@nearly_right(
    "requestor-keeps-a-preset-reply-to", "a QueueRequestor leaves a JMSReplyTo that is set already", "4.1.7-2"
)
def _preset(patch: Patch) -> None:
    # The program of datastax/pulsar-jms#9 sets JMSReplyTo before it hands the request over.
    original = ReferenceQueueRequestor.request

    def request(self: Any, message: Any) -> Any:
        if message.jms_reply_to is None:
            return original(self, message)
        self._sender.send(message)
        return answered(self._receiver.receive())

    patch.replace(ReferenceQueueRequestor, "request", request)


@nearly_right(
    "requestor-leaves-a-queue-with-late-replies",
    "closing a QueueRequestor does not delete its temporary queue if a late reply is in it",
    "4.1.7-5",
)
def _late(patch: Patch) -> None:
    # datastax/pulsar-jms#9: the temporary queue of a requestor cannot be deleted when it is closed.
    original = ReferenceQueueRequestor.close

    def close(self: Any) -> None:
        broker = self._session.broker
        if broker.pending(self._reply_queue):
            self._session.close()
        else:
            original(self)

    patch.replace(ReferenceQueueRequestor, "close", close)


# --- temporary destinations -----------------------------------------------------------------------------------


@nearly_right(
    "temporary-topic-with-shared-consumer-deleted",
    "a temporary topic can be deleted while a consumer of a shared subscription uses it",
    "4.2.7-9",
)
def _shared_use(patch: Patch) -> None:
    # Deletion is left to a check that counts the subscribers of one kind only.
    original = TemporaryDestinations.delete

    def delete(self: Any, destination: Any) -> None:
        with self.broker.lock:
            physical = self._physical.get(destination)
            if isinstance(physical, PhysicalTopic) and all(one.shared for one in physical.subscriptions):
                self._remove(destination, physical)
                return
        original(self, destination)

    patch.replace(TemporaryDestinations, "delete", delete)


@nearly_right(
    "temporary-queue-bound-to-its-context",
    "another JMSContext of the same connection cannot consume from a temporary queue",
    "4.1.5-6",
)
def _bound(patch: Patch) -> None:
    # The owner is compared by session where it should be by connection; compare apache/activemq#1722.
    makers: dict[str, Any] = {}
    create_queue, create_consumer = ReferenceContext.create_temporary_queue, ReferenceContext.create_consumer

    def create_temporary_queue(self: Any) -> Any:
        made = create_queue(self)
        makers[made.queue_name] = self
        return made

    def consumer(self: Any, destination: Any, *arguments: Any, **keywords: Any) -> Any:
        if isinstance(destination, TemporaryQueue) and makers.get(destination.queue_name, self) is not self:
            raise InvalidDestinationRuntimeException(f"{destination} belongs to another context")
        return create_consumer(self, destination, *arguments, **keywords)

    patch.replace(ReferenceContext, "create_temporary_queue", create_temporary_queue)
    patch.replace(ReferenceContext, "create_consumer", consumer)


@nearly_right(
    "second-enumeration-continues-the-first",
    "getEnumeration returns the former enumeration while that one is not at its end",
    "4.1.6-10",
)
def _continues(patch: Patch) -> None:
    # One cursor for each browser, as where a browser is a consumer in disguise.
    former: dict[int, tuple[Any, Any]] = {}
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: Any) -> Any:
        fresh = original(self)
        _, last = former.get(id(self), (self, None))
        if last is not None and length_hint(last._seen):
            return last
        former[id(self)] = (self, fresh)
        return fresh

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@nearly_right(
    "selective-browser-ignores-priority",
    "the enumeration of a browser with a selector is in the order of arrival, whatever the priorities",
    "4.1.6-6",
)
def _by_arrival(patch: Patch) -> None:
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self: Any) -> Any:
        made: Any = original(self)
        if self._selector:
            made._seen = iter(sorted(made._seen, key=lambda one: one.entry.number))
        return made

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


# --- contexts and subscriptions -------------------------------------------------------------------------------


@nearly_right(
    "context-unsubscribe-throws-checked",
    "unsubscribe of a JMSContext reports an unknown name by the checked exception",
    "2.8.2-8",
)
def _checked(patch: Patch) -> None:
    patch.replace(ReferenceContext, "unsubscribe", lambda self, name: self.session.unsubscribe(name))


@nearly_right(
    "receive-body-does-not-settle-durable",
    "what receiveBody took from a durable subscription in AUTO_ACKNOWLEDGE comes again to its next consumer",
    "4.2.2-22",
    "4.2.11-5",
)
def _unsettled(patch: Patch) -> None:
    # receiveBody as a later addition with an acknowledgement of its own; compare AMQ-8464.
    owed: dict[int, tuple[Any, list[Any]]] = {}
    hand_out_body, detach = ReferenceConsumer.hand_out_body, ReferenceConsumer.detach

    def body(self: Any, delivery: Any, read: Any) -> Any:
        subscription = self.receiver.subscription
        if subscription is None or not subscription.durable or self.session.mode != Session.AUTO_ACKNOWLEDGE:
            return hand_out_body(self, delivery, read)
        result = read(self.session.message_of(delivery))
        owed.setdefault(id(self), (self, []))[1].append(delivery)
        return result

    def leave(self: Any) -> None:
        for delivery in owed.pop(id(self), (self, []))[1]:
            self.session.state.cancel_delivery(delivery)
        detach(self)

    patch.replace(ReferenceConsumer, "hand_out_body", body)
    patch.replace(ReferenceConsumer, "detach", leave)


@nearly_right(
    "client-identifier-and-name-joined-by-a-dot",
    "subscription b.c of client a and subscription c of client a.b are one",
    "4.2.2-25",
    "4.2.4-4",
)
def _joined(patch: Patch) -> None:
    # Brokers that make a queue for each subscription name it clientID.name (HornetQ, Artemis, see ARTEMIS-1205).
    open_stored, delete = ConsumerFactory.open_stored, ConsumerFactory._delete

    def joined(key: Any) -> Any:
        return key if key[0] is None else ("", f"{key[0]}.{key[1]}")

    def opened(self: Any, topic: Any, key: Any, *arguments: Any, **keywords: Any) -> Any:
        return open_stored(self, topic, joined(key), *arguments, **keywords)

    patch.replace(ConsumerFactory, "open_stored", opened)
    patch.replace(ConsumerFactory, "_delete", lambda self, key: delete(self, joined(key)))
