"""The cost of recording, beside an empty call and beside the reference provider."""

from __future__ import annotations

import importlib
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.unavailable import Unavailable
from tck import api

if TYPE_CHECKING:
    from tck.adapters.recording import Recorder

CALLS = 2_000
PAIRS = 200


class _Empty:
    __slots__ = ()

    def call(self) -> None:
        pass


class _Requestor(api.QueueRequestor):
    """An API object whose members do nothing: all the cost of a recorded call is that of recording."""

    __slots__ = ()

    def request(self, message: api.Message) -> api.Message:
        return message

    def close(self) -> None:
        pass


def _recorder(clock: api.Clock) -> Recorder:
    from tck.adapters.recording import Recorder  # noqa: PLC0415 - the registry imports every module; only this bar needs it

    return Recorder(clock, "benchmark")


def added_to_a_call() -> Measured:
    """Measure the cost that recording adds to an API call that does nothing, in empty calls."""
    empty, bare = _Empty(), _Requestor()

    def empties() -> None:
        for _ in range(CALLS):
            empty.call()

    def bares() -> None:
        for _ in range(CALLS):
            bare.close()

    def recorded() -> None:
        wrapped = _recorder(api.SystemClock()).wrap(bare)
        for _ in range(CALLS):
            wrapped.close()

    seconds, ratio = paired(empties, recorded)
    _, bare_ratio = paired(empties, bares)
    nanoseconds = seconds / CALLS * 1e9
    return Measured(
        ratio - bare_ratio,
        f"one empty call {nanoseconds:.0f} ns; recorded call {ratio:.1f}, bare {bare_ratio:.1f} of it",
    )


class _Pairs:
    """Sends and receives messages of 200 bytes with five properties, directly or through a fresh recorder."""

    def __init__(self, provider: api.Provider, name: str, mode: int) -> None:
        connection = provider.connection_factory().create_connection()
        session = connection.create_session()
        queue = provider.create_queue(name)
        self.clock = provider.clock
        self.producer, self.consumer = session.create_producer(queue), session.create_consumer(queue)
        self.producer.delivery_mode = mode
        self.message = session.create_text_message("x" * 200)
        for number in range(5):
            self.message.set_int_property(f"p{number}", number)
        connection.start()

    def bare(self) -> None:
        self.run(self.producer, self.consumer, self.message)

    def recorded(self) -> None:
        recorder = _recorder(self.clock)
        self.run(recorder.wrap(self.producer), recorder.wrap(self.consumer), recorder.wrap(self.message))

    @staticmethod
    def run(producer: api.MessageProducer, consumer: api.MessageConsumer, message: api.Message) -> None:
        for _ in range(PAIRS):
            producer.send(message)
            consumer.receive(5000)


def send_and_receive(mode: int) -> Measured:
    """Compare recorded pairs on the reference provider, on disk, to bare ones."""
    try:
        open_provider: api.OpenProvider = importlib.import_module("reference_provider.adapter").open_provider
    except (ImportError, AttributeError) as error:
        raise Unavailable(f"the reference provider cannot be opened ({error})") from None
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        provider = stack.enter_context(open_provider({}, Path(folder)))
        pairs = _Pairs(provider, "benchmark", mode)
        pairs.bare()
        pairs.recorded()
        start = time.process_time()
        seconds, ratio = paired(pairs.bare, pairs.recorded, rounds=30)
        cpu = time.process_time() - start
    return Measured(ratio, f"bare pair {seconds / PAIRS * 1e6:.0f} us; {cpu:.1f} s of CPU in all")


BARS = (
    Bar(
        id="R1",
        what="recording adds at most the cost of 20 empty calls to a call",
        unit="empty calls",
        prototype="6.8",
        require=20,
        stretch=12,
        measure=added_to_a_call,
    ),
    Bar(
        id="R2",
        what="send + receive of a persistent message on the reference provider costs at most 1.5 times as much when recorded",
        unit="times",
        prototype="2.6 of a toy pair of 1.1 us",
        require=1.5,
        stretch=1.25,
        measure=lambda: send_and_receive(api.DeliveryMode.PERSISTENT),
    ),
    Bar(
        id="R2n",
        what="the same for a non-persistent message, which never leaves memory: the hardest case for the ratio, at most twice as much",
        unit="times",
        prototype="-",
        require=2.0,
        stretch=1.5,
        measure=lambda: send_and_receive(api.DeliveryMode.NON_PERSISTENT),
    ),
)
