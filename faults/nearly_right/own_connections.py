"""Providers that connect, name clients and start delivery as they should, but for one circumstance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each
from faults.kit.connections import Connections
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.delivery import Delivery
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumers import ReferenceConsumer
from reference_provider.client.context import ReferenceContext
from reference_provider.provider import ReferenceProvider

_AUTO_START: Any = ReferenceContext.auto_start
_CLIENT_ID: Any = ReferenceConnection.client_id


@nearly_right("identifier-kept-by-siblings", "an identifier stays reserved if several contexts shared it", "6.1.2-17")
def _siblings(patch: Patch) -> None:
    shared = Connections()

    def create(original: Callable[..., Any], context: ReferenceContext, session_mode: int) -> Any:
        shared.add(context.connection)
        return original(context, session_mode)

    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        client_id = connection.client_id_or_none
        original(connection)
        if connection in shared and client_id is not None:
            shared.discard(connection)
            connection.server.claim_client_id(client_id, ReferenceConnection(connection.server, None))

    around(patch, ReferenceContext, "create_context", create)
    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right(
    "identifier-lost-by-stop", "a connection that is stopped gives its identifier away", "6.1.2-13", "6.1.2-11"
)
def _stopped(patch: Patch) -> None:
    def stop(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        original(connection)
        connection.server.forget(connection)
        connection.server.register(connection)

    patch.at(fault_points.CONNECTION_STOPPED, stop)


@nearly_right(
    "identifier-refused-once",
    "an identifier in use is refused to the first who asks, and given to the second",
    "6.1.2-13",
)
def _second(patch: Patch) -> None:
    asked = set[str | None]()

    def set_client_id(self: ReferenceConnection, client_id: str | None) -> None:
        try:
            _CLIENT_ID.fset(self, client_id)
        except Exception:
            if client_id not in asked:
                asked.add(client_id)
                raise

    patch.replace(ReferenceConnection, "client_id", property(_CLIENT_ID.fget, set_client_id))


def _password(patch: Patch, accepts: Callable[[str, str], bool]) -> None:
    """Take a password for the right one if `accepts` says so, which gets the right one and that."""

    def connect(original: Callable[..., Any], factory: Any, kind: Any, user: Any, password: Any) -> Any:
        right = factory._server.users.get(user) if isinstance(user, str) else None
        if right is not None and isinstance(password, str) and accepts(right, password):
            password = right
        return original(factory, kind, user, password)

    patch.at(fault_points.CONNECTION_OPENED, connect)


@nearly_right("password-in-any-case", "passwords are compared without regard to capitals", "6.1.1-3", "6.1.1-4")
def _case(patch: Patch) -> None:
    _password(patch, lambda right, given: given.lower() == right.lower())


@nearly_right("password-by-its-beginning", "the beginning of a password is enough", "6.1.1-3", "6.1.1-4")
def _beginning(patch: Patch) -> None:
    _password(patch, lambda right, given: given != "" and right.startswith(given))


@nearly_right("password-with-more", "whatever follows a password is ignored", "6.1.1-3", "6.1.1-4")
def _more(patch: Patch) -> None:
    _password(patch, lambda right, given: given.startswith(right))


@nearly_right("auto-start-returns-with-stop", "stop() of a context turns its auto-start on again", "6.1.4-15")
def _returns(patch: Patch) -> None:
    def stop(original: Callable[[ReferenceContext], None], context: ReferenceContext) -> None:
        original(context)
        _AUTO_START.fset(context, True)

    around(patch, ReferenceContext, "stop", stop)


@nearly_right("auto-start-off-stops", "setAutoStart(false) stops a context that delivers", "6.1.4-14")
def _stops(patch: Patch) -> None:
    def set_auto_start(self: ReferenceContext, auto_start: bool) -> None:
        _AUTO_START.fset(self, auto_start)
        if not auto_start and self.connection.running:
            self.connection.stop()

    patch.replace(ReferenceContext, "auto_start", property(_AUTO_START.fget, set_auto_start))


@nearly_right(
    "auto-start-by-plain-consumers",
    "the first consumer of a context starts it unless it has a selector",
    "6.1.4-9",
    "6.1.4-8",
)
def _selector(patch: Patch) -> None:
    def create(original: Callable[..., Any], context: ReferenceContext, *arguments: Any) -> Any:
        wanted, selects = _AUTO_START.fget(context), any(isinstance(each, str) and "=" in each for each in arguments)
        _AUTO_START.fset(context, wanted and not selects)
        try:
            return original(context, *arguments)
        finally:
            _AUTO_START.fset(context, wanted)

    around_each(patch, ReferenceContext, ["create_shared_consumer", "create_shared_durable_consumer"], create)


@nearly_right("names-by-their-last-part", "names of the naming service are one if they end in the same part", "5.1-3")
def _last_part(patch: Patch) -> None:
    def last(original: Callable[..., Any], provider: ReferenceProvider, name: str, *obj: object) -> Any:
        return original(provider, name.rpartition("/")[2], *obj)

    around_each(patch, ReferenceProvider, ["bind", "lookup"], last)


@nearly_right(
    "timeout-is-a-problem", "a receive with a timeout that gets nothing is reported as a lost link", "6.1.7-9"
)
def _(patch: Patch) -> None:
    def next_delivery(
        original: Callable[..., Delivery | None], consumer: ReferenceConsumer, timeout: int | None
    ) -> Delivery | None:
        delivery = original(consumer, timeout)
        connection: Any = consumer.session.connection
        if delivery is None and timeout and connection.running:
            connection.report_loss("nothing was read in time")
        return delivery

    patch.at(fault_points.MESSAGE_AWAITED, next_delivery)
