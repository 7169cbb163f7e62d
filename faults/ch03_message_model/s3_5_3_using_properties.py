"""Faults in 3.5.3: sending properties, and changing received ones."""

from faults.kit import *


@saboteur("3.5.3-1", "only the first twenty properties arrive", by=as_received)
def _(message, delivery):
    message._properties = dict(list(message._properties.items())[:20])


@saboteur(
    "3.5.3-2", "setObjectProperty succeeds on received messages", around=(ReferenceMessage, "set_object_property")
)
def _(original, self, name, value):
    guarded, self._properties_writable = self._properties_writable, True
    try:
        original(self, name, value)
    finally:
        self._properties_writable = guarded
