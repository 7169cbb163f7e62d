"""Faults in 6.1: how connections and contexts are made."""

import threading

from faults.kit import *

WITH_CREDENTIALS = "it connects with credentials"


def _refused_to_users(patch, owner, name, *, user):
    """Refuse the credentials of a user in a method that takes them."""

    def create(original, factory, *credentials):
        if credentials and credentials[0] == user:
            raise JMSSecurityException("the password is wrong")
        return original(factory, *credentials)

    patch.around(owner, name, create)


@saboteur(
    "6.1-1",
    "the third createConnection() of a factory demands a user name",
    collateral={"6.1-14": "it has four connections of one factory"},
)
def _(patch):
    calls = {}

    def create(original, factory, user=OMITTED, password=OMITTED):
        calls.setdefault(id(factory), []).append(factory)
        if user is OMITTED and len(calls[id(factory)]) == 3:
            raise JMSException("give a user name")
        return original(factory, user, password)

    patch.around(ReferenceConnectionFactory, "create_connection", create)


saboteur(
    "6.1-2",
    "createConnection(user, password) refuses every second user",
    lambda patch: _refused_to_users(patch, ReferenceConnectionFactory, "create_connection", user="tck-other"),
    collateral={"6.1.1-1": WITH_CREDENTIALS, "6.1-15": WITH_CREDENTIALS},
)


def _has_user(options):
    return options.get("user_name", OMITTED) is not OMITTED


def _mode_of_contexts(patch, fault):
    """Create contexts with the mode that `fault` returns for the arguments, None for the honest one."""

    def create(original, factory, **options):
        mode = fault(options)
        return original(factory, **options if mode is None else {**options, "session_mode": mode})

    patch.around(ReferenceConnectionFactory, "create_context", create)


@saboteur(
    "6.1-3",
    "createContext(user, password) makes a context in CLIENT_ACKNOWLEDGE",
    collateral={"6.1-5": "it asks for no mode too"},
    by=_mode_of_contexts,
)
def _(options):
    without_mode = options.get("session_mode", OMITTED) is OMITTED
    return Session.CLIENT_ACKNOWLEDGE if _has_user(options) and without_mode else None


@saboteur(
    "6.1-4",
    "createContext(mode) makes a context in AUTO_ACKNOWLEDGE, whatever the mode",
    collateral={"6.1-5": "it asks for each mode"},
    by=_mode_of_contexts,
)
def _(options):
    return Session.AUTO_ACKNOWLEDGE if options.get("session_mode", OMITTED) is not OMITTED else None


@nearly_right(
    "user-gets-a-transacted-context-for-dups-ok",
    "createContext(user, password, DUPS_OK_ACKNOWLEDGE) makes a transacted context",
    "6.1-4",
    by=_mode_of_contexts,
)
def _(options):
    dups_ok = options.get("session_mode") == Session.DUPS_OK_ACKNOWLEDGE
    return Session.SESSION_TRANSACTED if dups_ok and _has_user(options) else None


@saboteur(
    "6.1-5",
    "createContext(user, password, mode) ignores its credentials",
    collateral={"6.1.1-4": "it tries wrong credentials with each mode", "6.1.1-1": "its context has a mode"},
    around=(ReferenceConnectionFactory, "create_context"),
)
def _(original, factory, **options):
    if options.get("session_mode", OMITTED) is not OMITTED:
        options = {"session_mode": options["session_mode"]}
    return original(factory, **options)


saboteur(
    "6.1-6",
    "createQueueConnection(user, password) refuses every second user",
    lambda patch: _refused_to_users(
        patch, ReferenceQueueConnectionFactory, "create_queue_connection", user="tck-other"
    ),
    collateral={"6.1.1-1": WITH_CREDENTIALS, "6.1-15": WITH_CREDENTIALS},
)
saboteur(
    "6.1-7",
    "createTopicConnection(user, password) refuses every second user",
    lambda patch: _refused_to_users(
        patch, ReferenceTopicConnectionFactory, "create_topic_connection", user="tck-other"
    ),
    collateral={"6.1.1-1": WITH_CREDENTIALS, "6.1-15": WITH_CREDENTIALS},
)


@saboteur(
    "6.1-10",
    "the sibling of a context in DUPS_OK_ACKNOWLEDGE inherits its mode",
    around=(ReferenceContext, "create_context"),
)
def _(original, self, session_mode):
    inherited = self.session.mode == Session.DUPS_OK_ACKNOWLEDGE
    return original(self, self.session.mode if inherited else session_mode)


@saboteur("6.1-12", "the fourth and the fifth thread that create sessions of a domain on one connection get the same")
def _(patch):
    made = {}
    lock = threading.Lock()  # guards the lists

    def create(original, connection, *arguments):
        session = original(connection, *arguments)
        if threading.current_thread() is threading.main_thread():
            return session
        with lock:
            sessions = made.setdefault(id(connection), [])
            sessions.append(session)
            return sessions[3] if len(sessions) == 5 else session

    patch.around(ReferenceQueueConnection, "create_queue_session", create)
    patch.around(ReferenceTopicConnection, "create_topic_session", create)


@saboteur("6.1-14", "the fourth connection that a factory makes replaces the first, which stops delivering")
def _(patch):
    factories = {}
    replaced = Connections()

    def connect(original, factory, *arguments):
        made = original(factory, *arguments)
        _, connections = factories.setdefault(id(factory), (factory, []))
        connections.append(made)
        if len(connections) == 4 and not connections[0].closed:
            replaced.add(connections[0])
        return made

    def next_delivery(original, consumer, timeout):
        return None if consumer.session.connection in replaced else original(consumer, timeout)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.1-15",
    "an unknown user is found out by the first call on the connection only",
    collateral={"6.1.1-3": "it connects as an unknown user", "6.1.1-4": "it connects as an unknown user"}
    | {"6.1-5": "it connects as an unknown user"},
)
def _(patch):
    late = Connections()

    def connect(original, factory, kind, user, password):
        unknown = isinstance(user, str) and user not in factory._server.users
        if not unknown:
            return original(factory, kind, user, password)
        made = original(factory, kind, OMITTED, OMITTED)
        late.add(made)
        return made

    def check_open(original, connection):
        if connection in late:
            raise JMSSecurityException("the user is unknown")
        original(connection)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.CONNECTION_CHECKED, check_open)
