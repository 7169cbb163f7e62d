"""Faults in 9.2: producers of one domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.domain_specific import ReferencePublisher, ReferenceSender
from reference_provider.client.producers import Options, ReferenceProducer
from tck.api import OMITTED, Message

_OF_ONE_DOMAIN = (ReferenceSender, ReferencePublisher)
_DEFAULTS = Options(
    Message.DEFAULT_DELIVERY_MODE,
    Message.DEFAULT_PRIORITY,
    Message.DEFAULT_TIME_TO_LIVE,
    Message.DEFAULT_DELIVERY_DELAY,
)


@saboteur("9.2-22", "a QueueSender or TopicPublisher accepts a send that names its own destination")
def _(patch: Patch) -> None:
    def send(original: Callable[..., None], producer: ReferenceProducer, message: Message, **options: Any) -> None:
        own = producer.destination
        if isinstance(producer, _OF_ONE_DOMAIN) and own is not None:
            options = {name: value for name, value in options.items() if name != "destination" or value != own}
        original(producer, message, **options)

    around(patch, ReferenceProducer, "send", send)


@saboteur(
    "9.2-24",
    "a send that names its destination has the defaults, not the options of its QueueSender or TopicPublisher",
    collateral={"9.2-25": "its cases send without options after each send with options"},
)
def _(patch: Patch) -> None:
    def options(original: Callable[..., Options], producer: ReferenceProducer, mode: Any, *others: Any) -> Options:
        nowhere = isinstance(producer, _OF_ONE_DOMAIN) and producer.destination is None
        return _DEFAULTS if mode is OMITTED and nowhere else original(producer, mode, *others)

    around(patch, ReferenceProducer, "options", options)


@saboteur(
    "9.2-25",
    "the mode and priority of a send that names its destination and no time-to-live become those of the QueueSender or TopicPublisher",
)
def _(patch: Patch) -> None:
    def options(original: Callable[..., Options], producer: ReferenceProducer, mode: Any, *others: Any) -> Options:
        made = original(producer, mode, *others)
        nowhere = isinstance(producer, _OF_ONE_DOMAIN) and producer.destination is None
        if mode is not OMITTED and nowhere and not made.time_to_live:
            producer.delivery_mode, producer.priority = made.delivery_mode, made.priority
        return made

    around(patch, ReferenceProducer, "options", options)
