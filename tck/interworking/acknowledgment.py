"""Event acknowledgment: names and interfaces of CosNotifyCommAck and CosNotifyChannelAdminAck, and hooks that factories may have.

A supplier side numbers what it sends in a header item `SEQUENCE_NUMBER`, keeps it until it is acknowledged, and sends it again
after `RETRY_INTERVAL`; a consumer side ignores what it has already and acknowledges by number (section 4.2 of the document). The
three properties of quality of service hold for a connection; they are set on channels, admins and proxies. Imports `tck.api` and this package's
values only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from tck.interworking import channel, clients

SEQUENCE_NUMBER: Final = "SequenceNumber"
"""Name of a header item; a long from 0 to `LAST_NUMBER`, on the first event of a batch only."""
DELIVERY_RELIABILITY: Final = "DeliveryReliability"
"""Name of a property, a short: `NONE` or `ACKNOWLEDGMENT`."""
RETRY_INTERVAL: Final = "RetryInterval"
"""Name of a property, a TimeT: the time before each retry, in units of 100 ns."""
RETRIES: Final = "Retries"
"""Name of a property, a long: the least number of retries before a side gives up."""

NONE: Final = 0
ACKNOWLEDGMENT: Final = 1

LAST_NUMBER: Final = 2**31 - 1
"""The greatest number; 0 follows."""

SequenceNumbers: TypeAlias = tuple[int, ...]
"""Numbers of events or batches, each a long."""


class StructuredPushSupplierAck(clients.StructuredPushSupplier):
    """Pushes single events into a channel, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Learn that the events with these numbers have been stored; a number may come again."""


class StructuredPullSupplierAck(clients.StructuredPullSupplier):
    """Has single events that a channel pulls, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Learn that the events with these numbers have been stored; a number may come again."""


class SequencePushSupplierAck(clients.SequencePushSupplier):
    """Pushes batches into a channel, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Learn that the batches with these numbers have been stored; a number may come again."""


class SequencePullSupplierAck(clients.SequencePullSupplier):
    """Has batches that a channel pulls, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Learn that the batches with these numbers have been stored; a number may come again."""


class StructuredProxyPushSupplierAck(channel.StructuredProxyPushSupplier):
    """Pushes single events to a consumer, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Remove the events with these numbers; others stay."""


class StructuredProxyPullSupplierAck(channel.StructuredProxyPullSupplier):
    """Has single events that a consumer pulls, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Remove the events with these numbers; others stay."""


class SequenceProxyPushSupplierAck(channel.SequenceProxyPushSupplier):
    """Pushes batches to a consumer, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Remove the batches with these numbers; others stay."""


class SequenceProxyPullSupplierAck(channel.SequenceProxyPullSupplier):
    """Has batches that a consumer pulls, and keeps each until it is acknowledged."""

    @abstractmethod
    def acknowledge(self, sequence_numbers: SequenceNumbers) -> None:
        """Remove the batches with these numbers; others stay."""


# -- hooks ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """All retries on a connection have failed, and delivery on it has stopped (section 4.2.7.3).

    Attributes:
        proxy: Whose connection it is.
        operation: What was tried, such as `push_structured_event` or `acknowledge`.
    """

    proxy: channel.Proxy
    operation: str


@runtime_checkable
class SetsNumbers(Protocol):
    """A factory of channels that can set the number of the next event, for rows on the end of the range."""

    def set_next_number(self, proxy: channel.Proxy, number: int) -> None:
        """Let the next event or batch that a proxy supplier sends have a number."""


@runtime_checkable
class ReportsFailures(Protocol):
    """A factory of channels that gives the reports on connections whose retries are used up."""

    def delivery_failures(self) -> tuple[DeliveryFailure, ...]:
        """Return the reports so far, oldest first."""


@runtime_checkable
class RecoversDelivery(Protocol):
    """A factory of channels that can begin anew with a connection whose retries are used up."""

    def recover_delivery(self, proxy: channel.Proxy) -> None:
        """Set the retry counts of a connection to 0, and deliver again."""


@runtime_checkable
class Crashes(Protocol):
    """A factory whose channels can crash and start again, as a process would."""

    def crash(self, crashed: channel.Channel) -> None:
        """Let a channel stop to answer; no client is told."""

    def restart(self, crashed: channel.Channel) -> None:
        """Let it answer again, with what is persistent."""


@runtime_checkable
class HearsApplications(Protocol):
    """A factory of bridges that knows how applications at the destinations of its bridges acknowledge (section 2.6.2).

    A provider that bridges are built for would tell it; JMS has no such call. A case plays that provider. Profiles with this hook claim
    `application-acknowledgment`.
    """

    def use_session_mode(self, mode: int) -> None:
        """Say in which mode the sessions are that receive what bridges made from now on send; AUTO_ACKNOWLEDGE holds until it is said.

        With AUTO_ACKNOWLEDGE and DUPS_OK_ACKNOWLEDGE a bridge acknowledges what it has received. With CLIENT_ACKNOWLEDGE it acknowledges an event
        once the application has acknowledged its message; a bridge that takes batches cannot, and refuses at its creation or at its start.

        Args:
            mode: `tck.api.Session.AUTO_ACKNOWLEDGE`, `CLIENT_ACKNOWLEDGE` or `DUPS_OK_ACKNOWLEDGE`.
        """

    def messages_acknowledged(self, message_ids: Sequence[str]) -> None:
        """Be told that applications have acknowledged messages.

        Args:
            message_ids: JMSMessageID of each message that one call of `Message.acknowledge` covers: all that its session has
                received and not acknowledged before. Messages that no bridge has sent may be among them.
        """
