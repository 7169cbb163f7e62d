"""The recorded calls that the deciding ones depend on, so that a program makes those and no others.

Backwards from the deciding calls: the objects they use and the calls that made them; all that was done before to such an
object, except looking at it; for a message that was received, all that was sent to its destination and taken from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tck.reports.reproduce.recorded import Call, Delivery, Recorded
from tck.reports.reproduce.words import RECEIVES, SENDS, creates, only_looks

_FLOWS: Final = ("queue:", "topic:", "temporary-queue:", "temporary-topic:", "queue-", "topic-")
_HOUSEKEEPING: Final = frozenset({"drop"})


@dataclass(frozen=True, slots=True)
class Slice:
    """The calls and deliveries that a program makes and awaits, in their order."""

    calls: tuple[Call, ...]
    deliveries: tuple[Delivery, ...]


def whole(recorded: Recorded, last: int) -> Slice:
    """Return every call up to an event."""
    calls = [each for each in recorded.calls if each.begin <= last and each.member not in _HOUSEKEEPING]
    return Slice(tuple(calls), tuple(each for each in recorded.deliveries if each.begin <= last))


def needed(recorded: Recorded, deciding: Iterable[Call]) -> Slice:
    """Return the calls that some calls depend on, and these calls themselves."""
    wanted = list(deciding)
    last = max((each.end or each.begin for each in wanted), default=0)
    search = _Search(whole(recorded, last), recorded)
    for call in wanted:
        search.keep(call)
        if call.member in SENDS:
            search.receivers(call.destination)
    search.run()
    return Slice(
        tuple(each for each in search.all.calls if each.begin in search.kept),
        tuple(each for each in search.all.deliveries if each.begin in search.kept),
    )


@dataclass(slots=True)
class _Search:
    all: Slice
    recorded: Recorded
    kept: set[int] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)
    flows: set[str] = field(default_factory=set)
    _open: list[str] = field(default_factory=list)

    def keep(self, call: Call) -> None:
        if call.begin in self.kept:
            return
        self.kept.add(call.begin)
        for label in self._labels(call):
            self._visit(label)
        if call.member in RECEIVES or call.op == "Enumeration.next_element":
            self._flow(self._source(call))
        within = self.recorded.within.get(call.begin)
        if within is not None:
            self._deliver(within)

    def receivers(self, destination: str | None) -> None:
        """Keep the consumers of a destination: a send may fail for one of them."""
        for label, maker in self.recorded.makers.items():
            if (maker.created or {}).get("destination") == destination and "consumer" in label:
                self._visit(label)

    def run(self) -> None:
        while self._open:
            self._trace(self._open.pop())

    def _visit(self, label: str) -> None:
        if label not in self.objects:
            self.objects.add(label)
            self._open.append(label)

    def _labels(self, call: Call) -> Iterator[str]:
        yield call.on
        yield from (value for value in call.args.values() if isinstance(value, str) and self._known(value))
        if isinstance(call.value, str) and self._known(call.value):
            yield call.value

    def _known(self, text: str) -> bool:
        return text in self.recorded.makers or any(text == each.on for each in self.recorded.deliveries)

    def _trace(self, label: str) -> None:
        """Keep the call that made an object and those that changed it; the flow of a destination where it was received from."""
        maker = self.recorded.makers.get(label)
        if maker is not None:
            self.keep(maker)
            self._share(maker)
        for call in self.all.calls:
            if self._changes(call, label):
                self.keep(call)
        for each in self.all.deliveries:
            if label == each.on or label in each.args.values():
                self._deliver(each)

    def _share(self, maker: Call) -> None:
        """Visit the other consumers of a named subscription, which take its messages too."""
        name = (maker.created or {}).get("subscription")
        for other in self.recorded.makers.values() if name else ():
            if (other.created or {}).get("subscription") == name:
                self._visit(str(other.value))

    def _changes(self, call: Call, label: str) -> bool:
        if label in call.args.values():
            if label.startswith(_FLOWS):
                return False
            return call.member in SENDS or not (creates(call) or only_looks(call))
        if call.on != label or only_looks(call) or creates(call):
            return False
        return call.member not in SENDS or call.destination in self.flows

    def _deliver(self, delivery: Delivery) -> None:
        if delivery.begin in self.kept:
            return
        self.kept.add(delivery.begin)
        self._visit(delivery.on)
        self._flow(delivery.destination)
        for call in self.all.calls:
            if delivery.on in call.args.values():
                self.keep(call)

    def _source(self, call: Call) -> str | None:
        if call.destination is not None:
            return call.destination
        maker = self.recorded.makers.get(call.on)
        while maker is not None and maker.destination is None:
            maker = self.recorded.makers.get(maker.on)
        return maker.destination if maker else None

    def _flow(self, destination: str | None) -> None:
        """Keep what was sent to a destination, and everything that may have taken it away."""
        if destination is None or destination in self.flows:
            return
        self.flows.add(destination)
        self._visit(destination)
        shared = "topic" in destination.partition(":")[0]  # each subscription of a topic has its own messages
        for call in self.all.calls:
            if call.destination != destination:
                continue
            if call.member in SENDS or (call.member in RECEIVES and not shared):
                self.keep(call)
            elif not shared and call.created is not None and "consumer" in str(call.value):
                self._visit(str(call.value))  # it competes for the messages of the queue
