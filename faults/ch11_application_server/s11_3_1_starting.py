"""Faults in 11.3.1: how the connections of XA factories start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from reference_provider.client.xa.objects import (
    ReferenceXAConnection,
    ReferenceXAContext,
    ReferenceXAQueueConnection,
    ReferenceXASession,
    ReferenceXATopicConnection,
)


@saboteur("11.3.1-7", "an XA connection is started by the creation of an XA session")
def _(patch: Patch) -> None:
    def create(original: Callable[..., ReferenceXASession], connection: ReferenceXAConnection) -> ReferenceXASession:
        session = original(connection)
        connection.start()
        return session

    around(patch, ReferenceXAConnection, "create_xa_session", create)
    around(patch, ReferenceXAQueueConnection, "create_xa_queue_session", create)
    around(patch, ReferenceXATopicConnection, "create_xa_topic_session", create)


@saboteur("11.3.1-8", "a consumer that is created in a branch does not start its XAJMSContext")
def _(patch: Patch) -> None:
    def create(original: Callable[..., Any], context: ReferenceContext, *arguments: Any, **named: Any) -> Any:
        held = isinstance(context, ReferenceXAContext) and context.session.resource._branch is not None  # type: ignore[attr-defined]  # an XA session
        before = context.auto_start
        if held:
            context.auto_start = False
        try:
            return original(context, *arguments, **named)
        finally:
            context.auto_start = before

    around(patch, ReferenceContext, "create_consumer", create)
