"""Faults in 6.1: how connections and contexts are made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.connections import Connections
from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import (
    ReferenceConnectionFactory,
    ReferenceQueueConnectionFactory,
    ReferenceTopicConnectionFactory,
)
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.context import ReferenceContext
from reference_provider.client.domain_specific import ReferenceQueueConnection, ReferenceTopicConnection
from reference_provider.client.sessions import ReferenceSession
from tck.api import OMITTED, JMSException, JMSSecurityException, Session

WITH_CREDENTIALS = "it connects with credentials"


def _refused_to_users(patch: Patch, owner: type, name: str, *, user: str) -> None:
    """Refuse the credentials of a user in a method that takes them."""

    def create(original: Callable[..., Any], factory: Any, *credentials: Any) -> Any:
        if credentials and credentials[0] == user:
            raise JMSSecurityException("the password is wrong")
        return original(factory, *credentials)

    around(patch, owner, name, create)


@saboteur(
    "6.1-1",
    "the third createConnection() of a factory demands a user name",
    collateral={"6.1-14": "it has four connections of one factory"},
)
def _(patch: Patch) -> None:
    calls: dict[int, list[object]] = {}

    def create(original: Callable[..., Any], factory: Any, user: Any = OMITTED, password: Any = OMITTED) -> Any:
        calls.setdefault(id(factory), []).append(factory)
        if user is OMITTED and len(calls[id(factory)]) == 3:
            raise JMSException("give a user name")
        return original(factory, user, password)

    around(patch, ReferenceConnectionFactory, "create_connection", create)


@saboteur(
    "6.1-2",
    "createConnection(user, password) refuses every second user",
    collateral={"6.1.1-1": WITH_CREDENTIALS, "6.1-15": WITH_CREDENTIALS},
)
def _(patch: Patch) -> None:
    _refused_to_users(patch, ReferenceConnectionFactory, "create_connection", user="tck-other")


def _has_user(options: dict[str, Any]) -> bool:
    return options.get("user_name", OMITTED) is not OMITTED


def _mode_of_contexts(patch: Patch, fault: Callable[[dict[str, Any]], int | None]) -> None:
    """Create contexts with the mode that `fault` returns for the arguments, None for the honest one."""

    def create(original: Callable[..., Any], factory: ReferenceConnectionFactory, **options: Any) -> Any:
        mode = fault(options)
        return original(factory, **options if mode is None else {**options, "session_mode": mode})

    around(patch, ReferenceConnectionFactory, "create_context", create)


@saboteur(
    "6.1-3",
    "createContext(user, password) makes a context in CLIENT_ACKNOWLEDGE",
    collateral={"6.1-5": "it asks for no mode too"},
)
def _(patch: Patch) -> None:
    def fault(options: dict[str, Any]) -> int | None:
        without_mode = options.get("session_mode", OMITTED) is OMITTED
        return Session.CLIENT_ACKNOWLEDGE if _has_user(options) and without_mode else None

    _mode_of_contexts(patch, fault)


@saboteur(
    "6.1-4",
    "createContext(mode) makes a context in AUTO_ACKNOWLEDGE, whatever the mode",
    collateral={"6.1-5": "it asks for each mode"},
)
def _(patch: Patch) -> None:
    def fault(options: dict[str, Any]) -> int | None:
        return Session.AUTO_ACKNOWLEDGE if options.get("session_mode", OMITTED) is not OMITTED else None

    _mode_of_contexts(patch, fault)


@nearly_right(
    "user-gets-a-transacted-context-for-dups-ok",
    "createContext(user, password, DUPS_OK_ACKNOWLEDGE) makes a transacted context",
    "6.1-4",
)
def _(patch: Patch) -> None:
    def fault(options: dict[str, Any]) -> int | None:
        dups_ok = options.get("session_mode") == Session.DUPS_OK_ACKNOWLEDGE
        return Session.SESSION_TRANSACTED if dups_ok and _has_user(options) else None

    _mode_of_contexts(patch, fault)


@saboteur(
    "6.1-5",
    "createContext(user, password, mode) ignores its credentials",
    collateral={"6.1.1-4": "it tries wrong credentials with each mode", "6.1.1-1": "its context has a mode"},
)
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], factory: ReferenceConnectionFactory, **options: Any) -> Any:
        if options.get("session_mode", OMITTED) is not OMITTED:
            options = {"session_mode": options["session_mode"]}
        return original(factory, **options)

    around(patch, ReferenceConnectionFactory, "create_context", create)


@saboteur(
    "6.1-6",
    "createQueueConnection(user, password) refuses every second user",
    collateral={"6.1.1-1": WITH_CREDENTIALS, "6.1-15": WITH_CREDENTIALS},
)
def _(patch: Patch) -> None:
    _refused_to_users(patch, ReferenceQueueConnectionFactory, "create_queue_connection", user="tck-other")


@saboteur(
    "6.1-7",
    "createTopicConnection(user, password) refuses every second user",
    collateral={"6.1.1-1": WITH_CREDENTIALS, "6.1-15": WITH_CREDENTIALS},
)
def _(patch: Patch) -> None:
    _refused_to_users(patch, ReferenceTopicConnectionFactory, "create_topic_connection", user="tck-other")


@saboteur("6.1-10", "the sibling of a context in DUPS_OK_ACKNOWLEDGE inherits its mode")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], self: ReferenceContext, session_mode: int) -> Any:
        inherited = self.session.mode == Session.DUPS_OK_ACKNOWLEDGE
        return original(self, self.session.mode if inherited else session_mode)

    around(patch, ReferenceContext, "create_context", create)


@saboteur("6.1-12", "the fourth and the fifth thread that create sessions of a domain on one connection get the same")
def _(patch: Patch) -> None:
    made: dict[int, list[ReferenceSession]] = {}
    lock = threading.Lock()  # guards the lists

    def create(original: Callable[..., Any], connection: ReferenceConnection, *arguments: Any) -> Any:
        session = original(connection, *arguments)
        if threading.current_thread() is threading.main_thread():
            return session
        with lock:
            sessions = made.setdefault(id(connection), [])
            sessions.append(session)
            return sessions[3] if len(sessions) == 5 else session

    around(patch, ReferenceQueueConnection, "create_queue_session", create)
    around(patch, ReferenceTopicConnection, "create_topic_session", create)


@saboteur("6.1-14", "the fourth connection that a factory makes replaces the first, which stops delivering")
def _(patch: Patch) -> None:
    factories: dict[int, tuple[object, list[ReferenceConnection]]] = {}
    replaced = Connections()

    def connect(original: Callable[..., ReferenceConnection], factory: Any, *arguments: Any) -> ReferenceConnection:
        made = original(factory, *arguments)
        _, connections = factories.setdefault(id(factory), (factory, []))
        connections.append(made)
        if len(connections) == 4 and not connections[0].closed:
            replaced.add(connections[0])
        return made

    def next_delivery(original: Callable[..., Any], consumer: Any, timeout: int | None) -> Any:
        return None if consumer.session.connection in replaced else original(consumer, timeout)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)


@saboteur(
    "6.1-15",
    "an unknown user is found out by the first call on the connection only",
    collateral={"6.1.1-3": "it connects as an unknown user", "6.1.1-4": "it connects as an unknown user"}
    | {"6.1-5": "it connects as an unknown user"},
)
def _(patch: Patch) -> None:
    late = Connections()

    def connect(
        original: Callable[..., ReferenceConnection], factory: Any, kind: Any, user: Any, password: Any
    ) -> ReferenceConnection:
        unknown = isinstance(user, str) and user not in factory._server.users
        if not unknown:
            return original(factory, kind, user, password)
        made = original(factory, kind, OMITTED, OMITTED)
        late.add(made)
        return made

    def check_open(original: Callable[..., None], connection: ReferenceConnection) -> None:
        if connection in late:
            raise JMSSecurityException("the user is unknown")
        original(connection)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    patch.at(fault_points.CONNECTION_CHECKED, check_open)
