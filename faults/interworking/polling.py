"""Faults of bridges that ask for data, and of those that hold it until it is asked for."""

from collections import deque

from faults.interworking.kit import *

PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL


class _Newest(Buffered):
    def hold(self, message):
        with self._guard:
            self._buffer = deque(maxlen=1)
        super().hold(message)


@declare("iw-2.2-15", "only the newest message is held", at="of_factory")
def _(factory):
    factory.kinds[False, PUSH, PULL] = _Newest


@declare("iw-2.3-4", "a destination that pushes is received from", at="of_factory")
def _(factory):
    for sink in (PUSH, PULL):
        factory.kinds[False, PUSH, sink] = factory.kinds[False, PULL, sink]


@declare("iw-2.3-5", "a destination that is pulled has a listener", at="of_factory")
def _(factory):
    for sink in (PUSH, PULL):
        factory.kinds[False, PULL, sink] = factory.kinds[False, PUSH, sink]


@declare("iw-2.3-8 iw-2.3-9", "a channel that is pulled pushes", at="of_factory")
def _(factory):
    factory.kinds[True, PULL, PUSH] = factory.kinds[True, PUSH, PUSH]


@declare("iw-2.3-17", "one side that is there makes a bridge active", at="mixin")
class _(ReferenceBridge):
    @property
    def _active(self):
        return self._started and self._connected and not (self._lost and self._broken.is_set())
