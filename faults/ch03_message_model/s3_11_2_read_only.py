"""Faults in 3.11.2: read-only bodies."""

from faults.kit import *


def _writable_all_the_same(fault):
    """Return a setter or a method that writes into a read-only body."""

    def write(self, *arguments):
        writable, self._writable = self._writable, True
        try:
            fault(self, *arguments)
        finally:
            self._writable = writable

    return write


def _writes(patch, owner, name):
    """Let one method write into a read-only body."""
    patch.replace(owner, name, _writable_all_the_same(getattr(owner, name)))


def _settable(patch, owner, name):
    """Let a read-only body be set."""
    honest = getattr(owner, name)
    patch.replace(owner, name, property(honest.fget, _writable_all_the_same(honest.fset)))


saboteur(
    "3.11.2-1",
    "the text of a received message can be set",
    lambda patch: _settable(patch, ReferenceTextMessage, "text"),
)
saboteur(
    "3.11.2-2", "setObject succeeds on a received map", lambda patch: _writes(patch, ReferenceMapMessage, "set_object")
)
saboteur(
    "3.11.2-3",
    "the object of a received message can be set",
    lambda patch: _settable(patch, ReferenceObjectMessage, "object"),
)
saboteur(
    "3.11.2-4",
    "writeObject succeeds on a received stream",
    lambda patch: _writes(patch, ReferenceStreamMessage, "write_object"),
)


@saboteur("3.11.2-5", "writeBytes of a part succeeds on received bytes", around=(ReferenceBytesMessage, "write_bytes"))
def _(original, self, value, offset=OMITTED, length=OMITTED):
    if self._written is not None or offset is OMITTED:
        original(self, value, offset, length)


@saboteur("3.11.2-6", "received bytes stay read-only after clearBody", around=(ReferenceBytesMessage, "clear_body"))
def _(original, self):
    original(self)
    if self._acknowledge is not None:
        self.reset()
