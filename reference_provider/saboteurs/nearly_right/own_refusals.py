"""Providers that refuse a legal call although all else works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.nearly_right.registry import nearly_right
from reference_provider.saboteurs.registry import Patch
from tck.api import JMSException


@nearly_right(
    "closing-a-connection-raises", "close of a connection closes it and raises JMSException", "6.1.8-13", "3.4.7-2"
)
def _close(patch: Patch) -> None:
    def close(original: Callable[[ReferenceConnection], None], connection: ReferenceConnection) -> None:
        original(connection)
        raise JMSException("closed, with an error")

    patch.at(fault_points.CONNECTION_CLOSED, close)


@nearly_right("no-browsers", "create_browser of a session is refused", "4.1.6-2")
def _browser(patch: Patch) -> None:
    def create_browser(*_: Any) -> None:
        raise JMSException("browsers are not supported")

    patch.replace(ReferenceSession, "create_browser", create_browser)
