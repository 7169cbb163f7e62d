"""Faults in 6.2: the modes of sessions, and what they create."""

from faults.kit import *


def _mode_for(patch, fault):
    """Choose another mode for the arguments of a creation, omitted ones as OMITTED."""

    def session_mode(original, connection, transacted, mode):
        return fault(lambda: original(connection, transacted, mode), transacted, mode)

    patch.at(fault_points.SESSION_MODE_CHOSEN, session_mode)


@saboteur(
    "6.2-1", "createSession() makes a session in CLIENT_ACKNOWLEDGE", around=(ReferenceConnection, "create_session")
)
def _(original, connection, **arguments):
    given = {name: value for name, value in arguments.items() if value is not OMITTED}
    return original(connection, **(given or {"session_mode": Session.CLIENT_ACKNOWLEDGE}))


saboteur(
    "6.2-2",
    "createSession(mode) makes a session in AUTO_ACKNOWLEDGE, whatever the mode",
    lambda patch: _automatic(patch, range(4)),
)


def _automatic(patch, modes):
    """Let createSession(mode) make a session in AUTO_ACKNOWLEDGE for some modes."""

    def create_session(original, connection, **arguments):
        given = {name: value for name, value in arguments.items() if value is not OMITTED}
        automatic = given.keys() == {"session_mode"} and given["session_mode"] in modes
        return original(connection, **({} if automatic else given))

    patch.around(ReferenceConnection, "create_session", create_session)


@saboteur(
    "6.2-3",
    "createSession(transacted, mode) makes a session in AUTO_ACKNOWLEDGE, whatever is asked for",
    collateral=dict.fromkeys(
        ("6.2-5", "6.2-7", "6.2-12", "6.2-13", "6.2-15", "6.2-16", "6.2-17", "6.2-18", "6.2-20", "6.2-21"),
        "its session is made with both arguments",
    ),
    around=(ReferenceConnection, "create_session"),
)
def _(original, connection, **arguments):
    given = {name: value for name, value in arguments.items() if value is not OMITTED}
    return original(connection, **({} if len(given) > 1 else given))


@nearly_right(
    "client-acknowledge-wins-over-transacted",
    "createSession(true, CLIENT_ACKNOWLEDGE) makes a session that is not transacted",
    "6.2-3",
    by=_mode_for,
)
def _(honest, transacted, mode):
    if transacted is True and mode == Session.CLIENT_ACKNOWLEDGE:
        return Session.CLIENT_ACKNOWLEDGE
    return honest()


@saboteur(
    "6.2-4", "createQueueSession and createTopicSession make a session in AUTO_ACKNOWLEDGE, whatever is asked for"
)
def _(patch):
    def create(original, connection, *_terms):
        return original(connection, False, Session.AUTO_ACKNOWLEDGE)

    patch.around(ReferenceQueueConnection, "create_queue_session", create)
    patch.around(ReferenceTopicConnection, "create_topic_session", create)


@nearly_right(
    "transacted-is-ignored-on-topic-sessions",
    "createTopicSession ignores `transacted` unless the mode is AUTO_ACKNOWLEDGE or SESSION_TRANSACTED",
    "6.2-4",
    around=(ReferenceTopicConnection, "create_topic_session"),
)
def _(original, connection, transacted, mode):
    kept = mode in {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED}
    return original(connection, transacted and kept, mode)


@saboteur("6.2-5", "an unknown mode falls back to AUTO_ACKNOWLEDGE, if it is positive", by=_mode_for)
def _(honest, transacted, mode):
    if transacted is not True and mode is not OMITTED and mode > Session.DUPS_OK_ACKNOWLEDGE:
        return Session.AUTO_ACKNOWLEDGE
    return honest()


@saboteur(
    "6.2-7",
    "getTransacted is false for transacted sessions and true for the others",
    collateral=dict.fromkeys(("6.2-1", "6.2-4"), "it asks for the transaction of a session"),
)
def _(patch):
    honest = ReferenceSession.transacted
    patch.replace(ReferenceSession, "transacted", property(lambda session: not honest.fget(session)))


@saboteur(
    "6.2-8",
    "getAcknowledgeMode returns another mode than the session has",
    collateral=dict.fromkeys(("6.2-1", "6.2-2", "6.2-3", "6.2-9"), "it asks for the mode of a session"),
)
def _(patch):
    honest = ReferenceSession.acknowledge_mode
    patch.replace(ReferenceSession, "acknowledge_mode", property(lambda session: (honest.fget(session) + 1) % 4))


@nearly_right(
    "dups-ok-is-told-of-a-transacted-session",
    "getAcknowledgeMode of a session made with true and DUPS_OK_ACKNOWLEDGE returns the latter",
    "6.2-8",
)
def _(patch):
    honest = ReferenceSession.acknowledge_mode
    marked = []
    lazy = []

    def fault(make, transacted, mode):
        if transacted is True and mode == Session.DUPS_OK_ACKNOWLEDGE:
            marked.append(True)
        return make()

    def add_session(original, connection, session):
        if marked:
            marked.clear()
            lazy.append(session)
        return original(connection, session)

    def acknowledge_mode(session):
        mode = honest.fget(session)
        return Session.DUPS_OK_ACKNOWLEDGE if session in lazy else mode

    _mode_for(patch, fault)
    patch.at(fault_points.SESSION_OPENED, add_session)
    patch.replace(ReferenceSession, "acknowledge_mode", property(acknowledge_mode))


@saboteur("6.2-9", "getSessionMode of a context made by a context returns the mode of that context")
def _(patch):
    honest = ReferenceContext.session_mode

    def session_mode(context):
        sessions = context.connection.sessions
        mode = honest.fget(context)
        return mode if context.session is sessions[0] else sessions[0].mode

    patch.replace(ReferenceContext, "session_mode", property(session_mode))


@saboteur("6.2-10", "createBrowser() makes a browser that shows nothing")
def _(patch):
    def create(original, maker, queue, *_terms):
        return original(maker, queue, "1 = 2")

    around_each(patch, ReferenceSession, ("create_browser",), create)
    around_each(patch, ReferenceContext, ("create_browser",), create)


@nearly_right(
    "context-browser-ignores-its-selector",
    "createBrowser() of a JMSContext ignores its selector",
    "6.2-10",
    around=(ReferenceContext, "create_browser"),
)
def _(original, context, queue, *_):
    return original(context, queue)


@saboteur(
    "6.2-11",
    "unsubscribe only deactivates a durable subscription that holds messages",
    at=fault_points.SUBSCRIPTION_DELETED,
)
def _(original, factory, name):
    found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name))
    if found is None or not len(found.delivery_queue):
        original(factory, name)


@saboteur("6.2.1-1", "a third consumer of a session takes the place of the first")
def _(patch):
    def take(original, receiver):
        return None if receiver in replaced else original(receiver)

    replaced = []

    def open_plain(original, session, *arguments):
        if len(session.consumers) == 2:
            replaced.append(session.consumers[0].receiver)
        return original(session, *arguments)

    patch.at(fault_points.MESSAGE_TAKEN, take)
    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)
