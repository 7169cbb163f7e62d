"""Faults in 3.11.1: clearing a body."""

from faults.kit import *


def _after_clearing(patch, fault):
    original = ReferenceMessage.clear_body

    def clear_body(self):
        entries = dict(getattr(self, "_entries", {}))
        original(self)
        fault(self, entries)

    patch.replace(ReferenceMessage, "clear_body", clear_body)


@saboteur("3.11.1-1", "clearBody keeps one entry of a map", by=_after_clearing)
def _(message, entries):
    if entries:
        message._entries = dict(list(entries.items())[:1])


@saboteur("3.11.1-2", "clearBody of a map clears the properties too", by=_after_clearing)
def _(message, entries):
    if entries:
        message._properties = {}


@saboteur("3.11.1-3", "clearBody clears JMSCorrelationID", by=_after_clearing)
def _(message, entries):
    message.jms_correlation_id = None
