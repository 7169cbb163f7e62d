"""Faults in 3.5.7: clearing properties."""

from faults.kit import *


def _clearing(patch, fault):
    """Run `fault` after properties are cleared, with the message and its former properties."""
    original = ReferenceMessage.clear_properties

    def clear_properties(self):
        before = dict(self._properties)
        original(self)
        fault(self, before)

    patch.replace(ReferenceMessage, "clear_properties", clear_properties)


@saboteur("3.5.7-1", "clearProperties keeps the first property", by=_clearing)
def _(message, before):
    message._properties.update(list(before.items())[:1])


@saboteur("3.5.7-2", "properties of a received message stay read-only after clearProperties", by=_clearing)
def _(message, before):
    message._properties_writable = message._acknowledge is None


saboteur(
    "3.5.7-3",
    "clearProperties clears the body too",
    lambda patch: _clearing(patch, lambda message, before: message.clear_body()),
)
saboteur(
    "3.5.7-4",
    "clearProperties resets JMSType",
    lambda patch: _clearing(patch, lambda message, before: setattr(message, "jms_type", None)),
)
