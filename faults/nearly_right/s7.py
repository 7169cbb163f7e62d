"""Narrow faults of sections 7.1, 7.2 and 7.5 to 7.7."""

from faults.kit import *
from faults.nearly_right.shared import *


@of_round(7)(
    "used-producer-does-not-see-its-queue-deleted",
    "a producer that has sent to a temporary queue goes on sending to it, without an exception, after its deletion",
    "7.1-10 7.2-5",
    around=(ReferenceProducer, "physical_destination"),
)
def _(original, self, destination):
    used = self._physical
    if used is not None and used.temporary and destination is self._destination:
        return used
    return original(self, destination)


@nearly_right(
    "jms-producer-inherits-object-property",
    "a new JMSProducer has the property that setObjectProperty last set in its context",
    "7.1-16",
)
def _(patch):
    left = dict[object, tuple[str, object]]()
    put = ReferenceJMSProducer.set_object_property

    def placed(self, name, value):
        result = put(self, name, value)
        left[self._session] = (name, value)
        return result

    def created(create, self):
        made = create(self)
        return put(made, *left[self.session]) if self.session in left else made

    patch.replace(ReferenceJMSProducer, "set_object_property", placed)
    patch.around(ReferenceContext, "create_producer", created)


@of_round(9)(
    "empty-string-body-is-sent-as-null",
    "a JMSProducer sends the empty string as a text message without text",
    "7.2-7",
    around=(ReferenceJMSProducer, "message_for"),
)
def _(original, self, body, body_type):
    if body == "" and body_type in {OMITTED, str}:
        return original(self, None, str)
    return original(self, body, body_type)


@of_round(11)(
    "clear-properties-clears-those-of-other-producers",
    "clearProperties of a JMSProducer clears the properties of the other JMSProducers of its context too",
    "7.5-6 7.1-16",
)
def _(patch):
    made = []

    def create(original, producer, session):
        original(producer, session)
        made.append(producer)

    def clear_properties(original, producer):
        for other in made:
            if other._session is producer._session:
                other._carrier.clear_properties()
        return original(producer)

    patch.around(ReferenceJMSProducer, "__init__", create)
    patch.around(ReferenceJMSProducer, "clear_properties", clear_properties)


@of_round(8)(
    "clear-properties-of-a-producer-clears-its-headers",
    "clearProperties of a JMSProducer also forgets the JMSType, JMSCorrelationID and JMSReplyTo set on it",
    "7.6-10 7.6-8 7.5-7",
    around=(ReferenceJMSProducer, "clear_properties"),
)
def _(original, self):
    self.set_jms_type(None).set_jms_correlation_id(None).set_jms_reply_to(None)
    return original(self)


@of_round(9)(
    "first-message-decides-for-its-transaction",
    "of a transaction whose first message is NON_PERSISTENT nothing is stored",
    "7.7-5 7.7-3",
)
@of_round(6)(
    "transaction-stored-by-its-first-message",
    "a transaction whose first message is NON_PERSISTENT is not stored, with the PERSISTENT messages in it",
    "7.7-5 7.7-3",
)
def _(patch):
    unstored = Marked()

    def committed(session):
        sends = session.state.work.sends
        if sends and sends[0][1].delivery_mode == DeliveryMode.NON_PERSISTENT:
            for _, entry in sends:
                unstored.add(entry)

    def stores(original, physical, entry, delivery_queues):
        return entry not in unstored and original(physical, entry, delivery_queues)

    before_commit(patch, committed)
    patch.at(fault_points.STORED, stores)
