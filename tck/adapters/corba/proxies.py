"""The proxies of a channel as a bridge sees them."""

from __future__ import annotations

from typing import Any, Final

import CosNotifyChannelAdmin as Stubs
from omniORB import CORBA

from tck.adapters.corba.clients import reference
from tck.adapters.corba.errors import ours
from tck.adapters.corba.filters import ForeignFilter, ForeignValueFilter
from tck.adapters.corba.values import our_event, our_properties, their_any, their_event, their_properties
from tck.interworking import Any_, StructuredEvent, channel
from tck.interworking.channel import ProxyType
from tck.interworking.clients import Batch
from tck.interworking.qos import Properties


class Remote:
    """An object of the service. All calls raise our exceptions.

    Args:
        remote: The reference, narrowed.
    """

    def __init__(self, remote: Any) -> None:
        self.remote = remote

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an operation by its name in the IDL; `_get_` and `_set_` stand before an attribute."""
        with ours():
            return getattr(self.remote, name)(*arguments)

    def get_qos(self) -> Properties:
        """Return the properties."""
        return our_properties(self.call("get_qos"))

    def set_qos(self, qos: Properties) -> None:
        """Set properties."""
        self.call("set_qos", their_properties(qos))


class Filtered(Remote):
    """An object with filters, which are those that the channel's own factory has made."""

    def add_filter(self, new_filter: channel.Filter) -> int:
        """Add a filter."""
        if not isinstance(new_filter, ForeignFilter):
            raise TypeError("a CORBA channel takes the filters of its own default_filter_factory only")
        return int(self.call("add_filter", new_filter.remote))

    def remove_filter(self, filter_id: int) -> None:
        """Remove a filter."""
        self.call("remove_filter", filter_id)

    def get_all_filters(self) -> tuple[int, ...]:
        """Return the ids of the filters."""
        return tuple(self.call("get_all_filters"))


class _Proxy(Filtered):
    """What all proxies have in common."""

    def __init__(self, remote: Any, proxy_id: int, admin: Any) -> None:
        super().__init__(remote)
        self._id, self._admin = proxy_id, admin

    @property
    def id(self) -> int:
        return self._id

    @property
    def type(self) -> ProxyType:
        return ProxyType(self.call("_get_MyType")._v)

    @property
    def admin(self) -> Any:
        return self._admin

    def suspend_connection(self) -> None:
        self.call("suspend_connection")

    def resume_connection(self) -> None:
        self.call("resume_connection")

    @property
    def priority_filter(self) -> Any:
        return self._mapping("_get_priority_filter")

    @priority_filter.setter
    def priority_filter(self, new_filter: Any) -> None:
        self.call("_set_priority_filter", None if new_filter is None else new_filter.remote)

    @property
    def lifetime_filter(self) -> Any:
        return self._mapping("_get_lifetime_filter")

    @lifetime_filter.setter
    def lifetime_filter(self, new_filter: Any) -> None:
        self.call("_set_lifetime_filter", None if new_filter is None else new_filter.remote)

    def _mapping(self, attribute: str) -> ForeignValueFilter | None:
        found = self.call(attribute)
        return None if found is None else ForeignValueFilter(found)


def _connecting(operation: str) -> Any:
    def connect(self: _Proxy, client: object) -> None:
        self.call(operation, reference(client))

    return connect


def _ending(operation: str) -> Any:
    def disconnect(self: _Proxy) -> None:
        self.call(operation)

    return disconnect


class _PushSupplier(_Proxy, channel.StructuredProxyPushSupplier):
    connect_structured_push_consumer = _connecting("connect_structured_push_consumer")
    disconnect_structured_push_supplier = _ending("disconnect_structured_push_supplier")


class _SequencePushSupplier(_Proxy, channel.SequenceProxyPushSupplier):
    connect_sequence_push_consumer = _connecting("connect_sequence_push_consumer")
    disconnect_sequence_push_supplier = _ending("disconnect_sequence_push_supplier")


class _PullSupplier(_Proxy, channel.StructuredProxyPullSupplier):
    connect_structured_pull_consumer = _connecting("connect_structured_pull_consumer")
    disconnect_structured_pull_supplier = _ending("disconnect_structured_pull_supplier")

    def pull_structured_event(self) -> StructuredEvent:
        return our_event(self.call("pull_structured_event"))

    def try_pull_structured_event(self) -> StructuredEvent | None:
        found, there = self.call("try_pull_structured_event")
        return our_event(found) if there else None


class _SequencePullSupplier(_Proxy, channel.SequenceProxyPullSupplier):
    connect_sequence_pull_consumer = _connecting("connect_sequence_pull_consumer")
    disconnect_sequence_pull_supplier = _ending("disconnect_sequence_pull_supplier")

    def pull_structured_events(self, max_number: int) -> Batch:
        return tuple(map(our_event, self.call("pull_structured_events", max_number)))

    def try_pull_structured_events(self, max_number: int) -> Batch:
        found, there = self.call("try_pull_structured_events", max_number)
        return tuple(map(our_event, found)) if there else ()


class _AnyPushConsumer(_Proxy, channel.ProxyPushConsumer):
    connect_any_push_supplier = _connecting("connect_any_push_supplier")
    disconnect_push_consumer = _ending("disconnect_push_consumer")

    def push(self, data: Any_) -> None:
        self.call("push", their_any(data))


class _PushConsumer(_Proxy, channel.StructuredProxyPushConsumer):
    connect_structured_push_supplier = _connecting("connect_structured_push_supplier")
    disconnect_structured_push_consumer = _ending("disconnect_structured_push_consumer")

    def push_structured_event(self, event: StructuredEvent) -> None:
        self.call("push_structured_event", their_event(event))


class _SequencePushConsumer(_Proxy, channel.SequenceProxyPushConsumer):
    connect_sequence_push_supplier = _connecting("connect_sequence_push_supplier")
    disconnect_sequence_push_consumer = _ending("disconnect_sequence_push_consumer")

    def push_structured_events(self, events: Batch) -> None:
        self.call("push_structured_events", [their_event(each) for each in events])


class _PullConsumer(_Proxy, channel.StructuredProxyPullConsumer):
    connect_structured_pull_supplier = _connecting("connect_structured_pull_supplier")
    disconnect_structured_pull_consumer = _ending("disconnect_structured_pull_consumer")


class _SequencePullConsumer(_Proxy, channel.SequenceProxyPullConsumer):
    connect_sequence_pull_supplier = _connecting("connect_sequence_pull_supplier")
    disconnect_sequence_pull_consumer = _ending("disconnect_sequence_pull_consumer")


SUPPLIERS: Final = {
    ProxyType.PUSH_STRUCTURED: (Stubs.StructuredProxyPushSupplier, _PushSupplier),
    ProxyType.PUSH_SEQUENCE: (Stubs.SequenceProxyPushSupplier, _SequencePushSupplier),
    ProxyType.PULL_STRUCTURED: (Stubs.StructuredProxyPullSupplier, _PullSupplier),
    ProxyType.PULL_SEQUENCE: (Stubs.SequenceProxyPullSupplier, _SequencePullSupplier),
}
"""For proxies that consumers connect to: the stub to narrow to, and the class of ours."""
CONSUMERS: Final = {
    ProxyType.PUSH_ANY: (Stubs.ProxyPushConsumer, _AnyPushConsumer),
    ProxyType.PUSH_STRUCTURED: (Stubs.StructuredProxyPushConsumer, _PushConsumer),
    ProxyType.PUSH_SEQUENCE: (Stubs.SequenceProxyPushConsumer, _SequencePushConsumer),
    ProxyType.PULL_STRUCTURED: (Stubs.StructuredProxyPullConsumer, _PullConsumer),
    ProxyType.PULL_SEQUENCE: (Stubs.SequenceProxyPullConsumer, _SequencePullConsumer),
}
"""For proxies that suppliers connect to."""


def proxy_of(remote: Any, number: int, admin: Any, kinds: Any) -> Any:
    """Return a proxy as a bridge sees it; `kinds` is one of the tables above."""
    with ours():
        kind = ProxyType(
            remote._narrow(Stubs.ProxyConsumer if kinds is CONSUMERS else Stubs.ProxySupplier)._get_MyType()._v
        )
        stub, made = kinds[kind]
        narrowed = remote._narrow(stub)
    if narrowed is None:
        raise CORBA.INV_OBJREF
    return made(narrowed, number, admin)


def foreign(interface: Any) -> Any:
    """Return the class of clients of another process with an interface of `tck.interworking.clients`: made by their references."""
    kinds = [made for _, made in (*SUPPLIERS.values(), *CONSUMERS.values()) if issubclass(made, interface)]
    names = interface.__abstractmethods__
    body = {name: _ending(name) if name.startswith("disconnect_") else getattr(kinds[0], name) for name in names}
    return type(interface.__name__, (Remote, interface), body)
