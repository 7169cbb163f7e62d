"""Faults in 6.1.8: what the parts and the messages of a closed connection still do."""

from faults.kit import *


def _closed(session):
    return session.closed and session.connection.closed


def _sessions_of_contexts(patch):
    """Return the sessions of contexts, kept up to date."""
    sessions = set[ReferenceSession]()

    def make(original, context, mode):
        session = original(context, mode)
        sessions.add(session)
        return session

    patch.around(ReferenceContext, "make_session", make)
    return sessions


def _cached(patch, owner, name, read):
    """Let a property answer without a check where `read` returns True and a value."""
    original = getattr(owner, name)

    def getter(part):
        cached, value = read(part)
        return value if cached else original.fget(part)

    patch.replace(owner, name, property(getter, original.fset))


@saboteur(
    "6.1.8-13",
    "sessions stay usable after their connection is closed",
    collateral={
        **dict.fromkeys(
            ("6.1.8-14", "6.1.8-15", "6.1.8-40"), "producers, consumers and browsers are as usable as their session"
        ),
        **dict.fromkeys(("6.1.8-35", "6.1.8-36"), "acknowledge() is a call on the session that got the message"),
        "6.1.8-39": "it calls the methods of a session",
    },
)
def _(patch):
    contexts = of_contexts(patch)

    def check(original, session):
        if session.connection in contexts or not _closed(session):
            original(session)

    patch.at(fault_points.SESSION_CHECKED, check)


@saboteur(
    "6.1.8-14",
    "receiveNoWait() returns messages that were prefetched when the connection was closed",
    collateral={"6.1.8-41": "receiveNoWait() is one of a consumer's methods"},
)
def _(patch):
    contexts = _sessions_of_contexts(patch)
    prefetched = {}

    def detach(original, consumer):
        session, source = consumer.session, consumer.receiver.delivery_queue
        now = session.broker.clock.now()
        if session not in contexts and session.connection.closing and source.in_file:
            prefetched[consumer] = [
                Delivery(source, entry, consumer, lambda: None, now) for entry in source.free_entries()
            ]
        original(consumer)

    def receive(original, consumer):
        left = prefetched.get(consumer)
        if left and _closed(consumer.session):
            return consumer.session.message_of(left.pop(0))
        return original(consumer)

    patch.at(fault_points.CONSUMER_CLOSED, detach)
    patch.around(ReferenceConsumer, "receive_no_wait", receive)


@saboteur("6.1.8-15", "getEnumeration() of a browser that was used returns an empty one after its connection is closed")
def _(patch):
    used = set[ReferenceBrowser]()

    def enumerate_(original, browser):
        session = browser.session
        if browser in used and _closed(session):
            return iter(())
        seen = original(browser)
        used.add(browser)
        return seen

    patch.around(ReferenceBrowser, "get_enumeration", enumerate_)


@saboteur(
    "6.1.8-36",
    "acknowledge() does nothing after the connection is closed",
    collateral=dict.fromkeys(("6.1.8-35", "6.1.8-37", "6.1.8-42"), "it acknowledges after the close"),
    at=fault_points.MESSAGE_ACKNOWLEDGED,
)
def _(original, session):
    if not _closed(session):
        original(session)


@nearly_right(
    "acknowledge-of-a-listeners-message-is-ignored-after-close",
    "acknowledge() of a message that a listener got does nothing after the connection is closed",
    "6.1.8-36",
    at=fault_points.MESSAGE_ACKNOWLEDGED,
)
def _(original, session):
    listens = session.dispatcher is not None and session.mode == Session.CLIENT_ACKNOWLEDGE
    if not (listens and _closed(session)):
        original(session)


@saboteur(
    "6.1.8-38",
    "getMetaData() of a connection that was never used answers after its close",
    by=lambda patch, made: _cached(patch, ReferenceConnection, "meta_data", made),
)
def _(connection):
    return connection.closed and not connection.used, ReferenceMetaData(connection.server.version)


@saboteur("6.1.8-39", "createMapMessage() of a session works after its connection is closed")
def _(patch):
    contexts = _sessions_of_contexts(patch)

    def create(original, session):
        if _closed(session) and session not in contexts and session.mode != Session.SESSION_TRANSACTED:
            message = create_message("map", session.model)
            assert isinstance(message, MapMessage)  # what the kind means
            return message
        return original(session)

    patch.around(SessionFactories, "create_map_message", create)


@saboteur(
    "6.1.8-40",
    "getPriority() of a producer without a destination answers after its connection is closed",
    by=lambda patch, made: _cached(patch, ReferenceProducer, "priority", made),
)
def _(producer):
    session = producer.session
    return producer._destination is None and _closed(session), producer._priority


@saboteur("6.1.8-41", "getMessageSelector() of a consumer answers after its connection is closed")
def _(patch):
    contexts = _sessions_of_contexts(patch)

    def read(consumer):
        session = consumer.session
        return _closed(session) and session not in contexts, consumer.receiver.selector or None

    _cached(patch, ReferenceConsumer, "message_selector", read)


@saboteur("6.1.8-45", "texts and objects that were received cannot be read after the close")
def _(patch):
    received = {}

    def keep(message, delivery):
        if isinstance(delivery.consumer, ReferenceConsumer):
            received[id(message)] = (message, delivery.consumer.session)

    def read(message):
        if id(message) in received and _closed(received[id(message)][1]):
            raise IllegalStateException("the connection is closed")
        return False, None

    as_received(patch, keep)
    _cached(patch, ReferenceObjectMessage, "object", read)
    _cached(patch, ReferenceTextMessage, "text", read)


@nearly_right(
    "unacknowledged-object-cannot-be-read-after-close",
    "an unacknowledged object message that was not read before cannot be read after the close",
    "6.1.8-45",
)
def _(patch):
    unread = {}

    def keep(message, delivery):
        consumer = delivery.consumer
        if isinstance(message, ReferenceObjectMessage) and isinstance(consumer, ReferenceConsumer):
            unread[id(message)] = (message, consumer.session)

    def read(message):
        kept = unread.get(id(message))
        if kept is not None and kept[1].mode == Session.CLIENT_ACKNOWLEDGE and _closed(kept[1]):
            raise IllegalStateException("the connection is closed")
        unread.pop(id(message), None)
        return False, None

    as_received(patch, keep)
    _cached(patch, ReferenceObjectMessage, "object", read)


@saboteur("6.1.8-46", "the items of a map message cannot be set after the connection that made it is closed")
def _(patch):
    makers = {}

    def create(original, session):
        message = original(session)
        makers[id(message)] = (message, session)
        return message

    def set_string(original, message, *arguments):
        made = makers.get(id(message))
        if made is not None and _closed(made[1]):
            raise IllegalStateException("the connection is closed")
        original(message, *arguments)

    patch.around(SessionFactories, "create_map_message", create)
    patch.around(ReferenceMapMessage, "set_string", set_string)
