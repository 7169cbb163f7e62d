"""Red round 3, part b: selectors, names, seldom-used members and closing order, written without sight of the suite.

Each fault names the real bug it is modelled on, where there is one. Faults of the selector language bring a fresh cache
of compiled selectors, so that nothing broken outlives the patch.
"""

import struct
from functools import lru_cache
from operator import length_hint

import reference_provider.selector.selector as selector_cache
from faults.kit import *
from reference_provider.selector.compiler import _Compiler


def _fresh_cache(patch):
    patch.replace(selector_cache, "_cached", lru_cache(maxsize=64)(selector_cache._compiled))


def _seen_by_selectors(patch, change):
    original = stored_message.selection  # imported there

    def selection(*arguments, **keywords):
        view = original(*arguments, **keywords)
        changed = {name: change(name, value) for name, value in view.items()}
        return {name: value for name, value in changed.items() if value is not None}

    patch.replace(stored_message, "selection", selection)


@of_round(3)(
    "header-names-translated-within-literals",
    "the name of a header within a string literal of a selector becomes the broker's own name",
    "3.8.1.1-10",
    "3.8.1.1-62",
)
def _translated(patch):
    # A translator of JMS names to the broker's names by text replacement; such translators are in JBoss Messaging,
    # HornetQ and Artemis (SelectorTranslator), which take care of quotes.
    original = literals.string

    def string(token):
        return original(token).replace("JMSPriority", "AMQPriority").replace("JMSMessageID", "AMQUserID")

    patch.replace(literals, "string", string)
    _fresh_cache(patch)


@of_round(3)("like-reads-a-bar-as-or", "in a LIKE pattern with _ a vertical bar means 'or'", "3.8.1.1-84")
def _bar(patch):
    # LIKE by regular expression with a list of characters to be escaped: ARTEMIS-356, AMQ-6137 (special characters).
    original = literals._regex
    patch.replace(literals, "_regex", lambda signs: original(signs).replace("\\|", "|"))
    _fresh_cache(patch)


@of_round(3)(
    "empty-string-is-null-in-selectors", "for selectors a property that is an empty String is NULL", "3.8.1.1-98"
)
def _empty(patch):
    # Oracle's databases take '' for NULL, and message properties in their queues with it.
    _seen_by_selectors(patch, lambda _, value: None if type(value) is str and not value else value)


@of_round(3)(
    "correlation-id-without-prefix-in-selectors",
    "a selector sees a JMSCorrelationID that begins with 'ID:' without this prefix",
    "3.8.1.1-38",
)
def _prefix(patch):
    # AMQP carries ids without 'ID:'; ARTEMIS-1314 (selectors on JMSCorrelationID, conversion of ids).
    _seen_by_selectors(patch, lambda name, value: value.removeprefix("ID:") if name == "JMSCorrelationID" else value)


@of_round(3)(
    "durable-subscriptions-cannot-select-by-message-id",
    "for the selector of a durable subscription JMSMessageID is NULL",
    "3.8.1.1-36",
    "4.2.2-4",
)
def _no_id(patch):
    # ARTEMIS-842: JMSMessageID does not work in a selector.
    original = Subscription.wants

    def wants(self, entry):
        if not self.durable or self.matches is None:
            return original(self, entry)
        view = {name: value for name, value in entry.selection().items() if name != "JMSMessageID"}
        return self.is_foreign(entry) and self.matches.selector.matches(view)

    patch.replace(Subscription, "wants", wants)


@of_round(3)(
    "float-properties-widened-through-text",
    "for selectors a float becomes a double by its decimal text: 0.1f equals 0.1",
    "3.8.1.1-54",
    by=_seen_by_selectors,
)
def _(_, value):
    if type(value) is not Single or value in (float("inf"), float("-inf")) or value != value:  # noqa: PLR0124 - NaN
        return value
    texts = (f"{value:.{digits}g}" for digits in range(1, 18))
    return next(float(text) for text in texts if struct.pack("f", float(text)) == struct.pack("f", value))


@of_round(3)(
    "between-swaps-reversed-bounds", "BETWEEN whose lower literal is the greater one swaps the two", "3.8.1.1-70"
)
def _reversed(patch):
    original = _Compiler._range

    def in_order(self, node, wanted):
        if isinstance(node, Between) and isinstance(node.low, NumberLiteral) and isinstance(node.high, NumberLiteral):
            node = Between(node.operand, *sorted((node.low, node.high), key=lambda literal: literal.value))
        return original(self, node, wanted)

    patch.replace(_Compiler, "_range", in_order)
    _fresh_cache(patch)


@of_round(3)(
    "selector-of-second-shared-consumer-unknown",
    "the second consumer of a shared non-durable subscription reports no selector",
    "3.8.1.1-3",
)
def _getter(patch):
    original = ConsumerFactory.open_shared

    def open_shared(self, *arguments):
        receiver = original(self, *arguments)
        if receiver.subscription.consumers > 1:
            receiver.selector = None
        return receiver

    patch.replace(ConsumerFactory, "open_shared", open_shared)


# --- domain-specific sessions and requestors ------------------------------------------------------------------


@of_round(3)(
    "queue-session-common-consumer-takes-all",
    "the consumer that a QueueSession makes by createConsumer ignores its selector",
    "4.1.2-5",
    "2.10-1",
    "3.8.1-1",
)
def _common(patch):
    def create_consumer(self, destination, message_selector=OMITTED, no_local=OMITTED):
        self.broker.predicate(selector_text(message_selector), self.model.version)
        made = self.create_receiver(destination)
        made.receiver.selector = selector_text(message_selector)
        return made

    patch.replace(ReferenceQueueSession, "create_consumer", create_consumer)


@of_round(3)(
    "topic-session-unsubscribe-only-empties",
    "unsubscribe of a TopicSession empties the durable subscription, which goes on collecting",
    "2.9-7",
    "4.2.9-3",
)
def _empties(patch):
    original = ReferenceTopicSession.unsubscribe

    def unsubscribe(self, name):
        subscriptions = self.broker.subscriptions
        found = subscriptions.durable((self.connection.client_id_or_none, name or ""))
        original(self, name)
        with subscriptions.naming:
            terms = Terms(found.delivery_queue.physical, found.selector, found.no_local)
            subscriptions.store(found.key, terms, found.matches, shared=found.shared, replaced=None)

    patch.replace(ReferenceTopicSession, "unsubscribe", unsubscribe)


@of_round(3)(
    "closing-a-receiver-acknowledges",
    "closing a QueueReceiver before its CLIENT_ACKNOWLEDGE session acknowledges what it has received",
    "2.9-8",
)
def _acknowledges(patch):
    original = ReferenceReceiver.close

    def close(self):
        state = self.session.state
        if not self.closed and self.session.mode == Session.CLIENT_ACKNOWLEDGE:
            with self.session.broker.lock:
                own = [one for one in state.unacknowledged if one.consumer is self]
                state.unacknowledged = [one for one in state.unacknowledged if one not in own]
            state.acknowledge(own, durable=True)
        original(self)

    patch.replace(ReferenceReceiver, "close", close)


@of_round(3)("requestor-keeps-a-preset-reply-to", "a QueueRequestor leaves a JMSReplyTo that is set already", "4.1.7-2")
def _preset(patch):
    # The program of datastax/pulsar-jms#9 sets JMSReplyTo before it hands the request over.
    original = ReferenceQueueRequestor.request

    def request(self, message):
        if message.jms_reply_to is None:
            return original(self, message)
        self._sender.send(message)
        return answered(self._receiver.receive())

    patch.replace(ReferenceQueueRequestor, "request", request)


@of_round(3)(
    "requestor-leaves-a-queue-with-late-replies",
    "closing a QueueRequestor does not delete its temporary queue if a late reply is in it",
    "4.1.7-5",
)
def _late(patch):
    # datastax/pulsar-jms#9: the temporary queue of a requestor cannot be deleted when it is closed.
    original = ReferenceQueueRequestor.close

    def close(self):
        broker = self._session.broker
        if broker.pending(self._reply_queue):
            self._session.close()
        else:
            original(self)

    patch.replace(ReferenceQueueRequestor, "close", close)


# --- temporary destinations -----------------------------------------------------------------------------------


@of_round(3)(
    "temporary-topic-with-shared-consumer-deleted",
    "a temporary topic can be deleted while a consumer of a shared subscription uses it",
    "4.2.7-9",
)
def _shared_use(patch):
    # Deletion is left to a check that counts the subscribers of one kind only.
    original = TemporaryDestinations.delete

    def delete(self, destination):
        with self.broker.lock:
            physical = self._physical.get(destination)
            if isinstance(physical, PhysicalTopic) and all(one.shared for one in physical.subscriptions):
                self._remove(destination, physical)
                return
        original(self, destination)

    patch.replace(TemporaryDestinations, "delete", delete)


@of_round(3)(
    "temporary-queue-bound-to-its-context",
    "another JMSContext of the same connection cannot consume from a temporary queue",
    "4.1.5-6",
)
def _bound(patch):
    # The owner is compared by session where it should be by connection; compare apache/activemq#1722.
    makers = {}
    create_queue, create_consumer = ReferenceContext.create_temporary_queue, ReferenceContext.create_consumer

    def create_temporary_queue(self):
        made = create_queue(self)
        makers[made.queue_name] = self
        return made

    def consumer(self, destination, *arguments, **keywords):
        if isinstance(destination, TemporaryQueue) and makers.get(destination.queue_name, self) is not self:
            raise InvalidDestinationRuntimeException(f"{destination} belongs to another context")
        return create_consumer(self, destination, *arguments, **keywords)

    patch.replace(ReferenceContext, "create_temporary_queue", create_temporary_queue)
    patch.replace(ReferenceContext, "create_consumer", consumer)


@of_round(3)(
    "second-enumeration-continues-the-first",
    "getEnumeration returns the former enumeration while that one is not at its end",
    "4.1.6-10",
)
def _continues(patch):
    # One cursor for each browser, as where a browser is a consumer in disguise.
    former = {}
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        fresh = original(self)
        _, last = former.get(id(self), (self, None))
        if last is not None and length_hint(last._seen):
            return last
        former[id(self)] = (self, fresh)
        return fresh

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(3)(
    "selective-browser-ignores-priority",
    "the enumeration of a browser with a selector is in the order of arrival, whatever the priorities",
    "4.1.6-6",
)
def _by_arrival(patch):
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        made = original(self)
        if self._selector:
            made._seen = iter(sorted(made._seen, key=lambda one: one.entry.number))
        return made

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


# --- contexts and subscriptions -------------------------------------------------------------------------------
of_round(3)(
    "context-unsubscribe-throws-checked",
    "unsubscribe of a JMSContext reports an unknown name by the checked exception",
    "2.8.2-8",
    install=lambda patch: patch.replace(
        ReferenceContext, "unsubscribe", lambda self, name: self.session.unsubscribe(name)
    ),
)


@of_round(3)(
    "receive-body-does-not-settle-durable",
    "what receiveBody took from a durable subscription in AUTO_ACKNOWLEDGE comes again to its next consumer",
    "4.2.2-22",
    "4.2.11-5",
)
def _unsettled(patch):
    # receiveBody as a later addition with an acknowledgement of its own; compare AMQ-8464.
    owed = {}
    hand_out_body, detach = ReferenceConsumer.hand_out_body, ReferenceConsumer.detach

    def body(self, delivery, read):
        subscription = self.receiver.subscription
        if subscription is None or not subscription.durable or self.session.mode != Session.AUTO_ACKNOWLEDGE:
            return hand_out_body(self, delivery, read)
        result = read(self.session.message_of(delivery))
        owed.setdefault(id(self), (self, []))[1].append(delivery)
        return result

    def leave(self):
        for delivery in owed.pop(id(self), (self, []))[1]:
            self.session.state.cancel_delivery(delivery)
        detach(self)

    patch.replace(ReferenceConsumer, "hand_out_body", body)
    patch.replace(ReferenceConsumer, "detach", leave)


@of_round(3)(
    "client-identifier-and-name-joined-by-a-dot",
    "subscription b.c of client a and subscription c of client a.b are one",
    "4.2.2-25",
    "4.2.4-4",
)
def _joined(patch):
    # Brokers that make a queue for each subscription name it clientID.name (HornetQ, Artemis, see ARTEMIS-1205).
    open_stored, delete = ConsumerFactory.open_stored, ConsumerFactory._delete

    def joined(key):
        return key if key[0] is None else ("", f"{key[0]}.{key[1]}")

    def opened(self, topic, key, *arguments, **keywords):
        return open_stored(self, topic, joined(key), *arguments, **keywords)

    patch.replace(ConsumerFactory, "open_stored", opened)
    patch.replace(ConsumerFactory, "_delete", lambda self, key: delete(self, joined(key)))
