"""Faults in 8.3.1: noLocal of unshared non-durable subscriptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import nearly_right, saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.broker.physical_destinations import Subscription
from reference_provider.broker.stored_message import StoredMessage
from reference_provider.client.receivers import Receiver
from reference_provider.client.sessions import ReferenceSession
from tck.api import OMITTED, DeliveryMode

Fault = Callable[[Subscription, StoredMessage, ReferenceSession | None], bool]


def _local_otherwise(patch: Patch, heard: Fault) -> None:
    """Let an unshared subscription with noLocal get a message of its connection where `heard` holds, for its session."""
    senders: dict[int, tuple[StoredMessage, ReferenceSession]] = {}

    def submit(original: Callable[..., None], session: ReferenceSession, physical: Any, entry: StoredMessage) -> None:
        senders[id(entry)] = (entry, session)
        original(session, physical, entry)

    def wants(original: Callable[..., bool], found: Subscription, entry: StoredMessage) -> bool:
        if original(found, entry):
            return True
        local = found.no_local is not None and found.session is not None and not found.is_foreign(entry)
        matching = found.matches is None or found.matches(entry)
        _, session = senders.get(id(entry), (None, None))
        return local and matching and heard(found, entry, session)

    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur("8.3.1-13", "noLocal lets messages of its own session through")
def _(patch: Patch) -> None:
    _local_otherwise(
        patch,
        lambda found, _entry, session: session is found.session,
    )


@nearly_right(
    "no-local-lets-own-non-persistent-messages-through",
    "noLocal lets messages of its own session through that are not persistent",
    "8.3.1-13",
)
def _(patch: Patch) -> None:
    _local_otherwise(
        patch,
        lambda found, entry, session: session is found.session and entry.delivery_mode == DeliveryMode.NON_PERSISTENT,
    )


@saboteur("8.3.1-14", "noLocal lets messages of other sessions of its connection through")
def _(patch: Patch) -> None:
    _local_otherwise(patch, lambda found, _entry, session: session is not None and session is not found.session)


@nearly_right(
    "no-local-lets-the-third-session-through",
    "noLocal lets messages of the third session of its connection through",
    "8.3.1-14",
)
def _(patch: Patch) -> None:
    def third(session: ReferenceSession | None) -> bool:
        connection: Any = session.connection if session is not None else None
        return connection is not None and session in connection.sessions[2:]

    _local_otherwise(patch, lambda found, _entry, session: session is not found.session and third(session))


def _left_out(patch: Patch, applies: Callable[[StoredMessage], bool]) -> None:
    """Let noLocal leave out some messages, whoever sent them."""

    def wants(original: Callable[..., bool], found: Subscription, entry: StoredMessage) -> bool:
        strict = found.no_local is not None and found.session is not None
        return original(found, entry) and not (strict and applies(entry))

    patch.at(fault_points.SUBSCRIPTION_MATCHED, wants)


@saboteur(
    "8.3.1-15",
    "noLocal leaves out the messages of all connections",
    collateral={
        **dict.fromkeys(("8.3.1-1", "8.3.1-2", "8.3.1-3", "8.3.1-4"), "one of its overloads has noLocal"),
        **dict.fromkeys(("8.3.1-13", "8.3.1-14"), "a message of another connection shows that its consumer receives"),
    },
)
def _(patch: Patch) -> None:
    _left_out(patch, lambda _entry: True)


@nearly_right(
    "no-local-leaves-out-all-clients-with-an-identifier",
    "noLocal leaves out the messages of all connections with a client identifier",
    "8.3.1-15",
)
def _(patch: Patch) -> None:
    _left_out(patch, lambda entry: not str(entry.sender).startswith("connection-"))


@saboteur("8.3.1-16", "a selector without noLocal leaves out the messages of the own connection")
def _(patch: Patch) -> None:
    def open_plain(
        original: Callable[..., Receiver], session: ReferenceSession, destination: Any, selector: Any, no_local: Any
    ) -> Receiver:
        if selector and selector is not OMITTED and no_local is OMITTED:
            no_local = True
        return original(session, destination, selector, no_local)

    patch.at(fault_points.PLAIN_CONSUMER_OPENED, open_plain)
