"""Faults in 10.3: IllegalStateException for calls that the session, its domain or the moment does not permit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceTopicSession
from reference_provider.client.sessions import ReferenceSession
from tck.api import (
    IllegalStateException,
    IllegalStateRuntimeException,
    JavaIllegalStateException,
    JMSException,
    JMSRuntimeException,
    Session,
)

_Call = Callable[[Any], None]


def _transacted(session: ReferenceSession) -> bool:
    session.check_open()
    return session.mode == Session.SESSION_TRANSACTED


def _ignored_in(patch: Patch, owner: type, name: str, mode: int) -> None:
    """Do nothing in a method of sessions, or of contexts, that are in a mode."""

    def method(original: _Call, part: Any) -> None:
        session: ReferenceSession = part if isinstance(part, ReferenceSession) else part.session
        session.check_open()
        if session.mode != mode:
            original(part)

    around(patch, owner, name, method)


@saboteur("10.3-7", "commit() of a session in DUPS_OK_ACKNOWLEDGE does nothing")
def _(patch: Patch) -> None:
    def commit(original: _Call, session: ReferenceSession) -> None:
        session.check_open()
        if session.mode != Session.DUPS_OK_ACKNOWLEDGE:
            original(session)

    patch.at(fault_points.COMMIT, commit)


@saboteur("10.3-8", "rollback() of a session in CLIENT_ACKNOWLEDGE recovers it")
def _(patch: Patch) -> None:
    def rollback(original: _Call, session: ReferenceSession) -> None:
        session.check_open()
        if session.mode == Session.CLIENT_ACKNOWLEDGE:
            session.recover()
        else:
            original(session)

    around(patch, ReferenceSession, "rollback", rollback)


@saboteur("10.3-9", "recover() of a transacted session returns what it received, and then raises")
def _(patch: Patch) -> None:
    def recover(original: _Call, session: ReferenceSession) -> None:
        if _transacted(session):
            session.rollback()
        original(session)

    around(patch, ReferenceSession, "recover", recover)


@saboteur("10.3-10", "commit() of a context without transactions raises a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    def commit(original: _Call, context: ReferenceContext) -> None:
        try:
            original(context)
        except IllegalStateRuntimeException as error:
            if context.session.closed:
                raise
            raise JMSRuntimeException(str(error)) from error

    around(patch, ReferenceContext, "commit", commit)


@saboteur("10.3-11", "rollback() of a context in AUTO_ACKNOWLEDGE does nothing")
def _(patch: Patch) -> None:
    _ignored_in(patch, ReferenceContext, "rollback", Session.AUTO_ACKNOWLEDGE)


@saboteur("10.3-12", "recover() of a transacted context rolls it back")
def _(patch: Patch) -> None:
    def recover(original: _Call, context: ReferenceContext) -> None:
        if _transacted(context.session):
            context.rollback()
        else:
            original(context)

    around(patch, ReferenceContext, "recover", recover)


@saboteur(
    "10.3-13",
    "TopicSession.createBrowser raises java.lang.IllegalStateException",
    collateral={"9.2-11": "it makes the same call"},
)
def _(patch: Patch) -> None:
    def create_browser(original: Callable[..., Any], session: Any, *arguments: Any) -> Any:
        try:
            return original(session, *arguments)
        except IllegalStateException as error:
            raise JavaIllegalStateException(str(error)) from error

    around(patch, ReferenceTopicSession, "create_browser", create_browser)


@saboteur("10.3-14", "a second attempt to set a client identifier too late raises a plain JMSException")
def _(patch: Patch) -> None:
    late: set[int] = set()
    kept: list[ReferenceConnection] = []  # so that no identity is used twice
    original: Any = ReferenceConnection.client_id

    def set_client_id(self: ReferenceConnection, client_id: str | None) -> None:
        try:
            original.fset(self, client_id)
        except IllegalStateException as error:
            if id(self) in late and self.client_id_or_none is None:
                raise JMSException("too late") from error
            late.add(id(self))
            kept.append(self)
            raise

    patch.replace(ReferenceConnection, "client_id", property(original.fget, set_client_id))


@saboteur("10.3-50", "commit() of a session without transactions returns as if it had worked", version="1.0")
def _(patch: Patch) -> None:
    def commit(original: _Call, session: ReferenceSession) -> None:
        if _transacted(session):
            original(session)

    patch.at(fault_points.COMMIT, commit)
