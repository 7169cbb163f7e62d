"""Faults in 11.3.2: XA connections and the sessions that they create."""

from faults.kit import *


def _second(patch, owner, name):
    """Return the list of the sessions that are not the first of their connection."""
    seen = []
    later = []

    def create(original, connection):
        session = original(connection)
        if any(one is connection for one in seen):
            later.append(session)
        seen.append(connection)
        return session

    patch.around(owner, name, create)
    return later


_NEIGHBOUR = {"11.3.3-1": "it works with the second session of a connection"}


@saboteur("11.3.2-1", "the second XASession of a connection has no Session", collateral=_NEIGHBOUR)
def _(patch):
    later = _second(patch, ReferenceXAConnection, "create_xa_session")
    patch.replace(
        ReferenceXASession, "session", property(lambda self: None if any(one is self for one in later) else self)
    )


@saboteur("11.3.2-2", "the second XA session of a domain-specific connection has no XAResource", collateral=_NEIGHBOUR)
def _(patch):
    for connection, name, session in (
        (ReferenceXAQueueConnection, "create_xa_queue_session", ReferenceXAQueueSession),
        (ReferenceXATopicConnection, "create_xa_topic_session", ReferenceXATopicSession),
    ):
        _without_resource(patch, session, _second(patch, connection, name))


def _without_resource(patch, kind, sessions):
    """Take the resource away from these sessions of a class."""
    patch.replace(
        kind, "xa_resource", property(lambda self: None if any(one is self for one in sessions) else self.resource)
    )


@saboteur("11.3.2-3", "an XA connection has no metadata")
def _(patch):
    honest = vars(ReferenceConnection)["meta_data"]

    def meta_data(connection):
        if isinstance(connection, ReferenceXAConnection):
            raise UnsupportedOperationException("getMetaData")
        return honest.fget(connection)

    patch.replace(ReferenceConnection, "meta_data", property(meta_data))
