"""Faults in 6.1.1: authentication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connection_factories import ReferenceConnectionFactory
from reference_provider.client.connections import ReferenceConnection
from reference_provider.messages import send_properties
from tck.api import OMITTED, JMSException, JMSSecurityException, Session


@saboteur("6.1.1-1", "after a refusal the next valid credentials are refused too")
def _(patch: Patch) -> None:
    refused: list[object] = []

    def connect(original: Callable[..., Any], factory: Any, kind: Any, user: Any, password: Any) -> Any:
        if refused and user is not OMITTED:
            refused.clear()
            raise JMSSecurityException("the account is locked")
        try:
            return original(factory, kind, user, password)
        except JMSSecurityException:
            refused.append(user)
            raise

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("6.1.1-2", "a connection without credentials acts as the user who connected last")
def _(patch: Patch) -> None:
    users: list[str] = []

    def connect(
        original: Callable[..., ReferenceConnection], factory: Any, kind: Any, user: Any, password: Any
    ) -> ReferenceConnection:
        made = original(factory, kind, user, password)
        if isinstance(user, str):
            users.append(user)
        elif users:
            made.user = users[-1]
            made.send_properties = send_properties(user=made.user, application=made.identity)
        return made

    patch.at(fault_points.CONNECTION_OPENED, connect)


@saboteur("6.1.1-3", "an empty password is refused with a plain JMSException where a connection is created")
def _(patch: Patch) -> None:
    def connect(original: Callable[..., Any], factory: Any, kind: Any, user: Any, password: Any) -> Any:
        try:
            return original(factory, kind, user, password)
        except JMSSecurityException:
            if password == "":
                raise JMSException("no password") from None
            raise

    def create(original: Callable[..., Any], factory: ReferenceConnectionFactory, **options: Any) -> Any:
        if options.get("password") == "":
            options["password"] = None
        return original(factory, **options)

    patch.at(fault_points.CONNECTION_OPENED, connect)
    around(patch, ReferenceConnectionFactory, "create_context", create)


@saboteur(
    "6.1.1-4",
    "createContext with credentials and CLIENT_ACKNOWLEDGE does not look at the password",
    collateral={"6.1-5": "it tries each mode"},
)
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], factory: ReferenceConnectionFactory, **options: Any) -> Any:
        if options.get("session_mode") == Session.CLIENT_ACKNOWLEDGE:
            options = {"session_mode": Session.CLIENT_ACKNOWLEDGE}
        return original(factory, **options)

    around(patch, ReferenceConnectionFactory, "create_context", create)
