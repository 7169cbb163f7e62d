"""A channel factory of ours with all that comes from it, as servants that bridges of any ORB call.

What our contract lacks raises NO_IMPLEMENT, as omniORB does for an operation without a method.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any, Final

import CosNotifyChannelAdmin as Stubs
import CosNotifyChannelAdmin__POA as Skeletons
import CosNotifyFilter
import CosNotifyFilter__POA as FilterSkeletons
from omniORB import CORBA

from tck.adapters.corba import clients
from tck.adapters.corba.errors import theirs
from tck.adapters.corba.orb import orb
from tck.adapters.corba.proxies import CONSUMERS, SUPPLIERS, foreign
from tck.adapters.corba.serving import (
    Export,
    Filtered,
    Managed,
    Served,
    calling,
    connecting,
    describing,
    ending,
    finding,
    grouping,
    listing,
    mapping,
    obtaining,
    operation,
    properties,
    reading,
    setting,
)
from tck.adapters.corba.values import our_any, our_event, their_any
from tck.api import Clock
from tck.interworking import channel, filters
from tck.interworking import clients as ours
from tck.interworking.events import EventType
from tck.interworking.qos import ChannelNotFound, Properties

APART: Final = 1_000_000
"""How far the ids of the channels of one exported factory are from those of the next."""
_KEPT: Final = 8


def export(channels: channel.ChannelFactory, at: str = "") -> tuple[str, int]:
    """Return the stringified reference of the factory that this process serves, and what it adds to the ids of these channels."""
    orb(at)
    served, reference = _served(os.getpid())
    return reference, served.add(channels)


class _Channels(channel.ChannelFactory):
    """Those of all factories that were exported lately: a bridge knows one factory, and the suite has others for each case."""

    def __init__(self) -> None:
        self._added: dict[int, channel.ChannelFactory] = {}

    def add(self, channels: channel.ChannelFactory) -> int:
        for shift, known in self._added.items():
            if known is channels:
                return shift
        made = (next(reversed(self._added), -APART) + APART) % (1000 * APART)
        self._added[made] = channels
        for old in list(self._added)[:-_KEPT]:
            del self._added[old]
        return made

    @property
    def clock(self) -> Clock:
        return next(reversed(self._added.values())).clock

    def create_channel(self, initial_qos: Properties, initial_admin: Properties) -> tuple[channel.Channel, int]:
        shift, channels = next(reversed(self._added.items()))
        made, number = channels.create_channel(initial_qos, initial_admin)
        return made, shift + number

    def get_channel(self, channel_id: int) -> channel.Channel:
        number = channel_id % APART
        if channel_id - number not in self._added:
            raise ChannelNotFound(f"no channel has the id {channel_id}")
        return self._added[channel_id - number].get_channel(number)

    def get_all_channels(self) -> tuple[int, ...]:
        return tuple(shift + number for shift, each in self._added.items() for number in each.get_all_channels())


@functools.cache
def _served(_process: int) -> tuple[_Channels, str]:
    served, broker = _Channels(), orb()
    exported = Export(served, _SERVANTS)
    by_name = broker.resolve_initial_references("omniINSPOA")
    by_name.activate_object_with_id(b"EventChannelFactory", exported.servant(served))
    by_name._get_the_POAManager().activate()
    return served, str(broker.object_to_string(exported.factory))


# -- filters -----------------------------------------------------------------------------------------------------------


def _constraint(given: Any) -> filters.ConstraintExp:
    kinds = tuple(EventType(each.domain_name, each.type_name) for each in given.event_types)
    return filters.ConstraintExp(kinds, given.constraint_expr)


class _Constraints(Served):
    def added(self, add: Callable[[Any], Any], given: Sequence[Any], constraints: Sequence[Any]) -> list[int]:
        """Add constraints; return their ids."""
        try:
            return [each.constraint_id for each in add(given)]
        except ValueError as error:
            wrong = [each for each in constraints if each.constraint_expr == getattr(error, "text", None)]
            raise (CosNotifyFilter.InvalidConstraint(wrong[0]) if wrong else error) from error

    def destroy(self) -> None:
        self.exported.end(self.target)


class _Filter(_Constraints, FilterSkeletons.Filter):
    match_structured = operation(lambda _, match, event: bool(match(our_event(event))))("match_structured")

    @theirs()
    def add_constraints(self, given: Sequence[Any]) -> list[Any]:
        ids = self.added(self.target.add_constraints, [_constraint(each) for each in given], given)
        return list(map(CosNotifyFilter.ConstraintInfo, given, ids))


class _MappingFilter(_Constraints, FilterSkeletons.MappingFilter):
    @theirs()
    def add_mapping_constraints(self, given: Sequence[Any]) -> list[Any]:
        constraints, values = [each.constraint_expression for each in given], [each.result_to_set for each in given]
        pairs = map(filters.MappingConstraintPair, map(_constraint, constraints), map(our_any, values))
        ids = self.added(self.target.add_mapping_constraints, list(pairs), constraints)
        return list(map(CosNotifyFilter.MappingConstraintInfo, constraints, ids, values))

    @operation
    def _matching(self, match: Any, event: Any) -> tuple[bool, Any]:
        found, value = match(our_event(event))
        return bool(found), their_any(value)

    match_structured = _matching("match_structured")


class _FilterFactory(Served, FilterSkeletons.FilterFactory):
    # filters of one channel may serve another: nothing owns them
    _making = operation(
        lambda self, make, grammar, *default: self.exported.reference(make(grammar, *map(our_any, default)))
    )
    create_filter, create_mapping_filter = _making("create_filter"), _making("create_mapping_filter")


# -- proxies -----------------------------------------------------------------------------------------------------------


class _Proxy(Filtered):
    _get_MyAdmin = reading("admin")
    _get_priority_filter, _set_priority_filter = mapping("priority_filter")
    _get_lifetime_filter, _set_lifetime_filter = mapping("lifetime_filter")
    suspend_connection = calling("suspend_connection")
    resume_connection = calling("resume_connection")

    def _get_MyType(self) -> Any:
        return Stubs.ProxyType._item(self.target.type)

    def _not_offered(self, _added: Any, _removed: Any) -> None:
        raise CORBA.NO_IMPLEMENT(0, CORBA.COMPLETED_NO)

    offer_change = subscription_change = _not_offered


class _AnyPushConsumer:
    push = operation(lambda _, push, data: push(our_any(data)))("push")


def _proxy(name: str) -> type:
    """Return the servants of the proxies with a name, which take events as servants of clients do."""
    skeleton, interface = getattr(Skeletons, name), getattr(channel, name)
    taking: list[Any] = [servant for kind, servant in clients.SERVANTS.items() if issubclass(interface, kind)]
    connect, disconnect = (
        next(each for each in skeleton._omni_op_d if each.startswith(f"{word}_")) for word in ("connect", "disconnect")
    )
    client = getattr(ours, connect.removeprefix("connect_").removeprefix("any_").title().replace("_", ""))
    body = {
        "client": foreign(client),
        "called": len(client.__abstractmethods__) > 1,
        connect: connecting(connect),
        disconnect: ending(disconnect),
    }
    return type(name, (_Proxy, *(taking or [_AnyPushConsumer]), skeleton), body)


# -- admins, channels and the factory ----------------------------------------------------------------------------------


class _Admin(Filtered):
    operator = Stubs.AND_OP
    _get_MyChannel = reading("channel")
    destroy = ending("destroy")

    def _get_MyID(self) -> int:
        return int(self.target.id)

    def _get_MyOperator(self) -> Any:
        return self.operator


class _ConsumerAdmin(_Admin, Skeletons.ConsumerAdmin):
    _get_push_suppliers = listing("push_suppliers")
    _get_pull_suppliers = listing("pull_suppliers")
    get_proxy_supplier = finding("get_proxy_supplier")
    obtain_notification_push_supplier = obtaining("obtain_notification_push_supplier")
    obtain_notification_pull_supplier = obtaining("obtain_notification_pull_supplier")


class _SupplierAdmin(_Admin, Skeletons.SupplierAdmin):
    _get_push_consumers = listing("push_consumers")
    _get_pull_consumers = listing("pull_consumers")
    get_proxy_consumer = finding("get_proxy_consumer")
    obtain_notification_push_consumer = obtaining("obtain_notification_push_consumer")
    obtain_notification_pull_consumer = obtaining("obtain_notification_pull_consumer")


class _Channel(Managed, Skeletons.EventChannel):
    _get_default_consumer_admin = reading("default_consumer_admin")
    _get_default_supplier_admin = reading("default_supplier_admin")
    _get_default_filter_factory = reading("default_filter_factory")
    new_for_consumers = grouping("new_for_consumers")
    new_for_suppliers = grouping("new_for_suppliers")
    get_consumeradmin = finding("get_consumeradmin")
    get_supplieradmin = finding("get_supplieradmin")
    get_all_consumeradmins = listing("get_all_consumeradmins")
    get_all_supplieradmins = listing("get_all_supplieradmins")
    get_admin = describing("get_admin")
    set_admin = setting("set_admin")
    destroy = ending("destroy")

    def _get_MyFactory(self) -> Any:
        return self.exported.factory


class _Factory(Served, Skeletons.EventChannelFactory):
    get_all_channels = listing("get_all_channels")
    get_event_channel = finding("get_channel")

    @theirs()
    def create_channel(self, initial_qos: Sequence[Any], initial_admin: Sequence[Any]) -> tuple[Any, int]:
        made, number = self.target.create_channel(properties(initial_qos), properties(initial_admin))
        return self.refer(made), number


_SERVANTS: Final[dict[type, Any]] = {
    **{
        getattr(channel, stub.__name__): _proxy(stub.__name__) for stub, _ in (*SUPPLIERS.values(), *CONSUMERS.values())
    },
    filters.ConstraintFilter: _Filter,
    filters.ValueFilter: _MappingFilter,
    filters.FilterFactory: _FilterFactory,
    channel.ConsumerAdmin: _ConsumerAdmin,
    channel.SupplierAdmin: _SupplierAdmin,
    channel.Channel: _Channel,
    channel.ChannelFactory: _Factory,
}
