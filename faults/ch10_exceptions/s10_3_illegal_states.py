"""Faults in 10.3: IllegalStateException for calls that the session, its domain or the moment does not permit."""

from faults.kit import *


def _transacted(session):
    session.check_open()
    return session.mode == Session.SESSION_TRANSACTED


def _ignored_in(patch, owner, name, mode):
    """Do nothing in a method of sessions, or of contexts, that are in a mode."""

    def method(original, part):
        session = part if isinstance(part, ReferenceSession) else part.session
        session.check_open()
        if session.mode != mode:
            original(part)

    patch.around(owner, name, method)


@saboteur("10.3-7", "commit() of a session in DUPS_OK_ACKNOWLEDGE does nothing", at=fault_points.COMMIT)
def _(original, session):
    session.check_open()
    if session.mode != Session.DUPS_OK_ACKNOWLEDGE:
        original(session)


@saboteur("10.3-8", "rollback() of a session in CLIENT_ACKNOWLEDGE recovers it", around=(ReferenceSession, "rollback"))
def _(original, session):
    session.check_open()
    if session.mode == Session.CLIENT_ACKNOWLEDGE:
        session.recover()
    else:
        original(session)


@saboteur(
    "10.3-9",
    "recover() of a transacted session returns what it received, and then raises",
    around=(ReferenceSession, "recover"),
)
def _(original, session):
    if _transacted(session):
        session.rollback()
    original(session)


@saboteur(
    "10.3-10",
    "commit() of a context without transactions raises a plain JMSRuntimeException",
    around=(ReferenceContext, "commit"),
)
def _(original, context):
    try:
        original(context)
    except IllegalStateRuntimeException as error:
        if context.session.closed:
            raise
        raise JMSRuntimeException(str(error)) from error


saboteur(
    "10.3-11",
    "rollback() of a context in AUTO_ACKNOWLEDGE does nothing",
    lambda patch: _ignored_in(patch, ReferenceContext, "rollback", Session.AUTO_ACKNOWLEDGE),
)


@saboteur("10.3-12", "recover() of a transacted context rolls it back", around=(ReferenceContext, "recover"))
def _(original, context):
    if _transacted(context.session):
        context.rollback()
    else:
        original(context)


@saboteur(
    "10.3-13",
    "TopicSession.createBrowser raises java.lang.IllegalStateException",
    collateral={"9.2-11": "it makes the same call"},
    around=(ReferenceTopicSession, "create_browser"),
)
def _(original, session, *arguments):
    try:
        return original(session, *arguments)
    except IllegalStateException as error:
        raise JavaIllegalStateException(str(error)) from error


@saboteur("10.3-14", "a second attempt to set a client identifier too late raises a plain JMSException")
def _(patch):
    late = set()
    kept = []  # so that no identity is used twice
    original = ReferenceConnection.client_id

    def set_client_id(self, client_id):
        try:
            original.fset(self, client_id)
        except IllegalStateException as error:
            if id(self) in late and self.client_id_or_none is None:
                raise JMSException("too late") from error
            late.add(id(self))
            kept.append(self)
            raise

    patch.replace(ReferenceConnection, "client_id", property(original.fget, set_client_id))


@saboteur(
    "10.3-50",
    "commit() of a session without transactions returns as if it had worked",
    version="1.0",
    at=fault_points.COMMIT,
)
def _(original, session):
    if _transacted(session):
        original(session)
