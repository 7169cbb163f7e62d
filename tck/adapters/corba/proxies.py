"""The proxies of a channel as a bridge sees them."""

from __future__ import annotations

from typing import Any, Final

import CosNotifyChannelAdmin as Stubs
from omniORB import CORBA

from tck.adapters.corba import comm
from tck.adapters.corba.clients import reference
from tck.adapters.corba.comm import Remote
from tck.adapters.corba.errors import ours
from tck.adapters.corba.filters import ForeignFilter, ForeignValueFilter
from tck.adapters.corba.values import our_properties, their_any, their_properties
from tck.interworking import Any_, channel
from tck.interworking.channel import ProxyType
from tck.interworking.qos import Properties


class Managed(Remote):
    """An object with quality of service."""

    def get_qos(self) -> Properties:
        """Return the properties."""
        return our_properties(self.call("get_qos"))

    def set_qos(self, qos: Properties) -> None:
        """Set properties."""
        self.call("set_qos", their_properties(qos))


class Filtered(Managed):
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


class _PushSupplier(_Proxy, comm.PushSupplier, channel.StructuredProxyPushSupplier):
    connect_structured_push_consumer = _connecting("connect_structured_push_consumer")


class _SequencePushSupplier(_Proxy, comm.SequencePushSupplier, channel.SequenceProxyPushSupplier):
    connect_sequence_push_consumer = _connecting("connect_sequence_push_consumer")


class _PullSupplier(_Proxy, comm.PullSupplier, channel.StructuredProxyPullSupplier):
    connect_structured_pull_consumer = _connecting("connect_structured_pull_consumer")


class _SequencePullSupplier(_Proxy, comm.SequencePullSupplier, channel.SequenceProxyPullSupplier):
    connect_sequence_pull_consumer = _connecting("connect_sequence_pull_consumer")


class _AnyPushConsumer(_Proxy, channel.ProxyPushConsumer):
    connect_any_push_supplier = _connecting("connect_any_push_supplier")
    disconnect_push_consumer = comm.ending("disconnect_push_consumer")

    def push(self, data: Any_) -> None:
        self.call("push", their_any(data))


class _PushConsumer(_Proxy, comm.PushConsumer, channel.StructuredProxyPushConsumer):
    connect_structured_push_supplier = _connecting("connect_structured_push_supplier")


class _SequencePushConsumer(_Proxy, comm.SequencePushConsumer, channel.SequenceProxyPushConsumer):
    connect_sequence_push_supplier = _connecting("connect_sequence_push_supplier")


class _PullConsumer(_Proxy, comm.PullConsumer, channel.StructuredProxyPullConsumer):
    connect_structured_pull_supplier = _connecting("connect_structured_pull_supplier")


class _SequencePullConsumer(_Proxy, comm.SequencePullConsumer, channel.SequenceProxyPullConsumer):
    connect_sequence_pull_supplier = _connecting("connect_sequence_pull_supplier")


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
