"""Faults in 11.3.1: how the connections of XA factories start."""

from faults.kit import *


@saboteur("11.3.1-7", "an XA connection is started by the creation of an XA session")
def _(patch):
    def create(original, connection):
        session = original(connection)
        connection.start()
        return session

    patch.around(ReferenceXAConnection, "create_xa_session", create)
    patch.around(ReferenceXAQueueConnection, "create_xa_queue_session", create)
    patch.around(ReferenceXATopicConnection, "create_xa_topic_session", create)


@saboteur(
    "11.3.1-8",
    "a consumer that is created in a branch does not start its XAJMSContext",
    around=(ReferenceContext, "create_consumer"),
)
def _(original, context, *arguments, **named):
    held = isinstance(context, ReferenceXAContext) and context.session.resource._branch is not None  # an XA session
    before = context.auto_start
    if held:
        context.auto_start = False
    try:
        return original(context, *arguments, **named)
    finally:
        context.auto_start = before
