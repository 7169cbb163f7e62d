"""Clients of a channel that note what they get, and numbered events."""

import threading
from contextlib import contextmanager

from reference_interworking.channel import Options, StandInFactory
from reference_provider.clock import VirtualClock
from tck.interworking import PRIORITY, STOP_TIME, TIMEOUT, Any_, Kind, TypeCode, event, struct_of
from tck.interworking.channel import ClientType
from tck.interworking.clients import (
    SequencePullConsumer,
    SequencePullSupplier,
    SequencePushConsumer,
    SequencePushSupplier,
    StructuredPullConsumer,
    StructuredPullSupplier,
    StructuredPushConsumer,
    StructuredPushSupplier,
)
from tck.interworking.qos import START_TIME

STRUCTURED, SEQUENCE = ClientType.STRUCTURED_EVENT, ClientType.SEQUENCE_EVENT
TICKS = 10_000
UTC = struct_of(
    "UtcT",
    time=TypeCode(Kind.ULONGLONG),
    inacclo=TypeCode(Kind.ULONG),
    inacchi=TypeCode(Kind.USHORT),
    tdf=TypeCode(Kind.SHORT),
)
EPOCH = 122_192_928_000_000_000


def numbered(number, *, priority=None, timeout_ms=None, start=None, stop=None, **header):
    """Return an event whose name is a number; `start` and `stop` in ms since the epoch."""
    if priority is not None:
        header[PRIORITY] = Any_.of(Kind.SHORT, priority)
    if timeout_ms is not None:
        header[TIMEOUT] = Any_.of(Kind.ULONGLONG, timeout_ms * TICKS)
    for name, time in ((START_TIME, start), (STOP_TIME, stop)):
        if time is not None:
            header[name] = Any_(UTC, (time * TICKS + EPOCH, 0, 0, 0))
    return event("d", "t", str(number), header=header)


def number_of(found):
    return int(found.header.fixed_header.event_name)


def numbers(events):
    return [number_of(each) for each in events]


class Client(
    StructuredPushConsumer,
    SequencePushConsumer,
    StructuredPullConsumer,
    SequencePullConsumer,
    StructuredPushSupplier,
    SequencePushSupplier,
):
    """Any client that is not pulled: notes batches, the time of each, and the disconnects; raises what it is told to."""

    def __init__(self, clock=None, *failures):
        self.clock = clock
        self.failures = list(failures)
        self.batches = []
        self.times = []
        self.ends = 0

    @property
    def got(self):
        return [number for batch in self.batches for number in batch]

    def push_structured_events(self, events):
        self.times.append(self.clock.now() if self.clock else 0)
        if self.failures:
            raise self.failures.pop(0)
        self.batches.append(numbers(events))

    def push_structured_event(self, event):
        self.push_structured_events((event,))

    def _end(self):
        self.ends += 1

    disconnect_structured_push_consumer = disconnect_sequence_push_consumer = _end
    disconnect_structured_pull_consumer = disconnect_sequence_pull_consumer = _end
    disconnect_structured_push_supplier = disconnect_sequence_push_supplier = _end


class Source(StructuredPullSupplier, SequencePullSupplier):
    """A client that is pulled: has events, and notes how it is asked."""

    def __init__(self, clock, *events):
        self.clock = clock
        self.events = list(events)
        self.asked = []
        self.ends = 0

    def try_pull_structured_events(self, max_number):
        self.asked.append((self.clock.now(), max_number))
        taken = tuple(self.events[:max_number])
        del self.events[:max_number]
        return taken

    def try_pull_structured_event(self):
        return next(iter(self.try_pull_structured_events(1)), None)

    def pull_structured_event(self):
        raise AssertionError("the channel pulls without waiting")

    def pull_structured_events(self, max_number):
        raise AssertionError("the channel pulls without waiting")

    def _end(self):
        self.ends += 1

    disconnect_structured_pull_supplier = disconnect_sequence_pull_supplier = _end


class Telling:
    """A lock that tells when a thread has come to it while another holds it."""

    def __init__(self):
        self.lock, self.came = threading.Lock(), threading.Event()

    def __enter__(self):
        if not self.lock.acquire(blocking=False):
            self.came.set()
            self.lock.acquire()

    def __exit__(self, *_):
        self.lock.release()


class Rig:
    """A channel on a virtual clock, with a supplier that pushes single events."""

    def __init__(self, clock, factory, **qos):
        self.clock = clock
        self.factory = factory
        self.channel, self.id = factory.create_channel(qos, {})
        self.consumers = self.channel.default_consumer_admin
        self.suppliers = self.channel.default_supplier_admin
        self.input, _ = self.suppliers.obtain_notification_push_consumer(STRUCTURED)
        self.input.connect_structured_push_supplier(None)

    def push(self, *events):
        for each in events:
            self.input.push_structured_event(each)

    def settle(self, ms=1):
        """Let the channel do what it has to within some ms: the clock moves once its thread has nothing left to do."""
        assert not self.clock.event().wait(ms)

    def push_consumer(self, *failures, kind=STRUCTURED, admin=None, **qos):
        """Return a new consumer with its proxy."""
        proxy, _ = (admin or self.consumers).obtain_notification_push_supplier(kind)
        proxy.set_qos(qos)
        consumer = Client(self.clock, *failures)
        if kind == STRUCTURED:
            proxy.connect_structured_push_consumer(consumer)
        else:
            proxy.connect_sequence_push_consumer(consumer)
        return consumer, proxy

    def pulled(self, kind=STRUCTURED, **qos):
        """Return a new proxy that is pulled."""
        proxy, _ = self.consumers.obtain_notification_pull_supplier(kind)
        proxy.set_qos(qos)
        if kind == STRUCTURED:
            proxy.connect_structured_pull_consumer(None)
        else:
            proxy.connect_sequence_pull_consumer(None)
        return proxy


def drained(proxy):
    """Return the numbers of what a proxy for single events has."""
    return numbers(iter(proxy.try_pull_structured_event, None))


@contextmanager
def rig(options=None, **qos):
    """Give a rig; the calling thread is an actor of its clock."""
    clock = VirtualClock(start=1_000_000)
    factory = StandInFactory(clock, options or Options())
    with clock.actor():
        yield Rig(clock, factory, **qos)
        factory.close()
