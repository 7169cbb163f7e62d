"""Refused calls that leave a trace: the call raises as it must, and something else has changed."""

import contextlib
from typing import Any

from faults.kit import *


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
def _siblings(patch):
    made = list[Any]()

    def create(original, session, *arguments):
        producer = original(session, *arguments)
        made[:] = [*(each for each in made if not each.closed), producer]
        return producer

    def reset(producer, _):
        for other in [each for each in made if each is not producer and each.session is producer.session]:
            with contextlib.suppress(JMSException):
                other.priority, other.time_to_live = 4, 0

    around(patch, ReferenceSession, "create_producer", create)
    _when_refused(patch, ReferenceProducer, "priority", reset)


@nearly_right(
    "refused-consumer-closes-others", "a selector that is refused closes the other consumers of the session", "10.3-21"
)
def _consumers(patch):
    opened = list[tuple[ReferenceSession, MessageConsumer]]()
    original = ReferenceSession.create_consumer

    def add(add_one, session, consumer):
        opened[:] = [*(each for each in opened if not each[0].closed), (session, consumer)]
        return add_one(session, consumer)

    def create_consumer(self, *arguments, **named):
        try:
            return original(self, *arguments, **named)
        except JMSException:
            for session, consumer in opened:
                if session is self:
                    consumer.close()
            raise

    patch.at(fault_points.CONSUMER_ADDED, add)
    patch.replace(ReferenceSession, "create_consumer", create_consumer)


@nearly_right("refused-property-forgets-type", "a property that is refused changes JMSType", "3.5.5-2")
def _type(patch):
    original = ReferenceMessage.set_object_property

    def set_object_property(self, name, value):
        try:
            original(self, name, value)
        except JMSException:
            self.jms_type = "none"
            raise

    patch.replace(ReferenceMessage, "set_object_property", set_object_property)
