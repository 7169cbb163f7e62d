"""Faults in 6.1.4: what the consumers of a context start."""

from faults.kit import *

_HONEST = ReferenceContext.auto_start
_CREATORS = [name for name in vars(JMSContext) if name.endswith("_consumer")]


def _not_started_by_shared(patch, applies):
    """Let shared consumers not start some contexts."""

    def create(original, self, *arguments):
        wanted = _HONEST.fget(self)
        _HONEST.fset(self, wanted and not applies(self))
        try:
            return original(self, *arguments)
        finally:
            _HONEST.fset(self, wanted)

    around_each(patch, ReferenceContext, ["create_shared_consumer", "create_shared_durable_consumer"], create)


saboteur(
    "6.1.4-9",
    "a shared consumer does not start a context",
    lambda patch: _not_started_by_shared(patch, lambda _context: True),
)


@saboteur(
    "6.1.4-10", "auto-start reaches the receivers of the context that has the new consumer, but not those of others"
)
def _(patch):
    deaf = Connections()

    def create(original, self, *arguments):
        idle = [] if self.connection.running else [each for each in self.connection.sessions if each.consumers]
        made = original(self, *arguments)
        for session in idle if self.connection.running else ():
            if session is not self.session:
                deaf.add(session)
        return made

    def next_delivery(original, consumer, timeout):
        return None if consumer.session in deaf else original(consumer, timeout)

    around_each(patch, ReferenceContext, _CREATORS, create)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.1.4-11",
    "a further context in CLIENT_ACKNOWLEDGE starts the connection",
    around=(ReferenceContext, "create_context"),
)
def _(original, self, session_mode):
    made = original(self, session_mode)
    if session_mode == Session.CLIENT_ACKNOWLEDGE:
        self.connection.start()
    return made


@saboteur(
    "6.1.4-12",
    "a consumer with a selector starts a context, whatever its auto-start is",
    around=(ReferenceContext, *_CREATORS),
)
def _(original, self, *arguments):
    made = original(self, *arguments)
    if any(isinstance(each, str) and "=" in each for each in arguments):
        self.connection.start()
    return made


@saboteur("6.1.4-13", "after stop() a context with auto-start off cannot be started again")
def _(patch):
    stopped = Connections()

    def stop(original, connection):
        stopped.add(connection)
        original(connection)

    def start(original, self):
        if self.auto_start or self.connection not in stopped:
            original(self)

    patch.at(fault_points.CONNECTION_STOPPED, stop)
    patch.around(ReferenceContext, "start", start)


@saboteur("6.1.4-14", "setting auto-start starts the connection if a consumer is there")
def _(patch):
    def set_auto_start(self, auto_start):
        _HONEST.fset(self, auto_start)
        if auto_start and self.session.consumers:
            self.connection.start()

    patch.replace(ReferenceContext, "auto_start", property(_HONEST.fget, set_auto_start))


saboteur(
    "6.1.4-15",
    "getAutoStart always returns true",
    lambda patch: patch.replace(ReferenceContext, "auto_start", property(lambda _: True, _HONEST.fset)),
)
