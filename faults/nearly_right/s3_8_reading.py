"""Narrow faults of what selectors read: literals, identifiers and the values of messages (3.8.1)."""

import re
import struct
from dataclasses import replace

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "selector-for-non-persistent",
    "a selector of a subscription lets NON_PERSISTENT messages through",
    "3.8.1-1",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    if entry.delivery_mode == DeliveryMode.NON_PERSISTENT:
        return subscription.is_foreign(entry)
    return original(subscription, entry)


# OpenMQ, openmq #167 and #196.
@of_round(2)(
    "empty-selector-of-durable-selects-nothing",
    "a durable subscription created with the selector '' gets no messages",
    "3.8.1.1-1 4.2.2-2",
    around=(ConsumerFactory, "open_stored"),
)
def _(original, self, topic, key, selector, no_local, *, shared):
    receiver = original(self, topic, key, selector, no_local, shared=shared)
    if selector == "" and receiver.subscription is not None:
        receiver.subscription.matches = lambda _: False
    return receiver


@of_round(5)(
    "empty-selector-begins-a-durable-subscription-anew",
    "a durable subscription made without a selector is replaced when its consumer comes back with an empty one",
    "3.8.1.1-1 4.2.2-22",
    at=fault_points.SUBSCRIPTION_STORED,
)
def _(original, factory, topic, key, selector, no_local, *, shared):
    found = factory.broker.subscriptions.durable(key)
    if selector == "" and found is not None and found.selector is None and not found.consumers:
        factory.broker.subscriptions.delete(found)
    return original(factory, topic, key, selector, no_local, shared=shared)


@of_round(3)(
    "selector-of-second-shared-consumer-unknown",
    "the second consumer of a shared non-durable subscription reports no selector",
    "3.8.1.1-3",
    around=(ConsumerFactory, "open_shared"),
)
def _(original, self, *arguments):
    receiver = original(self, *arguments)
    if receiver.subscription.consumers > 1:
        receiver.selector = None
    return receiver


@of_round(3)(
    "header-names-translated-within-literals",
    "the name of a header within a string literal of a selector becomes the broker's own name",
    "3.8.1.1-10 3.8.1.1-62",
)
def _(patch):
    # A translator of JMS names to the broker's names by text replacement; such translators are in JBoss Messaging,
    # HornetQ and Artemis (SelectorTranslator), which take care of quotes.

    def string(original, token):
        return original(token).replace("JMSPriority", "AMQPriority").replace("JMSMessageID", "AMQUserID")

    patch.around(literals, "string", string)
    uncached(patch)


@of_round(2)(
    "in-list-keeps-doubled-quotes",
    "in the list of IN a doubled quote stays doubled",
    "3.8.1.1-11 3.8.1.1-75",
    by=trees_rewritten,
)
@of_round(7)(
    "quotes-in-lists-stay-doubled",
    "in the list of an IN condition a doubled quote is not read as one, as it is in other string literals",
    "3.8.1.1-11 3.8.1.1-75",
    by=trees_rewritten,
)
def _(node):
    if isinstance(node, In):
        return replace(node, texts=tuple(text.replace("'", "''") for text in node.texts))
    return node


@nearly_right("longs-as-doubles", "selectors compare large whole numbers as double", "3.8.1.1-14 3.8.1.1-50 3.8.1.1-54")
def _(patch):
    def rounded(value):
        return Wide(int(float(value))) if isinstance(value, int) and abs(value) > 2**53 else value

    def change(values, entry):
        values.update({name: rounded(value) for name, value in values.items()})

    seen(change)(patch)


# Seen in brokers that read every number as a double and cast it.
@of_round(2)(
    "long-literals-lose-their-last-bits",
    "a whole literal beyond 2**53 is rounded as a double is",
    "3.8.1.1-14 3.8.1.1-13",
)
def _(patch):
    def decimal(original, digits, negative):
        return Wide(min(int(float(original(digits, negative))), literals.LARGEST_LONG))

    uncached(patch)
    patch.around(literals, "_decimal", decimal)


_NOT_GLUED = re.compile(r"'(?:[^']|'')*'|(?<![\w$])(not)(?=[a-z])", re.IGNORECASE)


@of_round(8)(
    "selector-splits-identifiers-after-not",
    "in a selector an identifier that begins with NOT, such as note or NOTICE, is read as NOT and an identifier",
    "3.8.1.1-25 3.8.1-2",
)
def _(patch):
    def split(found):
        return f"{found[1]} " if found[1] else found[0]

    def compile_selector(original, text, *others):
        return original(text and _NOT_GLUED.sub(split, text), *others)

    patch.at(fault_points.SELECTOR_COMPILED, compile_selector)


@nearly_right(
    "selectors-mixed-up",
    "a selector that differs from an earlier one only in case is evaluated as the earlier one",
    "3.8.1.1-32 3.8.1.1-61",
)
def _(patch):
    known = {}

    def compiled(original, text, version):
        key = (text.lower(), version)
        if key not in known:
            known[key] = original(text, version)
        return known[key]

    patch.at(fault_points.SELECTOR_COMPILED, compiled)


@of_round(5)(
    "selector-sees-the-delivery-mode-of-the-producer",
    "a selector sees the producer's JMSDeliveryMode even if the send was given another one as argument",
    "3.8.1.1-34 3.8.1.3-1",
    by=after_send,
)
def _(producer, _, entry, options):
    if options.delivery_mode != producer._delivery_mode:
        view = entry.selection()
        entry._selection = {**view, "JMSDeliveryMode": MODE_NAMES[producer._delivery_mode]}


@of_round(3)(
    "durable-subscriptions-cannot-select-by-message-id",
    "for the selector of a durable subscription JMSMessageID is NULL",
    "3.8.1.1-36 4.2.2-4",
    around=(Subscription, "wants"),
)
def _(original, self, entry):
    # ARTEMIS-842: JMSMessageID does not work in a selector.
    if not self.durable or self.matches is None:
        return original(self, entry)
    view = {name: value for name, value in entry.selection().items() if name != "JMSMessageID"}
    return self.is_foreign(entry) and self.matches.selector.matches(view)


@of_round(8)(
    "selector-takes-timestamp-zero-for-absent",
    "for a selector JMSTimestamp is NULL, not 0, if the producer has disabled timestamps",
    "3.8.1.1-37 3.8.1-2",
    at=fault_points.VALUES_SELECTED,
)
def _(original, entry):
    view = original(entry)
    return view if entry.timestamp else {name: value for name, value in view.items() if name != "JMSTimestamp"}


# Artemis, ARTEMIS-1314: conversion between AMQP and core ids lost the prefix in what selectors see.
@of_round(2)(
    "selector-correlation-without-id-prefix",
    "a selector sees a JMSCorrelationID that begins with 'ID:' without these three characters",
    "3.8.1.1-38",
    around=(StoredMessage, "selection"),
)
def _(original, self):
    view = original(self)
    if str(view.get("JMSCorrelationID", "")).startswith("ID:"):
        view["JMSCorrelationID"] = view["JMSCorrelationID"][3:]
    return view


@of_round(3)(
    "correlation-id-without-prefix-in-selectors",
    "a selector sees a JMSCorrelationID that begins with 'ID:' without this prefix",
    "3.8.1.1-38",
)
def _(patch):
    # AMQP carries ids without 'ID:'; ARTEMIS-1314 (selectors on JMSCorrelationID, conversion of ids).
    seen_by_selectors(patch, lambda name, value: value.removeprefix("ID:") if name == "JMSCorrelationID" else value)


@of_round(5)(
    "selector-sees-correlated-ids-without-prefix",
    "a selector sees a JMSCorrelationID that is a message id without its 'ID:'",
    "3.8.1.1-38",
    at=fault_points.VALUES_SELECTED,
)
def _(original, entry):
    view = original(entry)
    correlation = view.get("JMSCorrelationID", "")
    if not correlation.startswith("ID:"):
        return view
    return {**view, "JMSCorrelationID": correlation.removeprefix("ID:")}


@of_round(7)(
    "subscriptions-select-without-group-properties",
    "the selector of a subscription takes JMSX properties, such as JMSXGroupID, for absent; those of queues see them",
    "3.8.1.1-42 3.5.9-17 4.2.2-4",
    at=fault_points.SUBSCRIPTION_MATCHED,
)
def _(original, subscription, entry):
    matches = subscription.matches
    if not isinstance(matches, SelectorPredicate):
        return original(subscription, entry)
    view = {name: value for name, value in entry.selection().items() if not name.startswith("JMSX")}
    return subscription.is_foreign(entry) and matches.selector.matches(view)


@of_round(5)(
    "not-before-like-takes-in-what-follows",
    "NOT before a LIKE condition without brackets negates all conditions that AND joins to it on the right",
    "3.8.1.1-48",
)
def _(patch):
    greedy = re.compile(r"(?<!\()\bnot\s+[^\W\d][\w$]*\s+like\b", re.IGNORECASE)

    def rewrite(text, tree):
        if isinstance(tree, And) and greedy.search(text):
            for position, node in enumerate(tree.conditions[:-1]):
                if isinstance(node, Not) and isinstance(node.condition, Like):
                    negated = Not(And((node.condition, *tree.conditions[position + 1 :])))
                    return And((*tree.conditions[:position], negated)) if position else negated
        return tree

    rewriting(patch, rewrite)


@of_round(3)(
    "float-properties-widened-through-text",
    "for selectors a float becomes a double by its decimal text: 0.1f equals 0.1",
    "3.8.1.1-54",
    by=seen_by_selectors,
)
def _(_, value):
    if type(value) is not Single or value in (float("inf"), float("-inf")) or value != value:  # noqa: PLR0124 - NaN
        return value
    texts = (f"{value:.{digits}g}" for digits in range(1, 18))
    return next(float(text) for text in texts if struct.pack("f", float(text)) == struct.pack("f", value))


of_round(2)(
    "spaces-in-literals-collapse",
    "runs of white space in a selector become one space, in String literals too",
    "3.8.1.1-62",
    install=lambda patch: text_rewritten(patch, lambda text: re.sub(r"\s+", " ", text)),
)


# ActiveMQ's maxPageSize: a selective consumer starves if the first page of 200 holds nothing for it.
@of_round(2)(
    "selective-consumer-sees-one-page",
    "a consumer with a selector finds no match behind 200 messages that it does not want",
    "3.8.1-2 4.1.2-7",
    around=(PriorityLevel, "take_matching"),
)
def _(original, self, consumer, matches):
    page = set(self.free_after(-1, 200))
    return original(self, consumer, lambda number: matches(number) if number in page else False)
