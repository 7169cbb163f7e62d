"""Faults in 6.1.8: closed contexts, their connection and their siblings."""

from collections import Counter

from faults.kit import *


@saboteur(
    "6.1.8-18",
    "receive() returns null after its context is closed while a sibling is open",
    around=(ReferenceJMSConsumer, "receive"),
)
def _(original, consumer, *arguments):
    session = consumer._consumer.session
    if session.closed and not session.connection.closed:
        return None
    return original(consumer, *arguments)


def _numbers(patch):
    """Return the number of contexts that each connection has had, kept up to date."""
    joined = Counter[SharedConnection]()

    def join(original, shared):
        joined[shared] += 1
        original(shared)

    patch.around(SharedConnection, "join", join)
    return joined


@saboteur("6.1.8-19", "the close of the last of three contexts leaves the connection open")
def _(patch):
    joined = _numbers(patch)

    def leave(original, shared):
        return original(shared) and joined[shared] < 3

    patch.around(SharedConnection, "leave", leave)


@saboteur(
    "6.1.8-20",
    "close() of a context closes the connection that its siblings use",
    collateral={"6.1.8-42": "it closes a context with siblings"},
)
def _(patch):
    def close(original, context):
        original(context)
        if not context.connection.closed:
            context.connection.close()

    patch.around(ReferenceContext, "close", close)


@nearly_right(
    "second-close-of-a-context-closes-its-siblings",
    "a second close() of a context closes the connection that its siblings use",
    "6.1.8-20",
)
def _(patch):
    def close(original, context):
        if context._closed and not context.connection.closed:
            context.connection.close()
        original(context)

    patch.around(ReferenceContext, "close", close)


@saboteur("6.1.8-37", "acknowledge() of a closed context that has acknowledged messages does nothing")
def _(patch):
    done = set[ReferenceContext]()

    def acknowledge(original, context):
        if not (context in done and context.session.closed):
            original(context)
            done.add(context)

    patch.around(ReferenceContext, "acknowledge", acknowledge)


@saboteur(
    "6.1.8-42",
    "createProducer() of a closed context works while a sibling is open",
    around=(ReferenceContext, "create_producer"),
)
def _(original, context):
    if context.session.closed and not context.connection.closed:
        return ReferenceJMSProducer(context.session)
    return original(context)


@saboteur(
    "6.1.8-43",
    "receiveBodyNoWait() returns null after its context is closed",
    around=(ReferenceJMSConsumer, "receive_body_no_wait"),
)
def _(original, consumer, *arguments):
    return None if consumer._consumer.session.closed else original(consumer, *arguments)
