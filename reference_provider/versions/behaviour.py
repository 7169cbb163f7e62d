"""What an old version does otherwise in members that it has: arguments, headers and properties that came later are left out.

Each function of `CHANGES` gets the member of the newest version and returns the one that takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from reference_provider.broker.delivery import Delivery
from reference_provider.broker.physical_destinations import PhysicalDestination
from reference_provider.broker.stored_message import Stamp, StampWithoutDelay
from reference_provider.client.connections import ReferenceConnection
from reference_provider.client.metadata import ReferenceMetaData
from reference_provider.client.producers import Options, ReferenceProducer
from reference_provider.client.sessions import ReferenceSession
from reference_provider.messages import ReferenceMessage
from tck.api import OMITTED, Session, UnsupportedOperationException

Member: TypeAlias = Callable[..., Any]

DELIVERY_COUNT: Final = "JMSXDeliveryCount"
"""The property that no provider had to set before version 2.0; this one then does not."""


def refusal(what: str, first: str, version: str) -> UnsupportedOperationException:
    """Return the exception for a call that `version` does not have."""
    return UnsupportedOperationException(f"{what} came with JMS {first}; this provider plays {version}")


def with_both_arguments(create_session: Member, version: str) -> Member:
    """Demand both arguments of `Connection.create_session`."""

    def create(connection: ReferenceConnection, **arguments: Any) -> Session:  # noqa: ANN401 # as the original checks them
        if any(arguments.get(name, OMITTED) is OMITTED for name in ("transacted", "session_mode")):
            raise refusal("createSession without one of its two arguments", "2.0", version)
        made: Session = create_session(connection, **arguments)
        return made

    return create


def without_listener(send: Member, version: str) -> Member:
    """Refuse an asynchronous send."""

    def send_now(producer: ReferenceProducer, message: Any, **arguments: Any) -> None:  # noqa: ANN401 # as the original checks them
        if arguments.get("completion_listener", OMITTED) is not OMITTED:
            raise refusal("send with a CompletionListener", "2.0", version)
        send(producer, message, **arguments)

    return send_now


def without_delay(stamp_for: Member, version: str) -> Member:
    """Leave JMSDeliveryTime of the sender's message alone."""
    del version

    def stamp(producer: ReferenceProducer, physical: PhysicalDestination, options: Options) -> Stamp:
        return StampWithoutDelay(*stamp_for(producer, physical, options))

    return stamp


def without_count(message_of: Member, version: str) -> Member:
    """Leave the delivery count out of a received message."""
    del version

    def message(session: ReferenceSession, delivery: Delivery) -> ReferenceMessage:
        made: ReferenceMessage = message_of(session, delivery)
        made.leave_out(DELIVERY_COUNT)
        return made

    return message


def without_the_name(get_jmsx_property_names: Member, version: str) -> Member:
    """Leave the delivery count out of the supported properties."""
    del version

    def names(meta_data: ReferenceMetaData) -> Iterator[str]:
        return (name for name in get_jmsx_property_names(meta_data) if name != DELIVERY_COUNT)

    return names


CHANGES: Final[Mapping[type, Mapping[str, Callable[[Member, str], Member]]]] = {
    ReferenceConnection: {"create_session": with_both_arguments},
    ReferenceMetaData: {"get_jmsx_property_names": without_the_name},
    ReferenceProducer: {"send": without_listener, "stamp_for": without_delay},
    ReferenceSession: {"message_of": without_count},
}
"""What every version below 2.0 does otherwise, by class and member."""
