"""Faults of bridges that ask for data, and of those that hold it until it is asked for."""

from collections import deque

from faults.interworking.kit import *

PUSH, PULL = FlowStyle.PUSH, FlowStyle.PULL


@declare("iw-2.2-15", "only the newest message is held")
class _(at_jms.Holding):
    def hold(self, message):
        with self._guard:
            self._buffer = deque(maxlen=1)
        super().hold(message)


@declare("iw-2.3-4", "a destination that pushes is received from", at="of_factory")
def _(factory):
    for sink in (PUSH, PULL):
        factory.ways[False, PUSH, sink] = factory.ways[False, PULL, sink]


@declare("iw-2.3-5", "a destination that is pulled has a listener", at="of_factory")
def _(factory):
    for sink in (PUSH, PULL):
        factory.ways[False, PULL, sink] = factory.ways[False, PUSH, sink]


@declare("iw-2.3-8 iw-2.3-9", "a channel that is pulled pushes", at="of_factory")
def _(factory):
    factory.ways[True, PULL, PUSH] = factory.ways[True, PUSH, PUSH]


@declare("iw-2.3-17", "one side that is there makes a bridge active")
class _(ReferenceBridge):
    @property
    def _active(self):
        return self.started and self._connected and not (self.ended and self.broken.is_set())
