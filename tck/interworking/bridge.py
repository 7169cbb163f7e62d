"""Bridges and the factory that makes them, named after the IDL of the document on interworking.

Abstract types only. A bridge in Python, or one that is reached through Java or an ORB, implements them; the suite drives them.
Imports `tck.api` and this package's values only.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass

from tck.interworking.converter import BridgeError


class EndpointRole(enum.IntEnum):
    """Whether data comes from an end point or goes to it."""

    SOURCE = 0
    SINK = 1


class DestinationType(enum.IntEnum):
    """The kind of a destination."""

    QUEUE = 0
    TOPIC = 1


class FlowStyle(enum.IntEnum):
    """Who makes the call that carries data: the side that has it, or the side that wants it."""

    PUSH = 0
    PULL = 1


class MessageType(enum.IntEnum):
    """What an end point carries."""

    JMS_MESSAGE = 0
    STRUCTURED_EVENT = 1
    SEQUENCE_EVENT = 2


class EndpointErrorCode(enum.IntEnum):
    """Why an end point is invalid."""

    INVALID_CHANNELID = 0
    INVALID_JMSDESTINATION = 1
    MISMATCH_ENDPOINTROLE_NOTIFSTYLE = 2


class BridgeStatus(enum.IntEnum):
    """Whether a bridge carries data. The IDL leaves the type open."""

    STOPPED = 0
    STARTED = 1


@dataclass(frozen=True, slots=True)
class JMSDestination:
    """A destination of JMS.

    Attributes:
        type: Queue or topic.
        name: Its name.
        factory_name: The connection factory to use; empty for the default one.
    """

    type: DestinationType
    name: str
    factory_name: str = ""


@dataclass(frozen=True, slots=True)
class ExternalEndpoint:
    """One end of a bridge.

    Attributes:
        role: Source or sink.
        connector: A destination of JMS, or the id of a channel.
        style: Push or pull.
        type: What it carries: messages at a destination, events or batches of them at a channel.
    """

    role: EndpointRole
    connector: JMSDestination | int
    style: FlowStyle
    type: MessageType


@dataclass(frozen=True, slots=True)
class EndpointError:
    """An end point that is invalid, and why."""

    role: EndpointRole
    code: EndpointErrorCode


class InvalidExternalEndPoints(BridgeError):  # noqa: N818 - the IDL's name
    """A bridge cannot be made or started with these end points."""

    def __init__(self, *errors: EndpointError) -> None:
        self.errors = errors
        super().__init__(", ".join(f"{each.role.name}: {each.code.name}" for each in errors))


class StyleNotOffered(BridgeError):  # noqa: N818 - named for what it says
    """The styles fit together, and the bridge leaves the combination out, as it may."""


class StatusNotOffered(BridgeError):  # noqa: N818 - named for what it says
    """The bridge has no `get_status`, as in the separate IDL file (iw-3.1-16)."""


class BridgeAlreadyStarted(BridgeError):  # noqa: N818 - the IDL's name
    """The bridge carries data already."""


class BridgeInactive(BridgeError):  # noqa: N818 - the IDL's name
    """The bridge does not carry data."""


class BridgeNotFound(BridgeError):  # noqa: N818 - the IDL's name
    """No bridge has the id."""


class Bridge(ABC):
    """Carries data from its source to its sink. After `destroy` each call raises `ObjectNotExist`."""

    @property
    @abstractmethod
    def end_point_receiver(self) -> ExternalEndpoint:
        """The source."""

    @property
    @abstractmethod
    def end_point_sender(self) -> ExternalEndpoint:
        """The sink."""

    @abstractmethod
    def start_bridge(self) -> None:
        """Connect both sides, or resume them after a stop.

        Raises:
            BridgeAlreadyStarted: It carries data.
            InvalidExternalEndPoints: A side cannot be connected.
        """

    @abstractmethod
    def stop_bridge(self) -> None:
        """Suspend both sides.

        Raises:
            BridgeInactive: It does not carry data.
        """

    @abstractmethod
    def get_status(self) -> BridgeStatus:
        """Return whether data is carried from end to end, or raise StatusNotOffered."""

    @abstractmethod
    def destroy(self) -> None:
        """Disconnect both sides and end the bridge."""


class BridgeFactory(ABC):
    """Makes bridges and finds them."""

    @property
    def uses_provider(self) -> bool:
        """Whether its bridges call the provider that they were given, so that their calls are seen. Default True; False for one that has
        a client of its own.
        """
        return True

    @abstractmethod
    def create_bridge(self, source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[Bridge, int]:
        """Make a bridge that is not started, with its id.

        Raises:
            InvalidExternalEndPoints: A channel or destination does not exist, or roles and styles do not fit.
            StyleNotOffered: They fit, and this factory makes no such bridges.
        """

    @abstractmethod
    def get_bridge_with_id(self, bridge_id: int) -> Bridge:
        """Return a bridge, or raise BridgeNotFound."""

    @abstractmethod
    def get_all_bridges(self) -> tuple[int, ...]:
        """Return the ids of the bridges that are not destroyed."""

    @abstractmethod
    def close(self) -> None:
        """Destroy all bridges; the suite calls it at the end of a case."""
