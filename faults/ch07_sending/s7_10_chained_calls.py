"""Faults in 7.10: calls of a JMSProducer that can be chained."""

from faults.kit import *


def _returns_another(patch, name):
    """Return a new JMSProducer from a call, in place of its own."""
    original = getattr(ReferenceJMSProducer, name)

    def call(self, *arguments, **options):
        original(self, *arguments, **options)
        return ReferenceJMSProducer(self._session)

    patch.replace(ReferenceJMSProducer, name, call)


saboteur(
    "7.10-1",
    "setDisableMessageID returns another JMSProducer",
    lambda patch: _returns_another(patch, "set_disable_message_id"),
)
saboteur(
    "7.10-2", "clearProperties returns another JMSProducer", lambda patch: _returns_another(patch, "clear_properties")
)
saboteur(
    "7.10-3", "setJMSReplyTo returns another JMSProducer", lambda patch: _returns_another(patch, "set_jms_reply_to")
)
saboteur("7.10-4", "send returns another JMSProducer", lambda patch: _returns_another(patch, "send"))
