"""Faults of the base service of a channel: its filters, its operations, its properties; and of what a filter sees of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from faults.interworking.registry import Faults, declare, with_data
from reference_bridge.channel import StandInChannel, StandInFactory
from reference_bridge.channel.filtering import EtclFilters
from reference_bridge.etcl import Filter, MappingFilter
from tck.interworking import Any_, StructuredEvent
from tck.interworking.channel import ClientType
from tck.interworking.filters import InvalidGrammar
from tck.interworking.qos import ORDER_POLICY, Properties, PropertyError, QoSErrorCode, UnsupportedQoS

NEW = ("DeliveryReliability", "Retries", "RetryInterval")


class _Equal(Filter):
    def match_structured(self, event: StructuredEvent) -> bool:
        texts = [each.constraint_expression.constraint_expr for each in self.get_all_constraints()]
        return all("==" in text and "+" not in text for text in texts) and super().match_structured(event)


class _EqualOnly(EtclFilters):
    def create_filter(self, constraint_grammar: str) -> Filter:
        super().create_filter(constraint_grammar)
        return _Equal(self._clock.now)


class _NoMapping(EtclFilters):
    def create_mapping_filter(self, constraint_grammar: str, default_value: Any_) -> MappingFilter:
        raise InvalidGrammar(f"mapping filters of {constraint_grammar} are not made")


def _equal_only(factory: StandInFactory) -> None:
    factory.filters = _EqualOnly


def _no_mapping(factory: StandInFactory) -> None:
    factory.filters = _NoMapping


def _channel(rows: str, title: str) -> Callable[[Callable[[StandInChannel], None]], None]:
    """Declare a change of each channel as a fault."""

    def note(change: Callable[[StandInChannel], None]) -> None:
        def broken(factory: StandInFactory) -> None:
            create = factory.create_channel

            def make(initial_qos: Properties, initial_admin: Properties) -> tuple[StandInChannel, int]:
                made, number = create(initial_qos, initial_admin)
                change(made)
                return made, number

            factory.create_channel = make  # type: ignore[method-assign]

        declare(rows, title, Faults(of_channels=broken))

    return note


@_channel("iw-4.1-1", "obtain_notification_pull_consumer is not implemented")
def _no_pull(channel: StandInChannel) -> None:
    def obtain(kind: ClientType) -> NoReturn:
        raise NotImplementedError(f"no proxy that pulls from suppliers of {kind.name}")

    channel.default_supplier_admin.obtain_notification_pull_consumer = obtain  # type: ignore[method-assign]


@_channel("iw-4.1-7", "the new names are bad properties")
def _old(channel: StandInChannel) -> None:
    take = channel.set_qos

    def set_qos(qos: Properties) -> None:
        if bad := [PropertyError(QoSErrorCode.BAD_PROPERTY, name) for name in qos if name in NEW]:
            raise UnsupportedQoS(*bad)
        take(qos)

    channel.set_qos = set_qos  # type: ignore[method-assign]


@_channel("iw-4.1-8", "an OrderPolicy that does not exist is taken silently")
def _silent(channel: StandInChannel) -> None:
    take = channel.set_qos
    channel.set_qos = lambda qos: take({name: value for name, value in qos.items() if name != ORDER_POLICY})  # type: ignore[method-assign]


declare("iw-4.1-5", "constraints that are no plain equality match nothing", Faults(of_channels=_equal_only))
declare("iw-4.1-6", "there are no mapping filters", Faults(of_channels=_no_mapping))
declare(
    "iw-2.4.1-27",
    "headers are not in the filterable data",
    Faults(
        of_event=lambda message, made: with_data(
            made, lambda items: tuple(each for each in items if not each.name.startswith("JMS"))
        )
    ),
)
