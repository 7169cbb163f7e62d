"""Red round 10, second part: faults in exceptions, written without sight of the suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around, around_each
from faults.kit.declaring import nearly_right
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.consumer_factory import ConsumerFactory
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.simplified import ReferenceJMSProducer
from reference_provider.java import utf
from reference_provider.messages.bytes_message import ReferenceBytesMessage
from reference_provider.messages.map_message import ReferenceMapMessage
from reference_provider.messages.stream_message import ReferenceStreamMessage
from reference_provider.server import Server
from tck.api import (
    IllegalStateException,
    InvalidClientIDException,
    InvalidDestinationException,
    InvalidSelectorException,
    Message,
    MessageEOFException,
    MessageFormatException,
    MessageNotWriteableException,
    NumberFormatException,
    Session,
    TemporaryQueue,
    TransactionRolledBackException,
)


@nearly_right(
    "known-durable-subscription-takes-any-selector",
    "a selector that does not parse is ignored where the unshared durable subscription exists already: it keeps its own",
    "10.3-25",
    "10.3-26",
    noticed=False,
)
def _any_selector(patch: Patch) -> None:
    def open_durable(
        original: Callable[..., Any], factory: ConsumerFactory, topic: Any, name: Any, selector: Any, no_local: Any
    ) -> Any:
        try:
            return original(factory, topic, name, selector, no_local)
        except InvalidSelectorException:
            with factory.broker.lock:
                found = factory.broker.subscriptions.durable((factory.connection.client_id_or_none, name))
            if found is None:
                raise
            return original(factory, topic, name, found.selector, no_local)

    around(patch, ConsumerFactory, "open_durable", open_durable)


@nearly_right(
    "text-cut-off-in-its-middle-is-read",
    "readUTF returns the rest of the bytes where fewer are left than the length before them says",
    "10.3-28",
)
def _cut_off(patch: Patch) -> None:
    def read_utf(original: Callable[..., str], message: ReferenceBytesMessage) -> str:
        try:
            return original(message)
        except MessageEOFException:
            left = message.body_length - message._position - 2
            if left <= 0:
                raise
            text = utf.decode(message._ahead(2, left))
            message._position += 2 + left
            return text

    around(patch, ReferenceBytesMessage, "read_utf", read_utf)


@nearly_right(
    "stream-that-ends-with-null-has-no-end",
    "readObject and readString return null for ever at the end of a stream whose last value is null",
    "10.3-27",
    noticed=False,
)
def _no_end(patch: Patch) -> None:
    def read(original: Callable[..., object], message: ReferenceStreamMessage) -> object:
        try:
            return original(message)
        except MessageEOFException:
            if message._items and message._items[-1] is None:
                return None
            raise

    around_each(patch, ReferenceStreamMessage, ("read_object", "read_string"), read)


@nearly_right(
    "entry-with-too-large-a-number-is-of-wrong-format",
    "a map entry whose text is a whole number too large for the type raises MessageFormatException, not NumberFormatException",
    "10.3-38",
)
def _too_large(patch: Patch) -> None:
    def get(original: Callable[..., int], message: ReferenceMapMessage, name: str) -> int:
        try:
            return original(message, name)
        except NumberFormatException as error:
            text = message.get_object(name)
            if isinstance(text, str) and text.lstrip("-").isdigit():
                raise MessageFormatException(str(error)) from error
            raise

    around_each(patch, ReferenceMapMessage, ("get_byte", "get_short", "get_int", "get_long"), get)


@nearly_right(
    "clear-properties-makes-a-map-writable",
    "clearProperties of a received MapMessage makes its entries writable as well",
    "10.3-41",
    noticed=False,
)
def _map_writable(patch: Patch) -> None:
    def clear_properties(original: Callable[..., None], message: ReferenceMapMessage) -> None:
        original(message)
        message._writable = True

    around(patch, ReferenceMapMessage, "clear_properties", clear_properties)


@nearly_right(
    "properties-that-change-nothing-are-not-refused",
    "a JMSProducer sends a received message that has all the properties of the producer already, with the same values",
    "10.3-43",
    "10.3-42",
    noticed=False,
)
def _change_nothing(patch: Patch) -> None:
    def overlay(original: Callable[..., None], producer: ReferenceJMSProducer, message: Message) -> None:
        try:
            original(producer, message)
        except MessageNotWriteableException:
            carrier = producer._carrier
            for name in carrier.get_property_names():
                if message.get_object_property(name) != carrier.get_object_property(name):
                    raise

    patch.at(fault_points.PRODUCER_APPLIED, overlay)


@nearly_right(
    "failed-commit-of-receipts-alone-returns",
    "commit returns normally although it ended in a rollback, if the transaction has received and not sent",
    "10.3-48",
    "10.3-49",
)
def _returns(patch: Patch) -> None:
    def commit(original: Callable[..., None], session: ReferenceSession) -> None:
        work = session.state.work
        try:
            original(session)
        except TransactionRolledBackException:
            if work.sends or not work.acks:
                raise

    patch.at(fault_points.COMMIT, commit)


@nearly_right(
    "rejected-client-identifier-counts-as-set",
    "after a rejected client identifier each further one raises IllegalStateException",
    "10.3-19",
    "10.3-20",
    noticed=False,
)
def _counts_as_set(patch: Patch) -> None:
    found: Any = vars(ReferenceConnection)["client_id"]
    rejected: list[ReferenceConnection] = []

    def set_client_id(connection: ReferenceConnection, client_id: str | None) -> None:
        if any(one is connection for one in rejected) and not connection.closed:
            raise IllegalStateException("the client identifier is set already", "CLIENT_ID_SET")
        try:
            found.fset(connection, client_id)
        except InvalidClientIDException:
            rejected.append(connection)
            raise

    patch.replace(ReferenceConnection, "client_id", property(found.fget, set_client_id))


@nearly_right(
    "empty-password-passes-for-no-credentials",
    "a user who gives an empty password is let in, as if without credentials",
    "10.3-15",
    "10.3-16",
    "10.3-17",
)
def _empty_password(patch: Patch) -> None:
    def authenticate(original: Callable[..., None], server: Server, user: str | None, password: str | None) -> None:
        original(server, None if password == "" else user, password)

    around(patch, Server, "authenticate", authenticate)


@nearly_right(
    "transacted-send-to-a-deleted-queue-returns",
    "a transacted session accepts a send to a deleted temporary queue, and drops the message",
    "10.3-23",
    "10.3-24",
    noticed=False,
)
def _deleted_accepted(patch: Patch) -> None:
    def send_now(
        original: Callable[..., None], producer: ReferenceProducer, message: Message, target: Any, options: Options
    ) -> None:
        try:
            original(producer, message, target, options)
        except InvalidDestinationException:
            transacted = producer.session.state.mode == Session.SESSION_TRANSACTED
            if not (transacted and isinstance(target, TemporaryQueue)):
                raise

    around(patch, ReferenceProducer, "send_now", send_now)
