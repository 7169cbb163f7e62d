"""Faults between two lifetimes: what a close, a rollback or a deletion leaves to the next object of its kind."""

from typing import Any

from faults.kit import *


@nearly_right(
    "producer-inherits-priority", "a new producer has the priority of the one closed last in its session", "7.4-10"
)
def _inherits(patch):
    left = dict[object, int]()
    close, create = ReferenceProducer.close, ReferenceSession.create_producer

    def closed(self):
        left[self.session] = self._priority
        close(self)

    def created(self, destination):
        made = create(self, destination)
        made.priority = left.get(self, made.priority)
        return made

    patch.replace(ReferenceProducer, "close", closed)
    patch.replace(ReferenceSession, "create_producer", created)


@nearly_right(
    "jms-producer-inherits-object-property",
    "a new JMSProducer has the property that setObjectProperty last set in its context",
    "7.1-16",
)
def _inherits_property(patch):
    left = dict[object, tuple[str, object]]()
    put = ReferenceJMSProducer.set_object_property
    create = ReferenceContext.create_producer

    def placed(self, name, value):
        result = put(self, name, value)
        left[self._session] = (name, value)
        return result

    def created(self):
        made = create(self)
        return put(made, *left[self.session]) if self.session in left else made

    patch.replace(ReferenceJMSProducer, "set_object_property", placed)
    patch.replace(ReferenceContext, "create_producer", created)


@nearly_right(
    "rollback-of-receipts-loses-the-next-send",
    "after the rollback of a transaction that sent nothing, the first message of the next one is lost",
    "6.2.7-18",
    "6.2.7-6",
    "6.2.7-7",
)
def _loses(patch):
    doomed = set[object]()

    def undone(original, session, work):
        if work.acks and not work.sends:
            doomed.add(session)
        original(session, work)

    def submitted(original, session, physical, entry):
        if session in doomed:
            doomed.discard(session)
        else:
            original(session, physical, entry)

    patch.at(fault_points.ROLLBACK, undone)
    patch.at(fault_points.SEND_SUBMITTED, submitted)


@nearly_right(
    "deleted-name-keeps-its-topic",
    "a durable subscription whose name was unsubscribed before keeps the topic that it had then",
    "8.3.3-18",
    "8.3.4-17",
    "8.3.3-23",
    "8.3.3-38",
)
def _keeps(patch):
    topics = dict[object, Any]()
    deleted = set[object]()

    def stored(original, factory, topic, key, *given, shared):
        topic = topics.setdefault(key, topic) if key in deleted else topics.setdefault(key, topic) and topic
        return original(factory, topic, key, *given, shared=shared)

    def unsubscribed(original, factory, name):
        original(factory, name)
        deleted.add((factory.connection.client_id_or_none, name))

    patch.at(fault_points.SUBSCRIPTION_STORED, stored)
    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribed)


@nearly_right(
    "identifier-stays-taken-after-unsubscribe",
    "a connection on which unsubscribe() was called keeps its client identifier when it is closed",
    "6.1.2-17",
    "8.3.3-18",
    "8.3.3-19",
)
def _stays(patch):
    taken = set[object]()
    unsubscribed = set[object]()
    named = ReferenceConnection.client_id

    def unsubscribe(original, factory, name):
        original(factory, name)
        unsubscribed.add(factory.connection)

    def close(original, connection):
        if connection in unsubscribed:
            taken.add(connection.client_id_or_none)
        original(connection)

    def name(self, client_id):
        if client_id is not None and client_id in taken:
            raise InvalidClientIDException(f"the client identifier {client_id!r} is in use")
        named.fset(self, client_id)

    patch.at(fault_points.SUBSCRIPTION_DELETED, unsubscribe)
    patch.at(fault_points.CONNECTION_CLOSED, close)
    patch.replace(ReferenceConnection, "client_id", property(named.fget, name))


@nearly_right(
    "session-after-unfinished-work-loses-a-send",
    "the first message of a session is lost that is made after another was closed with unsent messages",
    "6.2.15-1",
    "6.2.7-18",
    "6.2.15-14",
)
def _after_unfinished(patch):
    left = set[object]()
    doomed = set[object]()

    def ended(original, session):
        if session.state.work.sends:
            left.add(session.connection)
        original(session)

    def opened(original, connection, session):
        if connection in left:
            left.discard(connection)
            doomed.add(session)
        return original(connection, session)

    def submitted(original, session, physical, entry):
        if session in doomed:
            doomed.discard(session)
        else:
            original(session, physical, entry)

    patch.at(fault_points.SESSION_ENDED, ended)
    patch.at(fault_points.SESSION_OPENED, opened)
    patch.at(fault_points.SEND_SUBMITTED, submitted)
