"""Faults in 11.3.3: the resource of an XA session, the session for the application, and the calls left to the manager."""

from faults.kit import *


def _from_second_call_on(patch, owner, name, other):
    """Let a property return something else from the second read of an object on."""
    honest = getattr(owner, name)
    read = []

    def value(self):
        if any(one is self for one in read):
            return other(self)
        read.append(self)
        return honest.fget(self)

    patch.replace(owner, name, property(value))


saboteur(
    "11.3.3-1",
    "getXAResource() returns null from the second call on",
    lambda patch: _from_second_call_on(patch, ReferenceXASession, "xa_resource", lambda _: None),
)


def _independent(kind):
    def session(of):
        connection = of.connection
        return connection.add_session(kind(connection, Session.AUTO_ACKNOWLEDGE))

    return session


saboteur(
    "11.3.3-2",
    "getSession() returns an independent session from the second call on",
    lambda patch: _from_second_call_on(patch, ReferenceXASession, "session", _independent(ReferenceSession)),
)


@saboteur("11.3.3-3", "getQueueSession() and getTopicSession() return an independent session from the second call on")
def _(patch):
    _from_second_call_on(patch, ReferenceXAQueueSession, "queue_session", _independent(ReferenceQueueSession))
    _from_second_call_on(patch, ReferenceXATopicSession, "topic_session", _independent(ReferenceTopicSession))


@saboteur("11.3.3-8", "getTransacted() of an XASession is false while its branch is suspended, and before any")
def _(patch):
    mine = sessions_of_connections(patch)

    def transacted(session):
        session.check_open()
        return not mine(session) or session.resource._branch is not None

    patch.replace(ReferenceXASession, "transacted", property(transacted))


def _does_nothing_outside(patch, name):
    """Return normally from a call that is left to the manager, while the session of a connection works on no branch."""
    mine = sessions_of_connections(patch)

    def call(original, session):
        if not mine(session) or session.resource._branch is not None:
            original(session)

    patch.around(ReferenceXASession, name, call)


saboteur(
    "11.3.3-9",
    "commit() of an XASession that works on no branch does nothing",
    lambda patch: _does_nothing_outside(patch, "commit"),
)
saboteur(
    "11.3.3-10",
    "rollback() of an XASession that works on no branch does nothing",
    lambda patch: _does_nothing_outside(patch, "rollback"),
)
