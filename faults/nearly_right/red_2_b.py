"""Red round 2, part b: faults in selectors and in the two messaging domains, written without sight of the suite.

Where a fault models a bug of a real broker, its comment names the broker, and the issue where it is known.
"""

import dataclasses
import importlib
import re

from faults.kit import *

_SELECTOR = importlib.import_module("reference_provider.selector.selector")


def _uncached(patch):
    """Compile each selector anew: the cache may hold ones that the sound compiler made."""
    patch.replace(_SELECTOR, "_cached", _SELECTOR._compiled)


def _rewritten(patch, rewrite):
    original = Broker.predicate

    def predicate(self, selector, version):
        return original(self, rewrite(selector) if selector else selector, version)

    patch.replace(Broker, "predicate", predicate)


# --- selectors --------------------------------------------------------------------------------------------------


# RabbitMQ, rabbitmq-jms-topic-exchange #18: the evaluator took LIKE without its escape character.
@of_round(2)(
    "not-like-ignores-escape", "NOT LIKE takes no notice of its ESCAPE clause; LIKE does", "3.8.1.1-89", "3.8.1.1-88"
)
def _not_like_escape(patch):
    original = compiler._Compiler._text_test

    def text_test(self, node, wanted):
        if isinstance(node, Like) and not wanted and node.escape is not None:
            node = dataclasses.replace(node, escape=None)
        return original(self, node, wanted)

    _uncached(patch)
    patch.replace(compiler._Compiler, "_text_test", text_test)


# Artemis, ARTEMIS-1314: conversion between AMQP and core ids lost the prefix in what selectors see.
@of_round(2)(
    "selector-correlation-without-id-prefix",
    "a selector sees a JMSCorrelationID that begins with 'ID:' without these three characters",
    "3.8.1.1-38",
)
def _correlation_prefix(patch):
    original = StoredMessage.selection

    def selection(self):
        view = original(self)
        if str(view.get("JMSCorrelationID", "")).startswith("ID:"):
            view["JMSCorrelationID"] = view["JMSCorrelationID"][3:]
        return view

    patch.replace(StoredMessage, "selection", selection)


# Artemis, ARTEMIS-568: the grammar did not demand the end of the text.
of_round(2)(
    "selector-ends-at-semicolon",
    "what follows a semicolon in a selector is not read",
    "3.8.1.1-104",
    "3.8.1.1-99",
    install=lambda patch: _rewritten(patch, lambda text: re.match(r"(?:[^';]|'[^']*'|')*", text)[0] or text),
)


# Seen in brokers that read every number as a double and cast it.
@of_round(2)(
    "long-literals-lose-their-last-bits",
    "a whole literal beyond 2**53 is rounded as a double is",
    "3.8.1.1-14",
    "3.8.1.1-13",
)
def _rounded_longs(patch):
    original = literals._decimal

    def decimal(digits, negative):
        return Wide(min(int(float(original(digits, negative))), literals.LARGEST_LONG))

    _uncached(patch)
    patch.replace(literals, "_decimal", decimal)


@of_round(2)(
    "in-list-keeps-doubled-quotes", "in the list of IN a doubled quote stays doubled", "3.8.1.1-11", "3.8.1.1-75"
)
def _in_quotes(patch):
    original = compiler._Compiler._text_test

    def text_test(self, node, wanted):
        if isinstance(node, In):
            node = dataclasses.replace(node, texts=tuple(text.replace("'", "''") for text in node.texts))
        return original(self, node, wanted)

    _uncached(patch)
    patch.replace(compiler._Compiler, "_text_test", text_test)


# Oracle AQ: the database stores '' as NULL.
@of_round(2)(
    "empty-property-is-null-in-selectors",
    "IS NULL is true for a property that is the empty String",
    "3.8.1.1-95",
    "3.8.1.1-98",
)
def _empty_is_null(patch):
    original = compiler._simple_test

    def simple_test(node, wanted):
        if isinstance(node, IsNull):
            return f"view.get({node.identifier.name!r}) {'' if wanted else 'not '}in (None, '')"
        return original(node, wanted)

    _uncached(patch)
    patch.replace(compiler, "_simple_test", simple_test)


# ActiveMQ's LogicExpression.createAND: a left operand of null ends the evaluation with null.
@of_round(2)(
    "and-stops-at-unknown-on-the-left",
    "unknown AND false is unknown, false AND unknown is false",
    "3.8.1.2-6",
    "3.8.1.2-13",
)
def _left_unknown(patch):
    original = compiler._Compiler._joined

    def joined(self, node, wanted):
        if wanted or not isinstance(node, And):
            return str(original(self, node, wanted))
        *before, last = node.conditions
        source = self.test(last, False)
        for one in reversed(before):
            source = f"({self.test(one, False)} or ({self.test(one, True)} and {source}))"
        return source

    _uncached(patch)
    patch.replace(compiler._Compiler, "_joined", joined)


of_round(2)(
    "spaces-in-literals-collapse",
    "runs of white space in a selector become one space, in String literals too",
    "3.8.1.1-62",
    install=lambda patch: _rewritten(patch, lambda text: re.sub(r"\s+", " ", text)),
)


# --- queues and browsers ----------------------------------------------------------------------------------------


# ActiveMQ's maxPageSize: a selective consumer starves if the first page of 200 holds nothing for it.
@of_round(2)(
    "selective-consumer-sees-one-page",
    "a consumer with a selector finds no match behind 200 messages that it does not want",
    "3.8.1-2",
    "4.1.2-7",
)
def _one_page(patch):
    original = PriorityLevel.take_matching

    def take_matching(self, consumer, matches):
        page = set(self.free_after(-1, 200))
        return original(self, consumer, lambda number: matches(number) if number in page else False)

    patch.replace(PriorityLevel, "take_matching", take_matching)


# Seen in Qpid: what is given back goes to the end of the list that browsers walk.
@of_round(2)(
    "browser-shows-returned-messages-last", "a browser shows messages that were rolled back after the others", "4.1.6-6"
)
def _returned_last(patch):
    original = ReferenceBrowser.get_enumeration

    def get_enumeration(self):
        seen = original(self)
        seen._seen = iter(sorted(seen._seen, key=lambda one: one.redelivered))
        return seen

    patch.replace(ReferenceBrowser, "get_enumeration", get_enumeration)


@of_round(2)(
    "requestor-keeps-reply-to", "a requestor keeps the JMSReplyTo that the request has already", "4.1.7-2", "4.1.7-1"
)
def _keeps_reply_to(patch):
    original = ReferenceQueueRequestor.request

    def request(self, message):
        if message.jms_reply_to is None:
            return original(self, message)
        self._sender.send(message)
        return answered(self._receiver.receive())

    patch.replace(ReferenceQueueRequestor, "request", request)
