"""Faults of the interfaces of one domain, and of calls that must be refused, under one circumstance only."""

from faults.kit import *

_OF_ONE_DOMAIN = (ReferenceSender, ReferencePublisher)


@nearly_right(
    "queue-session-leaves-shared-subscription",
    "a QueueSession refuses createSharedConsumer, but the subscription is there and collects messages",
    "9.2-6",
)
def _shared(patch):
    made = []

    def create(original, session, *arguments):
        made.append(ReferenceSession.create_shared_consumer(session, *arguments))
        return original(session, *arguments)

    around(patch, ReferenceQueueSession, "create_shared_consumer", create)


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
    "queue-session-resumes",
    "QueueSession.createDurableConsumer resumes a durable subscription that exists for the topic",
    "9.2-5",
    around=(ReferenceQueueSession, "create_durable_consumer"),
)
def _(original, session, topic, name, *others):
    key = (session.connection.client_id_or_none, name)
    with session.broker.lock:
        found = session.broker.subscriptions.durable(key)
        there = found is not None and found.delivery_queue.physical.destination == topic
    if there:
        return ReferenceSession.create_durable_consumer(session, topic, name, *others)
    return original(session, topic, name, *others)


@nearly_right(
    "later-sessions-unguarded",
    "the second QueueSession or TopicSession of a connection creates temporary destinations of the other domain",
    "9.2-8",
    "9.2-13",
    "10.3-13",
)
def _later(patch):
    def through(name):
        def create(original, session):
            sessions = session.connection.sessions
            return original(session) if sessions[0] is session else getattr(ReferenceSession, name)(session)

        return create

    for owner, name in (
        (ReferenceQueueSession, "create_temporary_topic"),
        (ReferenceTopicSession, "create_temporary_queue"),
    ):
        around(patch, owner, name, through(name))


@nearly_right(
    "topic-session-browses-after-rollback", "a TopicSession that has rolled back once creates browsers", "9.2-11"
)
def _browses(patch):
    rolled_back = set[ReferenceSession]()

    def rollback(original, session):
        original(session)
        rolled_back.add(session)

    def create(original, session, *arguments):
        through = session in rolled_back
        return (ReferenceSession.create_browser if through else original)(session, *arguments)

    around(patch, ReferenceSession, "rollback", rollback)
    around(patch, ReferenceTopicSession, "create_browser", create)


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
    "9.2-24",
    "7.4-2",
)
def _at_commit(patch):
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


@nearly_right(
    "null-after-a-send",
    "a producer without a destination sends to its last one if the destination is null",
    "10.3-21",
    "7.1-10",
)
def _last(patch):
    last = {}

    def send(original, producer, message, **options):
        if options.get("destination", OMITTED) is None and id(producer) in last:
            options["destination"] = last[id(producer)][1]
        original(producer, message, **options)
        if options.get("destination", OMITTED) is not OMITTED:
            last[id(producer)] = (producer, options["destination"])

    around(patch, ReferenceProducer, "send", send)


@nearly_right(
    "null-consumer-after-consumer",
    "createConsumer of null by a context that has a consumer consumes from the same destination",
    "10.3-22",
)
def _same(patch):
    last = {}

    def create(original, context, destination, *others):
        if destination is None and id(context) in last:
            destination = last[id(context)][1]
        made = original(context, destination, *others)
        last[id(context)] = (context, destination)
        return made

    around(patch, ReferenceContext, "create_consumer", create)


@nearly_right(
    "late-identifier-kept",
    "a client identifier that is set too late is refused, and the connection has it all the same",
    "10.3-14",
    "6.1.2-6",
    "6.1.2-7",
)
def _kept(patch):
    original = ReferenceConnection.client_id

    def set_client_id(self, client_id):
        try:
            original.fset(self, client_id)
        except IllegalStateException:
            if self.client_id_or_none is None and not self.closed:
                self._client_id = client_id
            raise

    patch.replace(ReferenceConnection, "client_id", property(original.fget, set_client_id))


@nearly_right(
    "refused-commit-acknowledges",
    "commit() of a session in CLIENT_ACKNOWLEDGE is refused once it has acknowledged what the session received",
    "10.3-7",
    "10.3-10",
    at=fault_points.COMMIT,
)
def _(original, session):
    if not session.closed and session.mode == Session.CLIENT_ACKNOWLEDGE:
        session.acknowledge_all()
    original(session)


@nearly_right(
    "refused-recover-drops-sends",
    "recover() of a transacted session with two pending sends is refused, and the first of them is dropped",
    "10.3-9",
    "10.3-12",
    "6.2.10-28",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if not session.closed and len(session.state.work.sends) > 1:
        del session.state.work.sends[0]
    original(session)


@nearly_right(
    "rollback-works-without-consumers",
    "rollback() of a session without transactions that has had no consumer returns as if it had worked",
    "10.3-8",
    "10.3-11",
    "6.2.7-19",
    around=(ReferenceSession, "rollback"),
)
def _(original, session):
    session.check_open()
    if session.mode == Session.SESSION_TRANSACTED or session.consumers:
        original(session)
