"""Faults of bridges that ask for data, and of those that hold it until it is asked for."""

from __future__ import annotations

from collections import deque

from faults.interworking.registry import Faults, declare
from reference_bridge.bridges import ReferenceBridge
from reference_bridge.factory import ReferenceFactory
from reference_bridge.pulled import Buffered
from tck import api as jms
from tck.interworking.bridge import FlowStyle

PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL


class _Newest(Buffered):
    def hold(self, message: jms.Message) -> None:
        with self._guard:
            self._buffer: deque = deque(maxlen=1)  # type: ignore[type-arg]
        super().hold(message)


def _forgetful(factory: ReferenceFactory) -> None:
    factory.kinds[False, PUSH, PULL] = _Newest


def _receiving(factory: ReferenceFactory) -> None:
    for sink in (PUSH, PULL):
        factory.kinds[False, PUSH, sink] = factory.kinds[False, PULL, sink]


def _listening(factory: ReferenceFactory) -> None:
    for sink in (PUSH, PULL):
        factory.kinds[False, PULL, sink] = factory.kinds[False, PUSH, sink]


def _pushed(factory: ReferenceFactory) -> None:
    factory.kinds[True, PULL, PUSH] = factory.kinds[True, PUSH, PUSH]


class _EitherSide(ReferenceBridge):
    @property
    def _active(self) -> bool:
        return self._started and self._connected and not (self._lost and self._broken.is_set())


declare("iw-2.3-17", "one side that is there makes a bridge active", Faults(mixin=_EitherSide))
declare("iw-2.2-15", "only the newest message is held", Faults(of_factory=_forgetful))
declare("iw-2.3-4", "a destination that pushes is received from", Faults(of_factory=_receiving))
declare("iw-2.3-5", "a destination that is pulled has a listener", Faults(of_factory=_listening))
declare("iw-2.3-8 iw-2.3-9", "a channel that is pulled pushes", Faults(of_factory=_pushed))
