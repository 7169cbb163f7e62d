"""Narrow faults of section 7.4."""

import contextlib
from dataclasses import replace
from typing import Any

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(6)(
    "time-to-live-ignored-with-destination-argument",
    "a send that names its destination and gives a time-to-live uses the producer's time-to-live instead",
    "7.4-7 7.8-1 3.4.9-1 3.4.9-5 3.4.11-9",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    given = {name for name, value in options.items() if value is not OMITTED}
    if {"destination", "time_to_live"} <= given and "completion_listener" not in given:
        options["time_to_live"] = producer._time_to_live
    original(producer, message, **options)


@of_round(11)(
    "failed-send-leaves-its-options",
    "a send with options to a destination that does not exist any more throws, and leaves its priority on the producer",
    "7.4-8 7.4-2 7.4-11",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **named):
    try:
        original(producer, message, **named)
    except InvalidDestinationException:
        priority = named.get("priority", OMITTED)
        if priority is not OMITTED:
            producer.priority = priority
        raise


@of_round(14)(
    "fourteen-b-zero-life-async",
    "A time to live of 0 given in an asynchronous send does not override the producer's own.",
    "7.4-9 7.4-7 3.4.9-5",
    at=fault_points.SENT_ASYNCHRONOUSLY,
)
def _(original, producer, message, destination, options, *others):
    options = replace(options, time_to_live=options.time_to_live or producer._time_to_live)
    original(producer, message, destination, options, *others)


@nearly_right(
    "producer-inherits-priority", "a new producer has the priority of the one closed last in its session", "7.4-10"
)
def _(patch):
    left = dict[object, int]()

    def closed(close, self):
        left[self.session] = self._priority
        close(self)

    def created(create, self, destination):
        made = create(self, destination)
        made.priority = left.get(self, made.priority)
        return made

    patch.around(ReferenceProducer, "close", closed)
    patch.around(ReferenceSession, "create_producer", created)


@of_round(6)(
    "new-producer-has-the-delay-of-a-closed-one",
    "a producer made after another of the session for the same destination was closed starts with its delivery delay",
    "7.4-10 7.4-4",
)
def _(patch):
    kept = {}

    def close(original, producer):
        was_open = not producer.closed
        original(producer)
        if was_open and producer._delivery_delay:
            kept[producer.session, producer._destination] = producer._delivery_delay

    def add_producer(original, session, producer):
        producer._delivery_delay = kept.pop((session, producer._destination), producer._delivery_delay)
        return original(session, producer)

    patch.around(ReferenceProducer, "close", close)
    patch.around(ReferenceSession, "add_producer", add_producer)


def _when_refused(patch, owner, name, then):
    """Do something more when a property of a type refuses a value; it raises all the same."""
    original = vars(owner)[name]

    def set_value(self, value):
        try:
            original.fset(self, value)
        except JMSException:
            then(self, value)
            raise

    patch.replace(owner, name, property(original.fget, set_value))


@nearly_right(
    "refused-priority-resets-lifetime",
    "a priority that is refused gives the producer a time to live of a minute",
    "7.4-13",
    by=lambda patch, made: _when_refused(patch, ReferenceProducer, "priority", made),
)
def _(producer, _):
    producer.time_to_live = 60_000


@nearly_right(
    "refused-setting-resets-siblings",
    "a priority that is refused resets the other producers of its session to the defaults",
    "7.4-13",
)
def _(patch):
    made = list[Any]()

    def create(original, session, *arguments):
        producer = original(session, *arguments)
        made[:] = [*(each for each in made if not each.closed), producer]
        return producer

    def reset(producer, _):
        for other in [each for each in made if each is not producer and each.session is producer.session]:
            with contextlib.suppress(JMSException):
                other.priority, other.time_to_live = 4, 0

    patch.around(ReferenceSession, "create_producer", create)
    _when_refused(patch, ReferenceProducer, "priority", reset)
