"""Faults in 8.4: starting and stopping delivery."""

from collections import defaultdict

from faults.kit import *

saboteur(
    "8.4-1",
    "the first session of a connection starts it",
    lambda patch: _started_by_session(patch, 1),
    collateral=dict.fromkeys(("8.4-9", "8.4-12"), "its connection has a session before the start"),
)


def _started_by_session(patch, number):
    """Start connections at their first or a later session, but for those of contexts."""
    inside = inside_contexts(patch, "create_context")
    contexts = of_contexts(patch)

    def add_session(original, connection, session):
        made = original(connection, session)
        if len(connection.sessions) == number and not inside() and connection not in contexts:
            connection.start()
        return made

    patch.at(fault_points.SESSION_OPENED, add_session)


@nearly_right("second-session-starts-its-connection", "the second session of a connection starts it", "8.4-1")
def _(patch):
    inside = inside_contexts(patch, "create_context")

    def add_session(original, connection, session):
        made = original(connection, session)
        if len(connection.sessions) == 2 and not inside():
            connection.start()
        return made

    patch.at(fault_points.SESSION_OPENED, add_session)


def _lost_while_stopped(patch, *, contexts, least=3):
    """At a start the last of some messages is lost that came to a consumer since the stop."""
    inside = inside_contexts(patch, "start")
    before = defaultdict(set)

    def waiting(connection):
        return [one.receiver.delivery_queue for session in connection.sessions for one in session.consumers]

    def stop(original, connection):
        original(connection)
        for queue in waiting(connection):
            before[queue] = {entry.number for entry in queue.free_entries()}

    def start(original, connection):
        for queue in waiting(connection) if inside() is contexts else ():
            new = [one for one in queue.free_entries() if one.number not in before[queue]] if queue in before else []
            if len(new) >= least:
                queue.remove(new[-1].number, new[-1].priority)
        original(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.at(fault_points.CONNECTION_STARTED, start)


saboteur(
    "8.4-2",
    "the last of the messages that come while a connection is stopped is lost",
    lambda patch: _lost_while_stopped(patch, contexts=False, least=1),
)
saboteur(
    "8.4-7",
    "stop() of a context does nothing",
    lambda patch: patch.replace(ReferenceContext, "stop", lambda _context: None),
    collateral={"8.4-12": "it stops a context"},
)


def _without_start(patch, method, unless):
    """Let a method of a context that makes consumers not start the connection in some calls."""

    def create(original, context, *arguments):
        wanted = context._auto_start
        context._auto_start = wanted and not unless(context, arguments)
        try:
            return original(context, *arguments)
        finally:
            context._auto_start = wanted

    patch.around(ReferenceContext, method, create)


saboteur(
    "8.4-4",
    "createDurableConsumer() does not start the context",
    lambda patch: _without_start(patch, "create_durable_consumer", lambda _context, _arguments: True),
)


@nearly_right(
    "no-local-consumer-does-not-start-its-context",
    "createDurableConsumer() with noLocal does not start the context",
    "8.4-4",
    by=lambda patch, made: _without_start(patch, "create_durable_consumer", made),
)
def _(_context, arguments):
    return True in arguments[3:]


saboteur(
    "8.4-5",
    "createSharedConsumer() does not start the context",
    lambda patch: _without_start(patch, "create_shared_consumer", lambda _context, _arguments: True),
)


@nearly_right(
    "selecting-shared-consumer-does-not-start-its-context",
    "createSharedConsumer() with a selector does not start the context",
    "8.4-5",
    by=lambda patch, made: _without_start(patch, "create_shared_consumer", made),
)
def _(_context, arguments):
    return isinstance(arguments[-1], str) and len(arguments) > 2


saboteur(
    "8.4-6",
    "createSharedDurableConsumer() does not start the context",
    lambda patch: _without_start(patch, "create_shared_durable_consumer", lambda _context, _arguments: True),
)


@nearly_right(
    "selecting-shared-durable-consumer-does-not-start-its-context",
    "createSharedDurableConsumer() with a selector does not start the context",
    "8.4-6",
    by=lambda patch, made: _without_start(patch, "create_shared_durable_consumer", made),
)
def _(_context, arguments):
    return isinstance(arguments[-1], str) and len(arguments) > 2


@saboteur(
    "8.4-9",
    "createConsumer() starts the connection though autoStart is false",
    collateral={"8.4-12": "its context has autoStart off and a consumer"},
    around=(ReferenceContext, "create_consumer"),
)
def _(original, context, *arguments):
    made = original(context, *arguments)
    context.connection.start()
    return made


@saboteur(
    "8.4-10",
    "start() is ignored while autoStart is false",
    collateral={"8.4-9": "its context has autoStart off"},
    around=(ReferenceContext, "start"),
)
def _(original, context):
    if context.auto_start:
        original(context)


@saboteur("8.4-11", "getAutoStart() is true in a context that has a consumer")
def _(patch):
    original = ReferenceContext.auto_start

    def get(self):
        return bool(original.fget(self)) or bool(self.session.consumers)

    patch.replace(ReferenceContext, "auto_start", property(get, original.fset))


@saboteur("8.4-12", "setAutoStart() starts or stops the connection", collateral={"8.4-10": "it sets autoStart"})
def _(patch):
    original = ReferenceContext.auto_start

    def put(self, auto_start):
        original.fset(self, auto_start)
        if auto_start:
            self.connection.start()
        else:
            self.connection.stop()

    patch.replace(ReferenceContext, "auto_start", property(original.fget, put))


@saboteur("8.4-13", "a context with siblings does not start the connection")
def _(patch):
    def sibling(context, _arguments):
        return len(context.connection.sessions) > 1

    for method in (
        "create_consumer",
        "create_durable_consumer",
        "create_shared_consumer",
        "create_shared_durable_consumer",
    ):
        _without_start(patch, method, sibling)


@nearly_right(
    "context-with-a-waiting-child-does-not-start",
    "a context whose child has a consumer that waits does not start the connection",
    "8.4-13",
)
def _(patch):
    children = defaultdict(list)

    def create_context(original, context, mode):
        made = original(context, mode)
        children[context].append(made)
        return made

    def waits(context, arguments):
        return any(not child.auto_start and child.session.consumers for child in children[context])

    patch.around(ReferenceContext, "create_context", create_context)
    _without_start(patch, "create_consumer", waits)
