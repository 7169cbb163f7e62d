"""Faults in 6.1.4: what start() begins, and what must not wait for it."""

from faults.kit import *


def _running(patch, applies):
    """Start the connections of contexts in some modes when the context is created."""

    def create(original, factory, **options):
        context = original(factory, **options)
        if applies(options.get("session_mode")):
            context.connection.running = True
        return context

    patch.around(ReferenceConnectionFactory, "create_context", create)


saboteur(
    "6.1.4-2",
    "a context delivers from the start, whatever its auto-start is",
    lambda patch: _running(patch, lambda _mode: True),
    collateral={
        **dict.fromkeys(
            ("6.1.4-3", "6.1.4-4", "6.1.4-11", "6.1.4-13", "6.1.4-14"),
            "its context has auto-start off, in this mode too",
        ),
        "6.1.4-12": "its context has auto-start off",
    },
)
nearly_right(
    "dups-ok-context-delivers-from-the-start",
    "a context in DUPS_OK_ACKNOWLEDGE delivers from the start, whatever its auto-start is",
    "6.1.4-2",
    install=lambda patch: _running(patch, lambda mode: mode == Session.DUPS_OK_ACKNOWLEDGE),
)


saboteur(
    "6.1.4-3",
    "a receive that does not wait finds messages on a connection that was never started, unless a context owns it",
    received_before_start,
    collateral={"6.1.4-17": "it looks for its own message before start()"},
)


@saboteur("6.1.4-4", "a listener that replaces another starts the connection")
def _(patch):
    honest = ReferenceConsumer.message_listener

    def set_listener(self, listener):
        replaces = honest.fget(self) is not None
        honest.fset(self, listener)
        if replaces:
            self.session.connection.start()

    patch.replace(ReferenceConsumer, "message_listener", property(honest.fget, set_listener))


def _deaf(patch, sessions):
    """Let the receives of these sessions find nothing."""

    def next_delivery(original, consumer, timeout):
        return None if consumer.session in sessions else original(consumer, timeout)

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur("6.1.4-6", "start() reaches the receivers of the last session alone, where three or more are there")
def _(patch):
    deaf, contexts = Connections(), of_contexts(patch)

    def before_start(connection):
        several = len(connection.sessions) > 2 and connection not in contexts
        for session in connection.sessions[:-1] if several else ():
            deaf.add(session)

    started(patch, before_start)
    _deaf(patch, deaf)


@saboteur(
    "6.1.4-7", "the sessions of a connection that was started without any receive nothing until it is started again"
)
def _(patch):
    bare, deaf = Connections(), Connections()

    def before_start(connection):
        if not connection.sessions:
            bare.add(connection)

    def opened(original, connection, session):
        if connection in bare:
            deaf.add(session)
        return original(connection, session)

    started(patch, before_start)
    patch.at(fault_points.SESSION_OPENED, opened)
    _deaf(patch, deaf)


@saboteur("6.1.4-17", "a connection that was never started keeps what is sent until it is")
def _(patch):
    kept = {}

    def before_start(connection):
        for send in kept.pop(id(connection), []):
            send()

    ever, contexts = started(patch, before_start), of_contexts(patch)

    def submit(original, session, physical, entry):
        connection = session.connection
        if connection in ever or connection in contexts:
            original(session, physical, entry)
        else:
            kept.setdefault(id(connection), []).append(lambda: original(session, physical, entry))

    patch.at(fault_points.SEND_SUBMITTED, submit)
