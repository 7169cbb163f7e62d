"""Faults in 9.2: methods that the sessions of a domain inherit and must refuse."""

from faults.kit import *

TABLE = {"10.3-13": "it calls every method that 9.2 lists"}


def _let_through(patch, owner, name, when):
    """Let calls of a method through to the common implementation under a condition."""
    refuse, common = getattr(owner, name), getattr(ReferenceSession, name)

    def method(self, *arguments, **named):
        through = when(self, len(arguments) + len(named))
        return (common if through else refuse)(self, *arguments, **named)

    patch.replace(owner, name, method)


def _with(count):
    return lambda _, given: given == count


saboteur(
    "9.2-4",
    "a QueueSession creates a durable subscriber if a selector is given",
    lambda patch: _let_through(patch, ReferenceQueueSession, "create_durable_subscriber", _with(4)),
    collateral=TABLE,
)
saboteur(
    "9.2-5",
    "a QueueSession creates a durable consumer if a selector is given",
    lambda patch: _let_through(patch, ReferenceQueueSession, "create_durable_consumer", _with(4)),
    collateral=TABLE,
)
saboteur(
    "9.2-6",
    "a QueueSession creates a shared consumer if a selector is given",
    lambda patch: _let_through(patch, ReferenceQueueSession, "create_shared_consumer", _with(3)),
    collateral=TABLE,
)
saboteur(
    "9.2-7",
    "a QueueSession creates a shared durable consumer if a selector is given",
    lambda patch: _let_through(patch, ReferenceQueueSession, "create_shared_durable_consumer", _with(3)),
    collateral=TABLE,
)


@saboteur(
    "9.2-8",
    "a transacted QueueSession creates a temporary topic",
    collateral=TABLE,
    by=lambda patch, made: _let_through(patch, ReferenceQueueSession, "create_temporary_topic", made),
)
def _(session, _):
    return session.transacted


@saboteur(
    "9.2-9",
    "a listener of a QueueSession creates a topic by its name",
    by=lambda patch, made: _let_through(patch, ReferenceQueueSession, "create_topic", made),
)
def _(session, _):
    return session.in_listener()


@saboteur("9.2-10", "QueueSession.unsubscribe raises InvalidDestinationException")
def _(patch):
    def unsubscribe(self, name):
        self.check_open()
        raise InvalidDestinationException(f"no durable subscription {name!r}")

    patch.replace(ReferenceQueueSession, "unsubscribe", unsubscribe)


saboteur(
    "9.2-11",
    "a TopicSession creates a browser if a selector is given",
    lambda patch: _let_through(patch, ReferenceTopicSession, "create_browser", _with(2)),
    collateral=TABLE,
)


@saboteur(
    "9.2-12",
    "a TopicSession creates a queue by its name if its connection is stopped",
    by=lambda patch, made: _let_through(patch, ReferenceTopicSession, "create_queue", made),
)
def _(session, _):
    return not session.connection.running


@saboteur("9.2-13", "a TopicSession that refuses createTemporaryQueue has created the queue")
def _(patch):
    made = []  # a temporary destination that nobody knows is dropped

    def create_temporary_queue(self):
        made.append(ReferenceSession.create_temporary_queue(self))
        raise IllegalStateException("a topic session has no temporary queues")

    patch.replace(ReferenceTopicSession, "create_temporary_queue", create_temporary_queue)
