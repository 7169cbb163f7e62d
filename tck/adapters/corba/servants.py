"""A channel factory of ours as servants, which bridges of any ORB call. What our contract lacks raises NO_IMPLEMENT.

Can be imported once the ORB has started: `tck.adapters.corba.export` sees to it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

import CosNotifyChannelAdmin as Stubs
import CosNotifyChannelAdmin__POA as Skeletons
import CosNotifyFilter
import CosNotifyFilter__POA as FilterSkeletons
from omniORB import CORBA, PortableServer

from tck.adapters.corba import clients, comm
from tck.adapters.corba.errors import theirs
from tck.adapters.corba.filters import ForeignFilter, ForeignValueFilter
from tck.adapters.corba.orb import orb
from tck.adapters.corba.values import our_any, our_event, their_any, their_properties
from tck.interworking import channel, filters
from tck.interworking.channel import ClientType, FilterOperator
from tck.interworking.events import EventType
from tck.interworking.qos import MAX_CONSUMERS, MAX_SUPPLIERS, AdminLimitExceeded, FilterNotFound, Properties


def export(channels: channel.ChannelFactory) -> str:
    """Return the stringified reference of a factory; it is served until this process ends."""
    return str(orb().object_to_string(_Export().reference(channels)))


class _Export:
    """The servants of one factory: each object of ours has one, by its identity, and so one reference."""

    def __init__(self) -> None:
        self._poa = orb().resolve_initial_references("RootPOA")
        self._lock = threading.RLock()
        self._kept: dict[int, tuple[_Served, Any, object]] = {}  # with reference and owner

    def reference(self, target: object, owner: object = None, **known: object) -> Any:
        """Return the reference of an object; a new one ends with that of its owner, and its servant knows these attributes."""
        with self._lock:
            if id(target) not in self._kept:
                servant = next(made for kind, made in _SERVANTS.items() if isinstance(target, kind))(target, self)
                vars(servant).update(known)
                self._kept[id(target)] = servant, servant._this(), owner
            return self._kept[id(target)][1]

    def target(self, remote: Any) -> Any:
        """Return the object of ours behind a reference; None for one of another process."""
        try:
            return self._poa.reference_to_servant(remote).target
        except (PortableServer.POA.WrongAdapter, PortableServer.POA.ObjectNotActive):
            return None

    def forget(self, target: object) -> None:
        """End the references of an object and of all that it owns."""
        with self._lock:
            gone = {id(target)}
            for key, (_, _, owner) in self._kept.items():  # an owner comes before what it owns
                if id(owner) in gone:
                    gone.add(key)
            ended = [self._kept.pop(key)[0] for key in gone if key in self._kept]
        for each in ended:
            self._poa.deactivate_object(self._poa.servant_to_id(each))


class _Served:
    """A servant before an object of ours."""

    def __init__(self, target: Any, exported: _Export) -> None:
        self._target, self._export = target, exported

    @property
    def target(self) -> Any:
        return self._target

    def refer(self, target: object, **known: object) -> Any:
        return self._export.reference(target, self._target, **known)


# -- operations by the name that ours has ------------------------------------------------------------------------------


def _attribute(name: str) -> Any:
    @theirs()
    def get(self: _Served) -> Any:
        return self.refer(getattr(self.target, name))

    return get


def _numbers(name: str) -> Any:
    @theirs()
    def get(self: _Served) -> list[int]:
        found = getattr(self.target, name)
        return list(found() if callable(found) else found)

    return get


def _finding(name: str) -> Any:
    @theirs()
    def find(self: _Served, number: int) -> Any:
        return self.refer(getattr(self.target, name)(number))

    return find


def _admin(name: str) -> Any:
    @theirs()
    def make(self: _Served, operator: Any) -> tuple[Any, int]:
        made, number = getattr(self.target, name)(FilterOperator(operator._v))
        return self.refer(made, operator=operator), number

    return make


def _obtaining(name: str, limit: str) -> Any:
    @theirs()
    def obtain(self: _Served, kind: Any) -> tuple[Any, int]:
        try:
            made, number = getattr(self.target, name)(ClientType(kind._v))
        except ValueError:
            raise CORBA.NO_IMPLEMENT(0, CORBA.COMPLETED_NO) from None
        except AdminLimitExceeded as error:
            most = their_properties({limit: self.target.channel.get_admin()[limit]})[0]
            raise Stubs.AdminLimitExceeded(Stubs.AdminLimit(most.name, most.value)) from error
        return self.refer(made), number

    return obtain


def _calling(name: str) -> Any:
    @theirs()
    def call(self: _Served) -> None:
        getattr(self.target, name)()

    return call


def _ending(name: str) -> Any:
    @theirs()
    def end(self: _Served) -> None:
        getattr(self.target, name)()
        self._export.forget(self.target)

    return end


def _connecting(name: str, client: type, *, may_be_nil: bool) -> Any:
    @theirs()
    def connect(self: _Served, remote: Any) -> None:
        if remote is None and not may_be_nil:
            raise CORBA.BAD_PARAM(0, CORBA.COMPLETED_NO)
        getattr(self.target, name)(None if remote is None else client(remote))

    return connect


def _mapping(name: str) -> tuple[Any, Any]:
    @theirs()
    def get(self: _Served) -> Any:
        found = getattr(self.target, name)
        if found is None or isinstance(found, ForeignValueFilter):
            return None if found is None else found.remote
        return self._export.reference(found)

    @theirs()
    def put(self: _Served, remote: Any) -> None:
        new = None if remote is None else self._export.target(remote) or ForeignValueFilter(remote)
        setattr(self.target, name, new)

    return get, put


# -- quality of service and filters ------------------------------------------------------------------------------------


def _properties(given: Sequence[Any]) -> Properties:
    """Return properties whatever their types are: the channel refuses wrong ones."""
    return {each.name: our_any(each.value).value for each in given}


class _Managed(_Served):
    @theirs()
    def get_qos(self) -> list[Any]:
        return their_properties(self.target.get_qos())

    @theirs()
    def set_qos(self, qos: Any) -> None:
        self.target.set_qos(_properties(qos))


class _Filtered(_Managed):
    get_all_filters = _numbers("get_all_filters")

    def __init__(self, target: Any, exported: _Export) -> None:
        super().__init__(target, exported)
        self._added: dict[int, Any] = {}

    @theirs()
    def add_filter(self, new_filter: Any) -> int:
        if new_filter is None:
            raise CORBA.BAD_PARAM(0, CORBA.COMPLETED_NO)
        number = int(self.target.add_filter(self._export.target(new_filter) or ForeignFilter(new_filter)))
        self._added[number] = new_filter
        return number

    @theirs()
    def remove_filter(self, number: int) -> None:
        self.target.remove_filter(number)
        self._added.pop(number, None)

    @theirs()
    def get_filter(self, number: int) -> Any:
        if number not in self._added:
            raise FilterNotFound(f"no filter has the id {number}")
        return self._added[number]

    @theirs()
    def remove_all_filters(self) -> None:
        for each in self.target.get_all_filters():
            self.remove_filter(each)


def _constraint(given: Any) -> filters.ConstraintExp:
    kinds = tuple(EventType(each.domain_name, each.type_name) for each in given.event_types)
    return filters.ConstraintExp(kinds, given.constraint_expr)


def _refused(constraints: Sequence[Any], error: ValueError) -> Exception:
    """Return what says which constraint is none, if the error has its text."""
    text = getattr(error, "text", None)
    found = next((each for each in constraints if each.constraint_expr == text), None)
    return error if found is None else CosNotifyFilter.InvalidConstraint(found)


class _Filter(_Served, FilterSkeletons.Filter):
    grammar = filters.EXTENDED_TCL

    def _get_constraint_grammar(self) -> str:
        return self.grammar

    @theirs()
    def add_constraints(self, given: Sequence[Any]) -> list[Any]:
        try:
            made = self.target.add_constraints([_constraint(each) for each in given])
        except ValueError as error:
            raise _refused(given, error) from error
        return [CosNotifyFilter.ConstraintInfo(each, at.constraint_id) for each, at in zip(given, made, strict=True)]

    @theirs()
    def match_structured(self, event: Any) -> bool:
        return bool(self.target.match_structured(our_event(event)))

    def destroy(self) -> None:
        self._export.forget(self.target)


class _MappingFilter(_Served, FilterSkeletons.MappingFilter):
    grammar = filters.EXTENDED_TCL

    def _get_constraint_grammar(self) -> str:
        return self.grammar

    @theirs()
    def add_mapping_constraints(self, given: Sequence[Any]) -> list[Any]:
        pairs = [
            filters.MappingConstraintPair(_constraint(each.constraint_expression), our_any(each.result_to_set))
            for each in given
        ]
        try:
            made = self.target.add_mapping_constraints(pairs)
        except ValueError as error:
            raise _refused([each.constraint_expression for each in given], error) from error
        return [
            CosNotifyFilter.MappingConstraintInfo(each.constraint_expression, at.constraint_id, each.result_to_set)
            for each, at in zip(given, made, strict=True)
        ]

    @theirs()
    def match_structured(self, event: Any) -> tuple[bool, Any]:
        found, value = self.target.match_structured(our_event(event))
        return bool(found), their_any(value)

    def destroy(self) -> None:
        self._export.forget(self.target)


class _FilterFactory(_Served, FilterSkeletons.FilterFactory):
    @theirs()
    def create_filter(self, grammar: str) -> Any:
        return self._export.reference(self.target.create_filter(grammar), grammar=grammar)

    @theirs()
    def create_mapping_filter(self, grammar: str, default: Any) -> Any:
        made = self.target.create_mapping_filter(grammar, our_any(default))
        return self._export.reference(made, grammar=grammar)


# -- proxies -----------------------------------------------------------------------------------------------------------


class _Proxy(_Filtered):
    _get_MyAdmin = _attribute("admin")
    _get_priority_filter, _set_priority_filter = _mapping("priority_filter")
    _get_lifetime_filter, _set_lifetime_filter = _mapping("lifetime_filter")
    suspend_connection = _calling("suspend_connection")
    resume_connection = _calling("resume_connection")

    def _get_MyType(self) -> Any:
        return Stubs.ProxyType._item(self.target.type)

    def _not_offered(self, _added: Any, _removed: Any) -> None:
        raise CORBA.NO_IMPLEMENT(0, CORBA.COMPLETED_NO)

    offer_change = subscription_change = _not_offered


class _AnyPushConsumer:
    target: Any

    @theirs()
    def push(self, data: Any) -> None:
        self.target.push(our_any(data))


def _proxy(skeleton: Any, operations: type, client: type) -> type:
    """Return the servants of a kind of proxies, whose clients call or are called as `client`."""
    named = {
        name.partition("_")[0]: name for name in skeleton._omni_op_d if name.startswith(("connect_", "disconnect"))
    }
    called = client in (comm.PushConsumer, comm.SequencePushConsumer, comm.PullSupplier, comm.SequencePullSupplier)
    body = {
        named["connect"]: _connecting(named["connect"], client, may_be_nil=not called),
        named["disconnect"]: _ending(named["disconnect"]),
    }
    return type(skeleton.__name__, (_Proxy, operations, skeleton), body)


# -- admins, channel and factory ---------------------------------------------------------------------------------------


class _Admin(_Filtered):
    operator = Stubs.AND_OP
    _get_MyChannel = _attribute("channel")
    destroy = _ending("destroy")

    @theirs()
    def _get_MyID(self) -> int:
        return int(self.target.id)

    def _get_MyOperator(self) -> Any:
        return self.operator


class _ConsumerAdmin(_Admin, Skeletons.ConsumerAdmin):
    _get_push_suppliers = _numbers("push_suppliers")
    _get_pull_suppliers = _numbers("pull_suppliers")
    get_proxy_supplier = _finding("get_proxy_supplier")
    obtain_notification_push_supplier = _obtaining("obtain_notification_push_supplier", MAX_CONSUMERS)
    obtain_notification_pull_supplier = _obtaining("obtain_notification_pull_supplier", MAX_CONSUMERS)


class _SupplierAdmin(_Admin, Skeletons.SupplierAdmin):
    _get_push_consumers = _numbers("push_consumers")
    _get_pull_consumers = _numbers("pull_consumers")
    get_proxy_consumer = _finding("get_proxy_consumer")
    obtain_notification_push_consumer = _obtaining("obtain_notification_push_consumer", MAX_SUPPLIERS)
    obtain_notification_pull_consumer = _obtaining("obtain_notification_pull_consumer", MAX_SUPPLIERS)


class _Channel(_Managed, Skeletons.EventChannel):
    factory: Any = None
    _get_default_consumer_admin = _attribute("default_consumer_admin")
    _get_default_supplier_admin = _attribute("default_supplier_admin")
    _get_default_filter_factory = _attribute("default_filter_factory")
    new_for_consumers = _admin("new_for_consumers")
    new_for_suppliers = _admin("new_for_suppliers")
    get_consumeradmin = _finding("get_consumeradmin")
    get_supplieradmin = _finding("get_supplieradmin")
    get_all_consumeradmins = _numbers("get_all_consumeradmins")
    get_all_supplieradmins = _numbers("get_all_supplieradmins")
    destroy = _ending("destroy")

    def _get_MyFactory(self) -> Any:
        return self.factory

    @theirs()
    def get_admin(self) -> list[Any]:
        return their_properties(self.target.get_admin())

    @theirs()
    def set_admin(self, admin: Any) -> None:
        self.target.set_admin(_properties(admin))


class _Factory(_Served, Skeletons.EventChannelFactory):
    get_all_channels = _numbers("get_all_channels")

    @theirs()
    def create_channel(self, initial_qos: Any, initial_admin: Any) -> tuple[Any, int]:
        made, number = self.target.create_channel(_properties(initial_qos), _properties(initial_admin))
        return self.refer(made, factory=self._this()), number

    @theirs()
    def get_event_channel(self, number: int) -> Any:
        return self.refer(self.target.get_channel(number), factory=self._this())


_SERVANTS: Final[dict[type, Any]] = {
    kind: _proxy(skeleton, operations, client)
    for kind, skeleton, operations, client in (
        (
            channel.StructuredProxyPushSupplier,
            Skeletons.StructuredProxyPushSupplier,
            clients.PushSupplier,
            comm.PushConsumer,
        ),
        (
            channel.SequenceProxyPushSupplier,
            Skeletons.SequenceProxyPushSupplier,
            clients.SequencePushSupplier,
            comm.SequencePushConsumer,
        ),
        (
            channel.StructuredProxyPullSupplier,
            Skeletons.StructuredProxyPullSupplier,
            clients.PullSupplier,
            comm.PullConsumer,
        ),
        (
            channel.SequenceProxyPullSupplier,
            Skeletons.SequenceProxyPullSupplier,
            clients.SequencePullSupplier,
            comm.SequencePullConsumer,
        ),
        (channel.ProxyPushConsumer, Skeletons.ProxyPushConsumer, _AnyPushConsumer, comm.AnyPushSupplier),
        (
            channel.StructuredProxyPushConsumer,
            Skeletons.StructuredProxyPushConsumer,
            clients.PushConsumer,
            comm.PushSupplier,
        ),
        (
            channel.SequenceProxyPushConsumer,
            Skeletons.SequenceProxyPushConsumer,
            clients.SequencePushConsumer,
            comm.SequencePushSupplier,
        ),
        (
            channel.StructuredProxyPullConsumer,
            Skeletons.StructuredProxyPullConsumer,
            clients.PullConsumer,
            comm.PullSupplier,
        ),
        (
            channel.SequenceProxyPullConsumer,
            Skeletons.SequenceProxyPullConsumer,
            clients.SequencePullConsumer,
            comm.SequencePullSupplier,
        ),
    )
} | {
    filters.ConstraintFilter: _Filter,
    filters.ValueFilter: _MappingFilter,
    filters.FilterFactory: _FilterFactory,
    channel.ConsumerAdmin: _ConsumerAdmin,
    channel.SupplierAdmin: _SupplierAdmin,
    channel.Channel: _Channel,
    channel.ChannelFactory: _Factory,
}
"""For each of our interfaces the class of its servants."""
