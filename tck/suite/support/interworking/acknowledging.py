"""Connections with event acknowledgment: probes on both sides of a channel that acknowledge, keep silent or fail as they are told.

Times are on the provider's clock, intervals some hundred ms, since the clock of a broker is real.
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tck.interworking import Any_, Kind, Property, StructuredEvent
from tck.interworking.acknowledgment import (
    ACKNOWLEDGMENT,
    DELIVERY_RELIABILITY,
    RETRIES,
    RETRY_INTERVAL,
    SEQUENCE_NUMBER,
    SequencePullSupplierAck,
    SequencePushSupplierAck,
    StructuredPullSupplierAck,
    StructuredPushSupplierAck,
)
from tck.interworking.channel import ClientType
from tck.interworking.clients import Batch, SequencePushConsumer, StructuredPushConsumer
from tck.interworking.events import EventHeader
from tck.interworking.qos import (
    FIFO_ORDER,
    MAXIMUM_BATCH_SIZE,
    ORDER_POLICY,
    PACING_INTERVAL,
    CommFailure,
    Disconnected,
    ImpLimit,
    Properties,
)
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.harness.outcome import Broken, Undecided, Unsupported
from tck.suite.support.interworking.crossing import WAY, Crossing, numbered

TICKS: Final = 10_000
"""Units of 100 ns in a millisecond."""
INTERVAL: Final = 200
"""RetryInterval, in ms."""
STEP: Final = 20
"""How often a probe looks again, in ms."""
STRUCTURED, SEQUENCE = ClientType.STRUCTURED_EVENT, ClientType.SEQUENCE_EVENT
"""What clients send or get."""
KINDS: Final = (STRUCTURED, SEQUENCE)
"""Both of them."""


class Answer(enum.Enum):
    """What a consumer does with a push, or a supplier with a call."""

    ACKNOWLEDGE = enum.auto()
    SILENCE = enum.auto()
    FAILURE = enum.auto()


ACKNOWLEDGE, SILENCE, FAILURE = Answer
"""Take it and acknowledge; take it and say nothing; raise CommFailure."""


def terms(retries: int = 3, **other: int) -> dict[str, int]:
    """Return quality of service with acknowledgment, in order of arrival."""
    return {
        DELIVERY_RELIABILITY: ACKNOWLEDGMENT,
        RETRY_INTERVAL: INTERVAL * TICKS,
        RETRIES: retries,
        ORDER_POLICY: FIFO_ORDER,
        MAXIMUM_BATCH_SIZE: 3,
        PACING_INTERVAL: 50 * TICKS,
        **other,
    }


def number_in(event: StructuredEvent) -> object:
    """Return the number of an event; None for none."""
    found = event.field(SEQUENCE_NUMBER)
    return None if found is None else found.value


def carrying(event: StructuredEvent, name: str, value: Any_) -> StructuredEvent:
    """Return an event with one more item in its variable header."""
    items = (*event.header.variable_header, Property(name, value))
    return StructuredEvent(
        EventHeader(event.header.fixed_header, items), event.filterable_data, event.remainder_of_body
    )


def with_number(event: StructuredEvent, number: int) -> StructuredEvent:
    """Return an event that a supplier has numbered."""
    return carrying(event, SEQUENCE_NUMBER, Any_.of(Kind.LONG, number))


@dataclass(frozen=True, slots=True)
class Push:
    """One push, or the result of one pull: its events, and when it came, ms since the epoch."""

    events: Batch
    at: int

    @property
    def number(self) -> Any:  # noqa: ANN401 - a foreign channel may put anything there
        """The number of the first event; None for none."""
        return number_in(self.events[0])

    @property
    def known(self) -> int:
        """The number of the first event; one without breaks the row."""
        if not isinstance(self.number, int):
            raise Broken(f"the event {self.names} has no number", expected="a number on each event or batch")
        return self.number

    @property
    def names(self) -> list[str]:
        """The names of the events."""
        return [each.header.fixed_header.event_name for each in self.events]


class PushProbe(StructuredPushConsumer, SequencePushConsumer):
    """A consumer that is pushed to.

    Attributes:
        pushes: What came, also what it failed on.
        answers: What it does with the next pushes; after them `otherwise`.
        proxy: Where it acknowledges.
    """

    def __init__(self, case: Case, *answers: Answer, otherwise: Answer = ACKNOWLEDGE) -> None:
        self.case = case
        self.pushes: list[Push] = []
        self.answers, self.otherwise = list(answers), otherwise
        self.proxy: Any = None

    @property
    def numbers(self) -> list[Any]:
        """The numbers that came, in order."""
        return [each.number for each in self.pushes]

    @property
    def names(self) -> list[str]:
        """The names of the events that came, in order."""
        return [name for each in self.pushes for name in each.names]

    def push_structured_events(self, events: Batch) -> None:
        """Take a batch, and answer as told."""
        push = Push(events, self.case.now())
        self.pushes.append(push)
        answer = self.answers.pop(0) if self.answers else self.otherwise
        if answer is FAILURE:
            raise CommFailure("the consumer of the case fails")
        if answer is ACKNOWLEDGE and isinstance(push.number, int):
            self.proxy.acknowledge((push.number,))

    def push_structured_event(self, event: StructuredEvent) -> None:
        """Take an event, and answer as told."""
        self.push_structured_events((event,))

    def disconnect_structured_push_consumer(self) -> None:
        """Nothing to do."""

    def disconnect_sequence_push_consumer(self) -> None:
        """Nothing to do."""


class PushSource(StructuredPushSupplierAck, SequencePushSupplierAck):
    """A supplier that pushes and notes what is acknowledged: `acknowledged`, a list of numbers for each call; raises as told."""

    def __init__(self, *answers: Answer) -> None:
        self.acknowledged: list[tuple[int, ...]] = []
        self.answers = list(answers)
        self.proxy: Any = None

    @property
    def numbers(self) -> list[int]:
        """The numbers that were acknowledged, in order."""
        return [number for each in self.acknowledged for number in each]

    def acknowledge(self, sequence_numbers: tuple[int, ...]) -> None:
        """Note the numbers."""
        self.acknowledged.append(tuple(sequence_numbers))
        if self.answers and self.answers.pop(0) is FAILURE:
            raise CommFailure("the supplier of the case fails")

    def push(self, *events: StructuredEvent) -> None:
        """Push events: alone, or as a batch."""
        if self.proxy.type.name.endswith("SEQUENCE"):
            self.proxy.push_structured_events(events)
        else:
            self.proxy.push_structured_event(*events)

    def disconnect_structured_push_supplier(self) -> None:
        """Nothing to do."""

    def disconnect_sequence_push_supplier(self) -> None:
        """Nothing to do."""


class PullSource(StructuredPullSupplierAck, SequencePullSupplierAck):
    """A supplier that is pulled, has numbered batches, and fails as told.

    Attributes:
        batches: What it still has to give.
        pulls: When it was pulled and how it answered, in the order of the calls: a time in ms, and whether it failed.
        acknowledged: When it was acknowledged to and with which numbers; those too on which it failed.
        pull_answers: What the next pulls do; each FAILURE raises.
        acknowledge_answers: What the next acknowledgments do.
    """

    def __init__(self, case: Case, *batches: Batch) -> None:
        self.case = case
        self.batches = list(batches)
        self.pulls: list[tuple[int, bool]] = []
        self.acknowledged: list[tuple[int, tuple[int, ...]]] = []
        self.pull_answers: list[Answer] = []
        self.acknowledge_answers: list[Answer] = []
        self.always = False
        self._ended = False

    @property
    def numbers(self) -> list[tuple[int, ...]]:
        """The numbers of each acknowledgment."""
        return [each for _, each in self.acknowledged]

    def try_pull_structured_events(self, max_number: int) -> Batch:
        """Give a batch, or fail."""
        del max_number  # the batches of cases are of one event
        failing = self.always or (bool(self.pull_answers) and self.pull_answers.pop(0) is FAILURE)
        self.pulls.append((self.case.now(), failing))
        if failing:
            raise CommFailure("the supplier of the case fails")
        return self.batches.pop(0) if self.batches else ()

    def pull_structured_events(self, max_number: int) -> Batch:
        """Give a batch once there is one."""
        while not self._ended:
            if found := self.try_pull_structured_events(max_number):
                return found
            self.case.provider.clock.event().wait(STEP)
        raise Disconnected("the connection has ended")

    def try_pull_structured_event(self) -> StructuredEvent | None:
        """Give an event, or fail."""
        return next(iter(self.try_pull_structured_events(1)), None)

    def pull_structured_event(self) -> StructuredEvent:
        """Give an event once there is one."""
        return self.pull_structured_events(1)[0]

    def acknowledge(self, sequence_numbers: tuple[int, ...]) -> None:
        """Note the numbers, or fail."""
        self.acknowledged.append((self.case.now(), tuple(sequence_numbers)))
        if self.acknowledge_answers and self.acknowledge_answers.pop(0) is FAILURE:
            raise CommFailure("the supplier of the case fails")

    def _end(self) -> None:
        self._ended = True

    disconnect_structured_pull_supplier = disconnect_sequence_pull_supplier = _end


class Reliable(Crossing):
    """A channel whose connections have acknowledgment, as far as the case asks for it."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.claimed("acknowledgment")
        self.feed = self.supplier()
        """Pushes single events without acknowledgment."""

    def hook(self, kind: type[Any]) -> Any:  # noqa: ANN401 - of the kind
        """Return a hook of the factory of channels, or end the case as unsupported."""
        found = self.channels.hook(kind)
        if found is None:
            raise Unsupported(f"the factory of channels has no {kind.__name__}")
        return found

    def works(self) -> None:
        """Demand that an event on a connection with acknowledgment has a number."""
        probe = self.pushed_to()
        self.publish(0)
        _ = self.first(probe).known

    def first(self, probe: PushProbe) -> Push:
        """Return the first push to a consumer, once it has come."""
        self.until("the event was pushed", lambda: probe.pushes)
        return probe.pushes[0]

    def fill(self) -> None:
        """Push until the channel rejects: it has to be full soon."""
        for _ in range(8):
            try:
                self.publish(0)
            except ImpLimit as error:
                self.case.witness(f"the channel is full: {error}")
                return
        raise Undecided("a channel that is told to be small and to reject new events took 8 of them")

    def until(self, claim: str, holds: Callable[[], object], within: int = WAY) -> None:
        """Let time pass until something holds; demand it."""
        deadline = self.case.now() + within
        while not holds():
            if self.case.now() >= deadline:
                raise Broken(f"within {within} ms of the clock it was not so: {claim}", expected=claim)
            self.case.pass_time(STEP, claim)
        self.case.witness(claim)

    def intervals(self, count: int = 3) -> None:
        """Let retry intervals pass on the clock that the channel repeats by: what is to be repeated has been."""
        self.case.pass_time(count * INTERVAL, "a retry that is due is made meanwhile")

    def settled(self, count: Callable[[], int]) -> int:
        """Return a count that has not grown for five retry intervals, or break the row after a minute."""
        deadline, before = self.case.now() + WAY, -1
        while (now := count()) != before:
            if self.case.now() >= deadline:
                raise Broken(f"after {now} calls there is no end", expected="an end of the retries")
            before = now
            self.intervals(5)
        return now

    def publish(self, *names: int) -> None:
        """Push events with these names, without numbers."""
        for each in names:
            self.feed.push_structured_event(numbered(each + 1)[each])

    # -- connections -----------------------------------------------------------------------------------------------

    def pushed_to(
        self,
        *answers: Answer,
        kind: ClientType = STRUCTURED,
        qos: Properties | None = None,
        otherwise: Answer = ACKNOWLEDGE,
    ) -> PushProbe:
        """Connect a consumer that is pushed to, by an admin with the quality of service."""
        admin = self.channel.new_for_consumers()[0]
        self.calls("set_qos", lambda: admin.set_qos(terms() if qos is None else qos))
        probe = PushProbe(self.case, *answers, otherwise=otherwise)
        probe.proxy = admin.obtain_notification_push_supplier(kind)[0]
        if kind == STRUCTURED:
            probe.proxy.connect_structured_push_consumer(probe)
        else:
            probe.proxy.connect_sequence_push_consumer(probe)
        return probe

    def pulls_from(self, kind: ClientType = STRUCTURED, qos: Properties | None = None) -> Any:  # noqa: ANN401 - of two kinds
        """Return the proxy of a consumer that pulls."""
        admin = self.channel.new_for_consumers()[0]
        self.calls("set_qos", lambda: admin.set_qos(terms() if qos is None else qos))
        proxy: Any = admin.obtain_notification_pull_supplier(kind)[0]
        if kind == STRUCTURED:
            proxy.connect_structured_pull_consumer(None)
        else:
            proxy.connect_sequence_pull_consumer(None)
        return proxy

    def pull(self, proxy: Any, within: int = WAY) -> Push | None:  # noqa: ANN401 - of `pulls_from`
        """Pull the next event or batch of at most three; None if nothing comes in time."""
        deadline = self.case.now() + within
        while True:
            if proxy.type.name.endswith("SEQUENCE"):
                found = proxy.try_pull_structured_events(3)
            else:
                one = proxy.try_pull_structured_event()
                found = () if one is None else (one,)
            if found:
                self.case.witness(f"a pull gave {len(found)} events")
                return Push(found, self.case.now())
            if self.case.now() >= deadline:
                return None
            self.case.pass_time(STEP, "an event is on its way to a pull")

    def needed(self, proxy: Any) -> Push:  # noqa: ANN401 - of `pulls_from`
        """Pull what has to come."""
        found = self.pull(proxy)
        if found is None:
            raise Broken("nothing could be pulled", expected="an event")
        return found

    def pushing(self, *answers: Answer, kind: ClientType = STRUCTURED) -> PushSource:
        """Connect a supplier that pushes and is acknowledged to."""
        admin = self.channel.new_for_suppliers()[0]
        self.calls("set_qos", lambda: admin.set_qos(terms()))
        source = PushSource(*answers)
        source.proxy = admin.obtain_notification_push_consumer(kind)[0]
        if kind == STRUCTURED:
            source.proxy.connect_structured_push_supplier(source)
        else:
            source.proxy.connect_sequence_push_supplier(source)
        return source

    def pulled_by_channel(self, source: PullSource, retries: int = 3, kind: ClientType = STRUCTURED) -> Any:  # noqa: ANN401
        """Connect a supplier that is pulled."""
        admin = self.channel.new_for_suppliers()[0]
        self.calls("set_qos", lambda: admin.set_qos(terms(retries)))
        proxy: Any = admin.obtain_notification_pull_consumer(kind)[0]
        if kind == STRUCTURED:
            proxy.connect_structured_pull_supplier(source)
        else:
            proxy.connect_sequence_pull_supplier(source)
        return proxy


def offering(count: int, first: int = 0) -> list[Batch]:
    """Return batches of one event with numbers 0, 1, 2 ... and names alike."""
    return [(with_number(each, at),) for at, each in enumerate(numbered(first + count)) if at >= first]


def spaced(times: list[int]) -> None:
    """Demand RetryInterval between calls, less what a clock of whole milliseconds may lose."""
    gaps = [after - before for before, after in itertools.pairwise(times)]
    expect.true(
        f"{INTERVAL} ms lie between calls", not [each for each in gaps if each < 0.9 * INTERVAL], f"gaps of {gaps} ms"
    )
