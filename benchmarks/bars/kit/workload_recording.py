"""The cost of recording workloads: of one event alone, and of a send and a receive with all fields of the message read."""

from __future__ import annotations

import importlib
import itertools
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.bars.bar import Bar, Measured, paired
from benchmarks.unavailable import Unavailable
from tck import api

if TYPE_CHECKING:
    from tck.workload.recorder import Recorder
    from tck.workload.shared_state import SharedState

CALLS: Final = 2_000
PAIRS: Final = 200
EVENTS: Final = 4
"""Events of a pair: call and return of the send, call and return of the receive."""
SIZE: Final = 200

PLAN: Final = """
[plan]
title = "benchmark"
[[destination]]
name = "q"
kind = "queue"
[[message]]
name = "plain"
mode = "non-persistent"
properties = { colour = "red", weight = 3 }
[[consumer]]
name = "c"
from = "q"
"""


def _recorder(folder: Path, clock: api.Clock) -> Recorder:
    from tck.workload.recorder import Recorder  # noqa: PLC0415 - the registry imports every module; only these bars need it

    return Recorder(folder, clock)


def one_event() -> Measured:
    """Compare begin and end of a call to an empty loop."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = _recorder(Path(folder), api.SystemClock())

        def empty() -> None:
            for _ in range(CALLS):
                pass

        def recorded() -> None:
            for number in range(CALLS):
                row = recorder.begin(0, 1, 2, msg=number, unit=3, dest=4, prio=4, mode=2)
                recorder.end(row)

        empties, ratio = paired(empty, recorded, clock=time.process_time)
        recorder.close()
    added = empties * (ratio - 1) / CALLS * 1e6
    return Measured(added / 2, f"call and return together {added:.2f} us of CPU")


class _Pair:
    """Sends and receives messages that are never stored, directly or as a workload does."""

    def __init__(self, shared: SharedState, provider: api.Provider) -> None:
        from tck.workload.actors.producers import Sender  # noqa: PLC0415 - as above
        from tck.workload.consumer_link import ConsumerLink  # noqa: PLC0415 - as above
        from tck.workload.links import Link  # noqa: PLC0415 - as above

        plan = shared.plan.consumers[0]
        self.destination = shared.destinations["q"][0]
        self.link = Link(shared, "benchmark", "auto")
        self.sender = Sender(shared, self.link)
        self.consumer_link = ConsumerLink(shared, self.link, self.destination, plan, "c-1")
        self.link.start()
        self.options = shared.message_kinds["plain"].choose_options(shared.choice("benchmark"))
        self.message_kind = shared.message_kinds["plain"]
        connection = provider.connection_factory().create_connection()
        self.session = connection.create_session()
        self.queue = provider.create_queue("bare")
        self.producer = self.session.create_producer(None)
        self.consumer = self.session.create_consumer(self.queue)
        self.numbers = itertools.count()
        connection.start()

    def recorded(self) -> None:
        for _ in range(PAIRS):
            self.sender.send(self.destination, "plain", SIZE, self.options)
            self.consumer_link.receive(5000)

    def bare(self) -> None:
        options = self.options
        for _ in range(PAIRS):
            message, _digest = self.message_kind.make(self.session, next(self.numbers), SIZE)
            self.producer.send(
                message,
                destination=self.queue,
                delivery_mode=options.mode,
                priority=options.priority,
                time_to_live=options.ttl,
            )
            self.consumer.receive(5000)


def a_pair() -> Measured:
    """Measure the CPU time per event that recording adds to a send and a receive on the reference provider."""
    from tck.workload.plan import load_plan  # noqa: PLC0415 - as above
    from tck.workload.shared_state import SharedState  # noqa: PLC0415 - as above

    try:
        open_provider: api.OpenProvider = importlib.import_module("reference_provider.adapter").open_provider
    except (ImportError, AttributeError) as error:
        raise Unavailable(f"the reference provider cannot be opened ({error})") from None
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
        provider = stack.enter_context(open_provider({}, folder))
        recorder = _recorder(folder, provider.clock)
        shared = SharedState(
            provider, load_plan(str(folder / "plan.toml")), recorder, seed=1, run="benchmark", modern=True
        )
        shared.create_destinations()
        pair = _Pair(shared, provider)
        pair.bare()
        pair.recorded()
        seconds, ratio = paired(pair.bare, pair.recorded, rounds=30, clock=time.process_time)
        pair.link.close()
        recorder.close()
    bare = seconds / PAIRS * 1e6
    added = bare * (ratio - 1)
    return Measured(added / EVENTS, f"a bare pair takes {bare:.0f} us of CPU, a recorded one {added:.0f} us more")


BARS: Final = (
    Bar(
        id="W1",
        what="recording one event of a workload, nothing read, takes at most 5 us",
        unit="us CPU",
        prototype="-",
        require=5,
        stretch=2,
        measure=one_event,
    ),
    Bar(
        id="W2",
        what="recording adds at most 10 us to each event of a workload, with all header fields, properties and the body read",
        unit="us CPU",
        prototype="-",
        require=10,
        stretch=6,
        measure=a_pair,
    ),
)
