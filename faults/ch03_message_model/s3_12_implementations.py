"""Faults in 3.12: messages of another implementation."""

from faults.kit import *


@saboteur(
    "3.12-1",
    "send refuses messages of other implementations",
    collateral={
        "3.12-10": "it sends messages of another implementation",
        "3.12-12": "it sends messages of another implementation",
        "3.12-9": "it sends messages of another implementation",
    },
    at=fault_points.SEND_PREPARED,
)
def _(original, producer, message, destination, options):
    if not isinstance(message, ReferenceMessage):
        raise JMSException(f"{type(message).__name__} is not a class of this provider")
    return original(producer, message, destination, options)


@saboteur(
    "3.12-2",
    "the body of a stream message of another implementation is lost",
    collateral={"3.12-10": "it sends stream messages of another implementation"},
    by=after_send,
)
def _(sender, message, entry, options):
    if isinstance(message, StreamMessage) and not isinstance(message, ReferenceMessage):
        entry.snapshot = entry.snapshot._replace(body=())


@saboteur(
    "3.12-3",
    "the properties of messages of other implementations are lost",
    collateral={"3.12-12": "it reads properties of messages of another implementation"},
    by=after_send,
)
def _(sender, message, entry, options):
    if not isinstance(message, ReferenceMessage):
        own = {name: value for name, value in entry.snapshot.properties.items() if name.startswith("JMSX")}
        entry.snapshot = entry.snapshot._replace(properties=own)
