"""Faults in 3.8.1: the messages that a consumer with a selector gets."""

from collections.abc import Mapping

from faults.kit import *


def _choosing(patch, fault):  # makes a predicate of a predicate
    """Replace the predicates of queue consumers."""

    def receiver(original, factory, physical, text, matches, kept):
        faulty = matches is not None and isinstance(physical, PhysicalQueue)
        return original(factory, physical, text, fault(matches) if faulty else matches, kept)

    patch.at(fault_points.SUBSCRIPTION_OPENED, receiver)


@saboteur("3.8.1-1", "a selector is applied only until it has chosen one message", by=_choosing)
def _(matches):
    found = []

    def faulty(entry):
        if not found and matches(entry):
            found.append(entry)
        return bool(found)

    return faulty


@saboteur("3.8.1-2", "a message behind two that were not chosen is not looked at", by=_choosing)
def _(matches):
    passed = {}
    hidden = {}

    def faulty(entry):
        if id(entry) in hidden:
            return False
        if not matches(entry):
            passed[id(entry)] = entry
            return False
        if len(passed) == 2:
            hidden[id(entry)] = entry
        passed.clear()
        return id(entry) not in hidden

    return faulty


def _map_entries(values, entry):
    body = entry.snapshot.body
    if isinstance(body, Mapping):
        values.update({name: selector_value(value) for name, value in body.items() if name not in values})


def _priority_alone(walker, node):
    for each in node.conditions:
        if isinstance(each, Comparison) and each.left == Identifier("JMSPriority"):
            return walker.condition(each)
    return NotImplemented


table(
    ("3.8.1-3", "selectors see the entries of a MapMessage as properties", seen(_map_entries)),
    ("3.8.1-4", "a condition on JMSPriority hides the conditions joined to it", walked(and_=_priority_alone)),
)
