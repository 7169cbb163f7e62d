"""What inside.py sends: a message of another provider, and objects."""

import enum
from dataclasses import dataclass

from tck import api


class Colour(enum.Enum):
    RED = 1


@dataclass(frozen=True)
class Order:
    number: int
    lines: tuple[str, ...]


class Foreign(api.TextMessage):
    """A message of another provider, as far as sending one goes."""

    def __init__(self):
        self.set = {}

    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


for header in ("jms_message_id", "jms_timestamp", "jms_correlation_id", "jms_reply_to", "jms_destination", "jms_type"):
    setattr(
        Foreign,
        header,
        property(lambda self, n=header: self.set.get(n), lambda self, v, n=header: self.set.update({n: v})),
    )
for header in ("jms_timestamp", "jms_delivery_mode", "jms_expiration", "jms_delivery_time", "jms_priority"):
    setattr(
        Foreign,
        header,
        property(lambda self, n=header: self.set.get(n, 0), lambda self, v, n=header: self.set.update({n: v})),
    )
Foreign.jms_redelivered = property(lambda self: False, lambda self, value: None)
Foreign.jms_correlation_id_as_bytes = property(lambda self: None, lambda self, value: None)
Foreign.text = property(lambda self: "from elsewhere", lambda self, value: None)
Foreign.get_property_names = lambda self: iter(["count"])
Foreign.get_object_property = lambda self, name: api.Int(5) if name == "count" else None
Foreign.property_exists = lambda self, name: name == "count"
Foreign.__abstractmethods__ = frozenset()
