"""Helpers for faults of messages: their bodies, their properties, the conversion of values."""

from faults.kit.common import after_send, as_received
from faults.kit.seams import *


def methods(kind, prefix, *others):
    """Return the names of the methods of an API type that begin with `prefix`, without some others."""
    return [name for name in vars(kind) if name.startswith(prefix) and name not in others]


PROPERTY_SETTERS = [name for name in methods(Message, "set_") if name.endswith("_property")]
"""The methods of a message that set a property."""


def cell(patch, table, target, source, conversion):
    """Change one cell of a conversion table, or remove it."""
    changed = {each: dict(row) for each, row in getattr(conversions, table).items()}
    if conversion is None:
        del changed[target][source]
    else:
        changed[target][source] = conversion
    patch.replace(conversions, table, changed)


def restored(patch, kind, fault):
    """Run `fault` on each received message of a class, with its body."""

    def received(message, delivery):
        if isinstance(message, kind):
            fault(message, delivery.entry.snapshot.body)

    as_received(patch, received)


def sent_body(patch, kind, change):
    """Send another body with messages of a kind; `change` gets the honest one."""

    def sent(sender, message, entry, options):
        if isinstance(message, kind):
            entry.snapshot = entry.snapshot._replace(body=change(entry.snapshot.body))

    after_send(patch, sent)


def provider_property(patch, name, value):
    """Set a provider property on each received message to `value` of the delivery, or remove it if that is None."""

    def fault(message, delivery):
        own = {**message._provider_properties, name: value(delivery)}
        message._provider_properties = {each: given for each, given in own.items() if given is not None}

    as_received(patch, fault)


def delivery_count(patch, change):
    """Set JMSXDeliveryCount to `change` of the honest number, or remove it if that is None."""
    provider_property(patch, "JMSXDeliveryCount", lambda delivery: change(delivery.count))


def in_transit(patch, kind, change):
    """Change properties stored as `kind` on their way; those that `change` maps to Ellipsis are lost."""

    def fault(message, delivery):
        for name, value in list(message._properties.items()):
            if type(value) is kind and not name.startswith("JMS"):
                message._properties[name] = changed = change(value)
                if changed is ...:
                    del message._properties[name]

    as_received(patch, fault)
