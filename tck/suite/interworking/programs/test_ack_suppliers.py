"""Interworking 4.2: generated programs on connections of suppliers with acknowledgment: what is stored there, and repetitions of any age."""

from __future__ import annotations

from typing import Any

from tck.interworking import EVENT_RELIABILITY, PERSISTENT, Any_, Kind
from tck.interworking import acknowledgment as ack
from tck.interworking.channel import ClientType
from tck.interworking.clients import Batch
from tck.interworking.qos import MAXIMUM_BATCH_SIZE
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Unsupported
from tck.suite.support.interworking.acknowledging import (
    FAILURE,
    INTERVAL,
    KINDS,
    SEQUENCE,
    SILENCE,
    Answer,
    PullSource,
    Reliable,
    terms,
)
from tck.suite.support.interworking.pending import LASTING, PATIENT, dice, item, names_in

MANY, FEW = 300, 30
"""How many numbers a program uses: on a virtual clock, and on a real one."""
NONE = terms(**{ack.DELIVERY_RELIABILITY: ack.NONE, MAXIMUM_BATCH_SIZE: 50, **LASTING})


class Stored(Reliable):
    """A channel with persistent events and connections, and a consumer without acknowledgment that shows what was stored.

    Args:
        case: The case.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.channel.set_qos({EVENT_RELIABILITY: PERSISTENT})
        self.rng = dice(case)
        self.out = self.pulls_from(SEQUENCE, NONE)
        self.names: list[str] = []

    def lasting(self, kind: ClientType, *answers: Answer) -> Any:
        """Return a supplier that pushes, whose connection outlives a crash."""
        source = self.pushing(*answers, kind=kind)
        source.proxy.set_qos(LASTING)
        return source

    def look(self) -> list[str]:
        """Return the names of all events that were stored so far, in order."""
        while found := self.out.try_pull_structured_events(50):
            self.names += [each.header.fixed_header.event_name for each in found]
        return self.names

    def crash(self) -> bool:
        """Crash the channel and start it again, if its factory can; return whether it could."""
        hook = self.channels.hook(ack.Crashes)
        if hook is None:
            return False
        channel = self.channels.plain(self.channel)
        hook.crash(channel)
        hook.restart(channel)
        return True


@asserts(
    "iw-4.2.7.1-5",
    "iw-4.2.5.2-2",
    "iw-4.2.7.1-6",
    "iw-2.6.1-2",
    "iw-2.6.1-1",
    "iw-4.2.5.1-3",
    plain=True,
    variant="program",
)
def test_programs_of_repeated_pushes(case: Case) -> None:
    """Numbers go on, any number is pushed again at any time, also after crashes: each event is stored once, each push acknowledged."""
    with expect.all_of():
        for kind in KINDS:
            on = Stored(case)
            source = on.lasting(kind)
            sent: list[Batch] = []
            crashed: list[str] = []
            for number in range(MANY if case.provider.clock.virtual else FEW):
                source.answers = [on.rng.choice((FAILURE, SILENCE)) for _ in range(on.rng.randint(0, 2))]
                sent.append(item(number, _size(on, kind)))
                source.push(*sent[number])
                if on.rng.random() < 0.03 and on.crash():
                    chosen = on.rng.sample(range(number + 1), min(number + 1, 3))
                    crashed += names_in([sent[each] for each in chosen])
                    _again(on, source, sent, chosen)
                if on.rng.random() < 0.3:
                    _again(on, source, sent, [on.rng.randint(0, number)])
            on.until("the last was acknowledged", lambda: len(sent) - 1 in source.numbers)
            wrong = _again(on, source, sent, [0, 1, len(sent) // 2, len(sent) - 1])
            _judge(on, sent, crashed)
            with expect.for_row("iw-4.2.7.1-6"):
                expect.equal("repetitions that were not acknowledged", wrong, [])


def _again(on: Stored, source: Any, sent: list[Batch], numbers: list[int]) -> list[str]:
    """Push some again; return the numbers that are not acknowledged again."""
    wrong = []
    for number in numbers:
        source.answers = []
        before = source.numbers.count(number)
        source.push(*sent[number])
        deadline = on.case.now() + 20 * INTERVAL
        while source.numbers.count(number) <= before and on.case.now() < deadline:
            on.case.pass_time(1, "a repetition is acknowledged")
        if source.numbers.count(number) <= before:
            wrong.append(str(number))
    return wrong


def _judge(on: Stored, sent: list[Batch], crashed: list[str]) -> None:
    """Demand that each event was stored once, and in order."""
    wanted, came = names_in(sent), on.look()
    twice = sorted({each for each in came if came.count(each) > 1})
    for row in ("iw-4.2.7.1-5", "iw-4.2.5.2-2", "iw-2.6.1-2"):
        with expect.for_row(row):
            expect.equal("events that were stored twice", twice, [])
    with expect.for_row("iw-2.6.1-1"):
        expect.equal("events that were not stored", sorted({*wanted} - {*came}), [])
    with expect.for_row("iw-4.2.5.1-3"):
        expect.equal("numbers not known after a crash", [each for each in twice if each in crashed], [])
    expect.equal("events in order", list(dict.fromkeys(came)), wanted)


@asserts("iw-4.2.3.2-2", "iw-4.2.5.2-5", "iw-2.6.1-2", "iw-2.6.1-1", "iw-4.2.7.2-6", plain=True, variant="program")
def test_programs_of_repeated_pulls(case: Case) -> None:
    """A supplier that is pulled gives numbers of any age again and fails in any call: each event is stored once and acknowledged."""
    with expect.all_of():
        for kind in KINDS:
            on = Stored(case)
            source = Noting(case)
            sent = [item(at, _size(on, kind)) for at in range(60 if case.provider.clock.virtual else 12)]
            failures = [SILENCE, SILENCE, SILENCE, FAILURE]
            calls = 40 if case.provider.clock.virtual else 8
            source.pull_answers = [on.rng.choice(failures) for _ in range(calls)]
            source.acknowledge_answers = [on.rng.choice(failures) for _ in range(calls)]
            for number, each in enumerate(sent):
                source.batches.append(each)
                while on.rng.random() < 0.3:
                    source.batches.append(sent[on.rng.randint(0, number)])
            offered = len(source.batches)
            proxy = on.pulled_by_channel(source, PATIENT, kind)
            proxy.set_qos(LASTING)
            on.until("all was acknowledged", lambda: source.taken >= set(range(len(sent))))
            repeated = [on.rng.randint(0, len(sent) - 1) for _ in range(5)]
            if on.crash():
                before = len(source.acknowledged)
                source.batches += [sent[each] for each in repeated]
                on.until("repetitions were acknowledged", lambda: len(source.acknowledged) > before)
                on.until("nothing is left", lambda: not source.batches)
            came = on.look()
            with expect.for_row("iw-2.6.1-2"):
                expect.equal("events that were stored twice", sorted({x for x in came if came.count(x) > 1}), [])
            with expect.for_row("iw-2.6.1-1"):
                expect.equal("events that were not stored", sorted({*names_in(sent)} - {*came}), [])
            for row in ("iw-4.2.5.2-5", "iw-4.2.7.2-6"):
                with expect.for_row(row):
                    expect.equal("numbers of a failed acknowledge that were not told again", source.untold(), [])
            expect.true("repetitions were offered", offered > len(sent), str(offered))


def _size(on: Stored, kind: ClientType) -> int:
    return on.rng.randint(1, 3) if kind == SEQUENCE else 1


class Noting(PullSource):
    """A supplier that is pulled and knows which acknowledgments it has taken.

    Attributes:
        taken: Their numbers.
        failed: For each call that failed, its numbers, and how many calls there were before.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.taken: set[int] = set()
        self.failed: list[tuple[int, tuple[int, ...]]] = []

    def acknowledge(self, sequence_numbers: tuple[int, ...]) -> None:
        """Note the numbers, or fail."""
        try:
            super().acknowledge(sequence_numbers)
        except Exception:
            self.failed.append((len(self.acknowledged), tuple(sequence_numbers)))
            raise
        self.taken |= set(sequence_numbers)

    def untold(self) -> list[int]:
        """Return the numbers of failed calls that the next calls have not told."""
        return [number for at, numbers in self.failed for number in numbers if number not in self.told_after(at)]

    def told_after(self, at: int) -> set[int]:
        """Return the numbers of the calls after the first so many."""
        return {number for each in self.numbers[at:] for number in each}


@asserts("iw-4.2.4-2", plain=True)
def test_untyped_events_get_numbers(case: Case) -> None:
    """Values that are pushed untyped come to consumers of structured events with numbers, are repeated, and go when acknowledged."""
    with expect.all_of():
        on = Reliable(case)
        try:
            supplier: Any = on.channel.default_supplier_admin.obtain_notification_push_consumer(ClientType.ANY_EVENT)[0]
        except ValueError as error:
            raise Unsupported(f"the channel has no proxies for untyped events: {error}") from error
        supplier.connect_any_push_supplier(None)
        probes = [on.pushed_to(kind=kind, otherwise=SILENCE) for kind in KINDS]
        proxies = [on.pulls_from(kind) for kind in KINDS]
        values: list[object] = [7, "seven", 7.5]
        for kind, value in zip((Kind.LONG, Kind.STRING, Kind.DOUBLE), values, strict=True):
            made = Any_.of(kind, value)
            on.calls("a push", lambda: supplier.push(made))
        for probe in probes:
            on.until("three values came", lambda: len(_values(probe.pushes, values)) >= 3)
            expect.true("all have numbers", None not in probe.numbers, repr(probe.numbers))
            numbers = sorted({each.known for each in probe.pushes})
            expect.equal("the numbers", numbers, list(range(len(numbers))))
            on.until("the first came again", lambda: probe.numbers.count(0) > 1)
            probe.proxy.acknowledge(tuple(numbers))
        before = [len(each.pushes) for each in probes]
        on.intervals()
        expect.equal("pushes after the acknowledgment", [len(each.pushes) for each in probes], before)
        for proxy in proxies:
            found = on.needed(proxy)
            expect.equal("the number of the first pull", found.number, 0)
            expect.true("a value came", bool(_values([found], values)), repr(found))


def _values(pushes: list[Any], wanted: list[object]) -> list[object]:
    return [each for push in pushes for each in _bodies(push.events) if each in wanted]


def _bodies(events: Batch) -> list[object]:
    return [each.remainder_of_body.value for each in events]
