"""A program of a case without a language: steps on threads and in listeners. The writers turn each into a statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tck.reports.reproduce.answers import Near
from tck.reports.reproduce.ordering import Order, order_of
from tck.reports.reproduce.own_changes import OwnChange
from tck.reports.reproduce.recorded import NEXT, Call, Delivery, Recorded
from tck.reports.reproduce.slicing import Slice
from tck.reports.reproduce.verdict.deciding import Basis, Deciding
from tck.reports.reproduce.words import RECEIVES, returns_nothing

_LISTENERS: Final = {
    "listener": "MessageListener",
    "completion-listener": "CompletionListener",
    "exception-listener": "ExceptionListener",
}


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for a step of another thread."""

    number: int


@dataclass(frozen=True, slots=True)
class Reached:
    """Tell other threads that this step is reached."""

    number: int


@dataclass(frozen=True, slots=True)
class Clock:
    """Note the time before a call."""

    call: int


@dataclass(frozen=True, slots=True)
class Pause:
    """Let time pass, in milliseconds, as the case did."""

    ms: int


@dataclass(frozen=True, slots=True)
class Change:
    """Change an object of the client's own, by the number of the object."""

    own: int
    change: OwnChange


@dataclass(frozen=True, slots=True)
class Make:
    """Make a call that decides nothing; `lenient` where its failure, as in the recording, or its result is of no use."""

    call: Call
    lenient: bool


@dataclass(frozen=True, slots=True)
class See:
    """Make a deciding call and judge its answer."""

    call: Call
    decision: Deciding


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep the message that a listener was given."""

    label: str


@dataclass(frozen=True, slots=True)
class Throw:
    """Raise from a listener."""

    text: str


Step: TypeAlias = Wait | Reached | Clock | Pause | Change | Make | See | Keep | Throw


@dataclass(frozen=True, slots=True)
class Listener:
    """A listener: its label, its type, and the steps of each delivery."""

    label: str
    type: str
    deliveries: tuple[tuple[Step, ...], ...]


@dataclass(frozen=True, slots=True)
class Script:
    """The steps of a program.

    Attributes:
        recorded: The case.
        main: The steps of the main thread.
        threads: The name of each other thread of the client, with its steps.
        listeners: The listeners.
        own: The client's own objects that it changes, by number.
        decisions: The number of deciding calls.
        named: Whether the verdict names the right answers.
        waits: Whether threads wait for each other.
    """

    recorded: Recorded
    main: tuple[Step, ...]
    threads: tuple[tuple[str, tuple[Step, ...]], ...]
    listeners: tuple[Listener, ...]
    own: dict[int, OwnChange]
    decisions: int
    named: bool
    waits: bool

    def steps(self) -> Iterator[Step]:
        """Yield every step."""
        yield from self.main
        for _, steps in self.threads:
            yield from steps
        for listener in self.listeners:
            for delivery in listener.deliveries:
                yield from delivery

    def may_be_missing(self, label: str) -> bool:
        """Return whether another answer leaves the program without an object."""
        maker = self.recorded.makers.get(label)
        if maker is None or maker.member in RECEIVES or maker.op == NEXT or maker.error is not None:
            return True
        return any(isinstance(each, See) and each.call.begin == maker.begin for each in self.steps())

    def result_of(self, call: Call) -> str | None:
        """Return the label of the object that a call returns and the program keeps."""
        if not isinstance(call.value, str) or call.value not in self.recorded.makers:
            return None
        again = call.created is None and self.recorded.makers[call.value].begin != call.begin
        keeps = call.member in RECEIVES or call.op == NEXT or call.type == "Provider"
        return None if again and not keeps else call.value

    def own_argument(self, call: Call, name: str) -> int | None:
        """Return the number of the client's own object that is passed as an argument."""
        return next((number for number, each in self.own.items() if (call, name) in each.given), None)

    def own_result(self, call: Call) -> int | None:
        """Return the number of the client's own object that a call returns."""
        return next((number for number, each in self.own.items() if each.returned is call), None)


def script_of(
    recorded: Recorded, part: Slice, basis: Basis, changes: Sequence[OwnChange], passing: Mapping[int, int]
) -> Script:
    """Put the calls of a slice in their order; `passing` are the pauses before calls."""
    return _Scribe(recorded, part, basis, changes, passing, order_of(part, recorded.within)).script()


@dataclass(frozen=True, slots=True)
class _Scribe:
    recorded: Recorded
    part: Slice
    basis: Basis
    changes: Sequence[OwnChange]
    passing: Mapping[int, int]
    order: Order

    def script(self) -> Script:
        main, *others = self.order.threads or ("main",)
        outside = [each for each in self.part.calls if each.begin not in self.recorded.within]
        mine = [*self._steps(each for each in outside if each.thread == main), *map(Wait, self.order.last)]
        threads = [(name, tuple(self._steps(each for each in outside if each.thread == name))) for name in others]
        return Script(
            self.recorded,
            tuple(mine),
            tuple(threads),
            tuple(self._listeners()),
            dict(enumerate(self.changes, 1)),
            len(self.basis.calls),
            self.basis.named,
            waits=bool(self.order.awaited),
        )

    def _steps(self, calls: Iterable[Call]) -> Iterator[Step]:
        decisions = {each.call.begin: each for each in self.basis.calls}
        answers = [answer for each in self.basis.calls for answer in (each.right, each.recorded)]
        timed = {answer.call for answer in answers if isinstance(answer, Near)}
        for call in calls:
            yield from map(Wait, self.order.before.get(call.begin, ()))
            if call.begin in self.passing:
                yield Pause(self.passing[call.begin])
            if call.begin in self.order.awaited:
                yield Reached(call.begin)
            if call.begin in timed:
                yield Clock(call.begin)
            for number, change in enumerate(self.changes, 1):
                if change.before == call.begin:
                    yield Change(number, change)
            decision = decisions.get(call.begin)
            yield See(call, decision) if decision is not None else Make(call, self._is_lenient(call))
            if call.end in self.order.awaited:
                yield Reached(call.end)

    def _is_lenient(self, call: Call) -> bool:
        kept = isinstance(call.value, str) and call.value in self.recorded.makers
        own = any(each.returned is call for each in self.changes)
        return call.error is not None or not (returns_nothing(call) or kept or own or call.type == "Provider")

    def _listeners(self) -> Iterator[Listener]:
        labels = {
            value: _LISTENERS[value.rpartition("-")[0]]
            for call in self.part.calls
            for value in call.args.values()
            if isinstance(value, str) and value.rpartition("-")[0] in _LISTENERS and value in self.recorded.labels
        }
        for label, type_ in labels.items():
            mine = [each for each in self.part.deliveries if each.on == label]
            yield Listener(label, type_, tuple(tuple(self._delivered(each)) for each in mine))

    def _delivered(self, delivery: Delivery) -> Iterator[Step]:
        message = delivery.args.get("message")
        if isinstance(message, str) and message in self.recorded.labels:
            yield Keep(message)
        if delivery.begin in self.order.awaited:
            yield Reached(delivery.begin)
        yield from self._steps(each for each in self.part.calls if self.recorded.within.get(each.begin) is delivery)
        if delivery.end is not None:
            yield from map(Wait, self.order.before.get(delivery.end, ()))
            if delivery.end in self.order.awaited:
                yield Reached(delivery.end)
        if delivery.error is not None:
            yield Throw(str(delivery.error.get("text")))
