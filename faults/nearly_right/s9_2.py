"""Narrow faults of section 9.2."""

from faults.kit import *
from faults.nearly_right.shared import *


@nearly_right(
    "refused-connection-consumer-stops",
    "a QueueConnection that refuses a connection consumer on a durable subscription has stopped",
    "9.2-2",
    around=(ReferenceQueueConnection, "create_durable_connection_consumer"),
)
def _(original, connection, *arguments):
    connection.stop()
    return original(connection, *arguments)


@nearly_right(
    "later-sessions-unguarded",
    "the second QueueSession or TopicSession of a connection creates temporary destinations of the other domain",
    "9.2-8 9.2-13 10.3-13",
)
def _(patch):
    def through(name):
        def create(original, session):
            sessions = session.connection.sessions
            return original(session) if sessions[0] is session else getattr(ReferenceSession, name)(session)

        return create

    for owner, name in (
        (ReferenceQueueSession, "create_temporary_topic"),
        (ReferenceTopicSession, "create_temporary_queue"),
    ):
        patch.around(owner, name, through(name))


@nearly_right(
    "queue-session-finds-topics",
    "QueueSession.createTopic returns a topic that has messages or subscriptions already",
    "9.2-9",
    around=(ReferenceQueueSession, "create_topic"),
)
def _(original, session, name):
    topic = ReferenceSession.create_topic(session, name)
    with session.broker.lock:
        known = session.broker.find_physical_destination(topic)
    return original(session, name) if known is None else topic


@nearly_right(
    "topic-session-browses-after-rollback", "a TopicSession that has rolled back once creates browsers", "9.2-11"
)
def _(patch):
    rolled_back = set[ReferenceSession]()

    def rollback(original, session):
        original(session)
        rolled_back.add(session)

    def create(original, session, *arguments):
        through = session in rolled_back
        return (ReferenceSession.create_browser if through else original)(session, *arguments)

    patch.around(ReferenceSession, "rollback", rollback)
    patch.around(ReferenceTopicSession, "create_browser", create)


@nearly_right(
    "later-connection-started",
    "a TopicConnection is created started if its user has a started one",
    "9.2-14",
    at=fault_points.CONNECTION_OPENED,
)
def _(original, factory, kind, *credentials):
    made = original(factory, kind, *credentials)
    every = list(made.server.connections)
    made.running = kind is ReferenceTopicConnection and any(
        isinstance(one, ReferenceConnection) and one is not made and one.running and one.user == made.user is not None
        for one in every
    )
    return made


@nearly_right(
    "options-at-commit",
    "a message that a QueueSender sends in a transaction has the priority which the sender has at the commit",
    "9.2-24 7.4-2",
)
def _(patch):
    senders = {}
    late = {}

    def sent(producer, message, entry, options):
        if isinstance(producer, ReferenceSender) and options.priority == producer.priority:
            senders[id(entry)] = (entry, producer)

    def commit(original, session):
        for _, entry in session.state.work.sends:
            if id(entry) in senders and not senders[id(entry)][1].closed:
                late[id(entry)] = senders[id(entry)][1].priority
        original(session)

    after_send(patch, sent)
    patch.at(fault_points.COMMIT, commit)
    as_received(
        patch,
        lambda message, delivery: (
            setattr(message, "jms_priority", late[id(delivery.entry)]) if id(delivery.entry) in late else None
        ),
    )


_OF_ONE_DOMAIN = (ReferenceSender, ReferencePublisher)


@nearly_right(
    "options-of-failed-send",
    "a send with options that is refused leaves its time-to-live on the QueueSender or TopicPublisher",
    "9.2-25",
    around=(ReferenceProducer, "send"),
)
def _(original, producer, message, **options):
    try:
        original(producer, message, **options)
    except Exception:
        ttl = options.get("time_to_live", OMITTED)
        if ttl is not OMITTED and isinstance(producer, _OF_ONE_DOMAIN):
            producer.time_to_live = ttl
        raise


@of_round(10)(
    "failed-send-leaves-its-options-behind",
    "the delivery mode, priority and time to live given to a send that fails become defaults of the producer",
    "9.2-25 9.2-24",
    around=(ReferenceProducer, "send_now"),
)
def _(original, producer, message, target, options):
    try:
        original(producer, message, target, options)
    except JMSException:
        if options is not producer._options and not producer.session.closed:
            producer.delivery_mode = options.delivery_mode
            producer.priority = options.priority
            producer.time_to_live = options.time_to_live
        raise


@of_round(8)(
    "null-destination-with-options-is-unsupported",
    "a QueueSender or TopicPublisher without destination refuses null with UnsupportedOperationException if delivery options follow",
    "9.2-27 10.3-21",
    around=(ReferenceProducer, "send"),
)
def _(original, self, message, *, destination=OMITTED, **options):
    given = options.get("delivery_mode", OMITTED) is not OMITTED
    if given and destination is None and isinstance(self, ReferenceSender | ReferencePublisher):
        self.check_open()
        raise UnsupportedOperationException("the destination of the producer is null: name one with each send")
    original(self, message, destination=destination, **options)
