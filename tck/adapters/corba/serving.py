"""Servants before objects of ours, and the operations that many of their interfaces have, each by the name that ours has."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import CosNotifyChannelAdmin as Stubs
from omniORB import CORBA, PortableServer

from tck.adapters.corba.errors import theirs
from tck.adapters.corba.filters import ForeignFilter, ForeignValueFilter
from tck.adapters.corba.orb import orb
from tck.adapters.corba.values import our_any, their_properties
from tck.interworking.channel import Admin, ChannelFactory, ClientType, ConsumerAdmin, FilterOperator, Proxy
from tck.interworking.qos import MAX_CONSUMERS, MAX_SUPPLIERS, AdminLimitExceeded, Properties


class Export:
    """The servants of one factory: each object of ours has one, by its identity, and so one reference.

    Args:
        factory: The factory.
        servants: For each of our interfaces the class of its servants.

    Attributes:
        factory: Its reference.
    """

    def __init__(self, factory: ChannelFactory, servants: Mapping[type, Any]) -> None:
        self._servants = servants
        self._poa = orb().resolve_initial_references("RootPOA")
        self._lock = threading.Lock()  # guards the next; no other lock of ours is taken while it is held
        self._kept: dict[int, tuple[Served, Any, object]] = {}  # with reference and owner
        self.factory = self.reference(factory)

    def reference(self, target: object, owner: object = None, **known: object) -> Any:
        """Return the reference of an object; a new one ends with its owner's, and its servant gets these attributes."""
        with self._lock:
            if id(target) not in self._kept:
                servant = next(made for kind, made in self._servants.items() if isinstance(target, kind))(target, self)
                vars(servant).update(known)
                self._kept[id(target)] = servant, servant._this(), owner
            return self._kept[id(target)][1]

    def servant(self, target: object) -> Served:
        """Return the servant of an object that has a reference."""
        return self._kept[id(target)][0]

    def target(self, remote: Any) -> Any:
        """Return the object of ours behind a reference; None for one of another process."""
        try:
            return self._poa.reference_to_servant(remote).target
        except (PortableServer.POA.WrongAdapter, PortableServer.POA.ObjectNotActive):
            return None

    def end(self, target: object) -> None:
        """End the references of an object and of all that it owns."""
        with self._lock:
            ended = {id(target)}
            for key, (_, _, owner) in self._kept.items():  # an owner comes before what it owns
                if id(owner) in ended:
                    ended.add(key)
            servants = [self._kept.pop(key)[0] for key in ended if key in self._kept]
        for each in servants:
            self._poa.deactivate_object(self._poa.servant_to_id(each))


class Served:
    """A servant before an object of ours."""

    def __init__(self, target: Any, exported: Export) -> None:
        self.target, self.exported = target, exported

    def refer(self, target: object, **known: object) -> Any:
        """Return the reference of an object that this one owns, or is owned by."""
        return self.exported.reference(target, self.target, **known)


def properties(given: Sequence[Any]) -> Properties:
    """Return properties whatever their types: the channel refuses wrong ones."""
    values: dict[str, Any] = {each.name: our_any(each.value).value for each in given}
    return values


def operation(perform: Callable[..., Any]) -> Callable[[str], Any]:
    """Return what makes operations of a kind by a name: each performs with the servant, what its target has by the name, and arguments."""

    def named(name: str) -> Any:
        @theirs()
        def served(self: Served, *given: Any) -> Any:
            return perform(self, getattr(self.target, name), *given)

        return served

    return named


calling = operation(lambda _, call, *given: call(*given))
reading = operation(lambda self, found: self.refer(found))
listing = operation(lambda _, found: list(found() if callable(found) else found))
finding = operation(lambda self, find, number: self.refer(find(number)))
describing = operation(lambda _, get: their_properties(get()))
setting = operation(lambda _, put, given: put(properties(given)))


@operation
def ending(self: Served, end: Callable[[], None]) -> None:
    """End an object."""
    end()
    self.exported.end(self.target)


@operation
def grouping(self: Served, make: Callable[[FilterOperator], tuple[Admin, int]], operator: Any) -> tuple[Any, int]:
    """Make an admin."""
    made, number = make(FilterOperator(operator._v))
    return self.refer(made, operator=operator), number


@operation
def obtaining(self: Served, obtain: Callable[[ClientType], tuple[Proxy, int]], kind: Any) -> tuple[Any, int]:
    """Make a proxy."""
    try:
        made, number = obtain(ClientType(kind._v))
    except ValueError:
        raise CORBA.NO_IMPLEMENT(0, CORBA.COMPLETED_NO) from None
    except AdminLimitExceeded as error:
        limit = MAX_CONSUMERS if isinstance(self.target, ConsumerAdmin) else MAX_SUPPLIERS
        most = their_properties({limit: self.target.channel.get_admin()[limit]})[0]
        raise Stubs.AdminLimitExceeded(Stubs.AdminLimit(most.name, most.value)) from error
    return self.refer(made), number


@operation
def connecting(self: Any, connect: Callable[[Any], None], remote: Any) -> None:
    """Connect a client; nil is for one that learns of the end only."""
    if remote is None and self.called:
        raise CORBA.BAD_PARAM(0, CORBA.COMPLETED_NO)
    connect(None if remote is None else self.client(remote))


def mapping(name: str) -> tuple[Any, Any]:
    """Return the operations that read and set a mapping filter."""

    @theirs()
    def get(self: Served) -> Any:
        found = getattr(self.target, name)
        if found is None:
            return None
        return found.remote if isinstance(found, ForeignValueFilter) else self.exported.reference(found)

    @theirs()
    def put(self: Served, remote: Any) -> None:
        found = None if remote is None else self.exported.target(remote) or ForeignValueFilter(remote)
        setattr(self.target, name, found)

    return get, put


class Managed(Served):
    """A servant with quality of service."""

    get_qos = describing("get_qos")
    set_qos = setting("set_qos")


class Filtered(Managed):
    """A servant with filters, made by factories of this process or of others."""

    get_all_filters = listing("get_all_filters")
    remove_filter = calling("remove_filter")

    @theirs()
    def add_filter(self, new_filter: Any) -> int:
        if new_filter is None:
            raise CORBA.BAD_PARAM(0, CORBA.COMPLETED_NO)
        return int(self.target.add_filter(self.exported.target(new_filter) or ForeignFilter(new_filter)))
