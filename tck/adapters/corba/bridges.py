"""Bridges of others, driven through `CosBridgeAdmin` by the reference of their factory."""

from __future__ import annotations

import contextlib
import functools
import os
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import omniORB
from omniORB import CORBA

from tck.adapters.corba.errors import ours
from tck.adapters.corba.orb import orb
from tck.interworking import bridge
from tck.interworking.bridge import (
    DestinationType,
    EndpointError,
    EndpointErrorCode,
    EndpointRole,
    ExternalEndpoint,
    FlowStyle,
    InvalidExternalEndPoints,
    JMSDestination,
    MessageType,
)
from tck.interworking.qos import ObjectNotExist
from tck.profile.errors import ProviderUnreachable

_IDL: Final = Path(__file__).with_name("bridge_admin.idl")


@functools.cache
def _stubs() -> Any:
    """Compile the IDL; the compiler comes with omniORB, and lies where the programs of this Python lie."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join((sysconfig.get_path("scripts"), before))
    try:
        omniORB.importIDL(str(_IDL))
    finally:
        os.environ["PATH"] = before
    import CosBridgeAdmin  # noqa: PLC0415 - made just now

    return CosBridgeAdmin


@contextlib.contextmanager
def _our_errors() -> Iterator[None]:
    try:
        with ours():
            yield
    except Exception as error:
        raised = error.__cause__
        if not isinstance(raised, CORBA.UserException):
            raise
        if isinstance(raised, _stubs().InvalidExternalEndPoints):
            errors = (EndpointError(EndpointRole(e.role._v), EndpointErrorCode(e.code._v)) for e in raised.error)
            raise InvalidExternalEndPoints(*errors) from raised
        raise getattr(bridge, type(raised).__name__)(str(raised)) from raised


@contextlib.contextmanager
def _left_out() -> Iterator[None]:
    try:
        yield
    except CORBA.NO_IMPLEMENT as error:
        raise bridge.StyleNotOffered(str(error)) from error


def _theirs(point: ExternalEndpoint, shift: int) -> Any:
    stubs, place = _stubs(), point.connector
    if isinstance(place, JMSDestination):
        kind, value = MessageType.JMS_MESSAGE, stubs.JMSDestination(
            stubs.JMSDestinationType._item(place.type), place.name, place.factory_name
        )  # fmt: skip
    else:
        kind, value = point.type or MessageType.STRUCTURED_EVENT, place + shift
    return stubs.ExternalEndpoint(
        stubs.ExternalEndpointRole._item(point.role),
        stubs.ExternalEndpointConnector(stubs.MessageType._item(kind), value),
        stubs.FlowStyle._item(point.style),
        stubs.MessageType._item(point.type),
    )


def _our_point(point: Any, shift: int) -> ExternalEndpoint:
    place = point.connector._v
    if point.connector._d._v == MessageType.JMS_MESSAGE:
        kind = DestinationType(place.destination_type._v)
        place = JMSDestination(kind, place.destination_name, place.factory_name)
    else:
        place -= shift
    return ExternalEndpoint(
        EndpointRole(point.role._v), place, FlowStyle(point.style._v), MessageType(point.type._v)
    )  # fmt: skip


class _Bridge(bridge.Bridge):
    def __init__(self, remote: Any, shift: int) -> None:
        self.remote, self._shift = remote, shift

    @property
    def end_point_receiver(self) -> ExternalEndpoint:
        with _our_errors():
            return _our_point(self.remote._get_end_point_receiver(), self._shift)

    @property
    def end_point_sender(self) -> ExternalEndpoint:
        with _our_errors():
            return _our_point(self.remote._get_end_point_sender(), self._shift)

    def start_bridge(self) -> None:
        with _our_errors():
            self.remote.start_bridge()

    def stop_bridge(self) -> None:
        with _our_errors():
            self.remote.stop_bridge()

    def get_status(self) -> bridge.BridgeStatus:
        raise bridge.StatusNotOffered("CosBridgeAdmin::Bridge has no such operation")

    def destroy(self) -> None:
        with _our_errors():
            self.remote.destroy()


class ForeignBridges(bridge.BridgeFactory):
    """The factory of somebody's bridges.

    Args:
        reference: Its reference, `IOR:...` or `corbaloc:...`.
        shift: Added to the ids of channels, so that it finds them.

    Raises:
        ProviderUnreachable: Nobody answers there, or somebody else.
    """

    def __init__(self, reference: str, shift: int = 0) -> None:
        self._shift = shift
        self._made = dict[int, _Bridge]()
        try:
            with ours():
                found = orb().string_to_object(reference)._narrow(_stubs().BridgeFactory)
                answers = found is None or not found._non_existent()
        except Exception as error:
            raise ProviderUnreachable(
                f"no factory of bridges answers at {reference[:40]}...: {error}; start the bridge, or correct the reference"
            ) from error
        if found is None or not answers:
            raise ProviderUnreachable(f"{reference[:40]}... is no CosBridgeAdmin::BridgeFactory")
        self._remote = found

    @property
    def uses_provider(self) -> bool:
        """It has a client of its own."""
        return False

    def create_bridge(self, source: ExternalEndpoint, sink: ExternalEndpoint) -> tuple[bridge.Bridge, int]:
        """Make a bridge; NO_IMPLEMENT stands for styles that are left out."""
        with _our_errors(), _left_out():
            made, number = self._remote.create_bridge(_theirs(source, self._shift), _theirs(sink, self._shift))
        self._made[number] = _Bridge(made, self._shift)
        return self._made[number], number

    def get_bridge_with_id(self, bridge_id: int) -> bridge.Bridge:
        """Return a bridge: the one that was made here, if it is that."""
        with _our_errors():
            found = self._remote.get_bridge_with_id(bridge_id)
            own = self._made.get(bridge_id)
            return own if own is not None and own.remote._is_equivalent(found) else _Bridge(found, self._shift)

    def get_all_bridges(self) -> tuple[int, ...]:
        """Return the ids."""
        with _our_errors():
            return tuple(self._remote.get_all_bridges())

    def close(self) -> None:
        """Destroy the bridges that were made here."""
        for each in self._made.values():
            with contextlib.suppress(ObjectNotExist):
                each.destroy()
        self._made.clear()
