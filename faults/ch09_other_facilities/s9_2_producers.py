"""Faults in 9.2: producers of one domain."""

from faults.kit import *

_OF_ONE_DOMAIN = (ReferenceSender, ReferencePublisher)
_DEFAULTS = Options(
    Message.DEFAULT_DELIVERY_MODE,
    Message.DEFAULT_PRIORITY,
    Message.DEFAULT_TIME_TO_LIVE,
    Message.DEFAULT_DELIVERY_DELAY,
)


@saboteur(
    "9.2-22",
    "a QueueSender or TopicPublisher accepts a send that names its own destination",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    own = producer.destination
    if isinstance(producer, _OF_ONE_DOMAIN) and own is not None:
        options = {name: value for name, value in options.items() if name != "destination" or value != own}
    original(producer, message, **options)


@saboteur(
    "9.2-24",
    "a send that names its destination has the defaults, not the options of its QueueSender or TopicPublisher",
    collateral={"9.2-25": "its cases send without options after each send with options"},
    around=(ReferenceProducer, "options"),
)
def _(original, producer, mode, *others):
    nowhere = isinstance(producer, _OF_ONE_DOMAIN) and producer.destination is None
    return _DEFAULTS if mode is OMITTED and nowhere else original(producer, mode, *others)


@saboteur(
    "9.2-25",
    "the mode and priority of a send that names its destination and no time-to-live become those of the QueueSender or TopicPublisher",
    around=(ReferenceProducer, "options"),
)
def _(original, producer, mode, *others):
    made = original(producer, mode, *others)
    nowhere = isinstance(producer, _OF_ONE_DOMAIN) and producer.destination is None
    if mode is not OMITTED and nowhere and not made.time_to_live:
        producer.delivery_mode, producer.priority = made.delivery_mode, made.priority
    return made
