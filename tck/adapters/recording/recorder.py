"""The recorder of one case: wrappers around every object of the provider, and the log of calls.

The log holds tuples (log.py); evidence.py turns them into events on request. A recorder lives for one case, the
provider for many: wrapper classes are made once per process, wrapper objects once per case and provider object.

Safe under threads without a lock: the log is a list that is only appended to, numbers come from `itertools.count`, the
identity maps are filled by `dict.setdefault`; each is one step under the interpreter's own lock.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeGuard, TypeVar, cast

from tck import api
from tck.adapters.recording.clock import RecordedClock
from tck.adapters.recording.evidence import Evidence
from tck.adapters.recording.facts import HeadersAgain, MessageFacts, headers_again
from tck.adapters.recording.iteration import RecordedIterator
from tck.adapters.recording.kinds import INFOS, TypeInfo
from tck.adapters.recording.log import (
    CALL,
    DELIVERED,
    FAIL,
    INVOKE,
    KIND,
    MEMBER,
    NOW,
    OK,
    ON,
    SEQ,
    THREAD,
    UNKNOWN,
    VALUE,
    Here,
    Logged,
)
from tck.adapters.recording.shapes import Form, Member
from tck.adapters.recording.source import Inward, Outward
from tck.record.calls import Kinds

T = TypeVar("T")


def _is_wrapper(value: object) -> TypeGuard[Outward | Inward | RecordedIterator]:
    # RecordedIterator is an Iterator: isinstance on an abstract class costs ten times as much.
    return isinstance(value, (Outward, Inward)) or type(value) is RecordedIterator


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call of the provider that has not returned, or was cut before it did."""

    seq: int
    op: str
    on: str
    thread: str
    since_ns: int
    interrupted: bool
    arguments: tuple[object, ...] = ()

    def __str__(self) -> str:
        state = "cut" if self.interrupted else "open"
        return f"{self.op} on {self.on} by thread {self.thread} (event {self.seq}, {state})"


class _Gone:
    """Stands for a listener whose case is over: it does nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


_GONE: Final = _Gone()


class Recorder:
    """Records one case.

    Args:
        clock: The clock of the provider; events carry its time.
        case_name: The name that every event carries.
    """

    def __init__(self, clock: api.Clock, case_name: str) -> None:
        self.case = case_name
        self.clock = clock
        self.log: list[Logged] = []
        self.add = self.log.append
        self.next = itertools.count(1).__next__
        self.here = Here()
        # A real clock runs by itself: read it once, then the computer's own, which takes no lock and a tenth of the time.
        self.now: Callable[[], int] = clock.monotonic_ns if clock.virtual else time.monotonic_ns
        self.shift = 0 if clock.virtual else clock.monotonic_ns() - time.monotonic_ns()
        self._wrappers: dict[int, Outward] = {}
        self._given: dict[tuple[int, int], Inward] = {}
        self._foreign: dict[int, tuple[object, int]] = {}
        self._raised: dict[int, BaseException] = {}
        self._own: dict[int, BaseException] = {}
        self._numbers: defaultdict[str, Iterator[int]] = defaultdict(partial(itertools.count, 1))
        self._clock: RecordedClock | None = None
        self._watching: tuple[Callable[[Member, object, tuple[object, ...]], None], ...] = ()
        self._evidence = Evidence(self)

    # -- for the harness -----------------------------------------------------------------------------------------

    def wrap(self, value: T, parent: object = None) -> T:
        """Return the recorded form of a value of the provider, the same one each time; plain values unchanged.

        Lists and tuples are wrapped item by item. Objects of the suite come back unwrapped.
        """
        info = INFOS[type(value)]
        if info.outward is None:
            return value if info.plain else self._wrap_other(value, parent)
        known: Any = self._wrappers.get(id(value))
        if known is not None:
            return known  # type: ignore[no-any-return]  # the wrapper has the API types of the value
        if id(value) in self._foreign:
            return value
        made = info.outward()
        made.raw_ = value
        made.recorder_ = self
        made.parent_ = parent
        made.changes_ = 0
        made.number_ = next(self._numbers[info.kind])
        return self._wrappers.setdefault(id(value), made)  # type: ignore[return-value]  # as above

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events so far, by number."""
        return self._evidence.events()

    def finish(self) -> list[dict[str, Any]]:
        """Return the events of the finished case, with the bodies of bytes, stream and object messages.

        Call it when the case is over: it moves the positions of those messages.
        """
        return self._evidence.finish()

    def finish_as_lines(self) -> tuple[bytes, int]:
        """Return what `finish` returns as short lines for a bundle, and their number; afterwards no event can be asked for."""
        return self._evidence.finish_as_lines()

    @property
    def calls(self) -> Kinds:
        """A call of each kind among the events made so far."""
        return self._evidence.calls

    def raised(self, error: BaseException) -> bool:
        """Return whether this exception object came out of the provider, and not from a listener of the suite."""
        return id(error) in self._raised and id(error) not in self._own

    def call_of(self, error: BaseException) -> str | None:
        """Return the call that raised this exception object, such as "Provider.sever"; None if none did."""
        return next((row[MEMBER].op for row in list(self.log) if row[KIND] == FAIL and row[VALUE] is error), None)

    def failures(self) -> list[BaseException]:
        """Return the exceptions of the calls that raised, in their order."""
        return [row[VALUE] for row in list(self.log) if row[KIND] == FAIL]

    def let_go(self) -> None:
        """Let go of what a case that is over held, so that it can be collected.

        Exceptions hold the frames they passed, and all that these hold. Listeners may be held by the provider as long as it
        lives: in Java no collector sees that what they hold leads back to them. The rest goes at once, and need not be searched
        for by Python's collector.
        """
        for error in [*self.failures(), *self._own.values()]:
            seen: BaseException | None = error
            while seen is not None and seen.__traceback__ is not None:
                seen.__traceback__ = None
                seen = seen.__cause__ or seen.__context__
        nobody = Recorder(self.clock, self.case)
        for given in list(self._given.values()):
            given.inner_, given.owner_, given.recorder_ = _GONE, None, nobody
        for held in (self.log, self._wrappers, self._given, self._foreign, self._raised, self._own):
            held.clear()
        self._evidence = Evidence(self)

    def passed_to(self, error: BaseException) -> tuple[object, ...]:
        """Return the arguments of the call that raised this exception object; empty if none did."""
        log = list(self.log)
        call = next((row[CALL] for row in log if row[KIND] == FAIL and row[VALUE] is error), None)
        return next((tuple(row[CALL]) for row in log if row[KIND] == INVOKE and row[SEQ] == call), ())

    def called(self, members: Collection[str]) -> bool:
        """Return whether one of these was called, named as `call_of` names them."""
        return any(row[KIND] == INVOKE and row[MEMBER].op in members for row in list(self.log))

    def begun(self) -> list[tuple[str, str, object, tuple[object, ...], bool, object]]:
        """Return the calls in the order in which they began: name, last word, object, arguments, whether it returned, result."""
        log = list(self.log)
        results = {row[CALL]: row[VALUE] for row in log if row[KIND] == OK}
        return [
            (row[MEMBER].op, row[MEMBER].name, row[ON], row[CALL], row[SEQ] in results, results.get(row[SEQ]))
            for row in log
            if row[KIND] == INVOKE
        ]

    def has_set(self, value: object, name: str) -> bool:
        """Return whether a property of an object was set, by a call that returned."""
        return any(
            row[KIND] == OK and row[ON] is value and row[MEMBER].name == name and row[MEMBER].form is Form.SET
            for row in list(self.log)
        )

    def passed(self, kind: type) -> bool:
        """Return whether an object of a type was passed to a call."""
        return any(row[KIND] == INVOKE and any(isinstance(each, kind) for each in row[CALL]) for row in list(self.log))

    def watch(self, tell: Callable[[Member, object, tuple[object, ...]], None]) -> Callable[[], None]:
        """Call `tell` with the member, the object and the arguments of each call before it is made; return what ends that.

        What `tell` does with the provider's own objects is not recorded; it must not call recorded ones.
        """
        self._watching = (*self._watching, tell)
        self.add = self._add_watched

        def end() -> None:
            self._watching = tuple(each for each in self._watching if each is not tell)
            if not self._watching:
                self.add = self.log.append

        return end

    def _add_watched(self, row: Logged) -> None:
        if row[KIND] == INVOKE:
            for tell in self._watching:
                tell(row[MEMBER], row[ON], row[CALL])
        self.log.append(row)

    def made_by(self, value: object) -> list[object]:
        """Return the recorded objects that an object has made: of a session its consumers, producers and messages."""
        return [each for each in list(self._wrappers.values()) if each.parent_ is value]

    @staticmethod
    def behind(value: object) -> Any:  # noqa: ANN401 - the object of the provider, of whatever type
        """Return the provider's own object behind a recorded one, anything else itself."""
        return value.raw_ if isinstance(value, Outward) else value

    @staticmethod
    def line(value: object) -> list[object]:
        """Return an object and what it was made by: a consumer, its session, its connection, its factory."""
        found = []
        while value is not None:
            found.append(value)
            value = getattr(value, "parent_", None)
        return found

    def called_on(self, value: object, words: frozenset[str]) -> bool:
        """Return whether a call whose last word is one of these was made on an object, or has it among its arguments."""
        return any(
            row[KIND] == INVOKE
            and row[MEMBER].op.rpartition(".")[2] in words
            and (row[ON] is value or any(each is value for each in row[CALL]))
            for row in list(self.log)
        )

    def open_calls(self) -> list[OpenCall]:
        """Return the calls of the provider that have not returned, and those that were cut, oldest first."""
        log = list(self.log)
        ended = {row[CALL]: row[KIND] for row in log if row[KIND] not in (INVOKE, DELIVERED)}
        return [
            OpenCall(
                row[SEQ],
                row[MEMBER].op,
                self.label(row[ON]),
                row[THREAD],
                row[NOW] + self.shift,
                row[SEQ] in ended,
                tuple(row[CALL]),
            )
            for row in log
            if row[KIND] == INVOKE and ended.get(row[SEQ], UNKNOWN) == UNKNOWN
        ]

    def listening(self) -> bool:
        """Return whether a listener of the suite has been called and has not returned."""
        log = list(self.log)
        ended = {row[CALL] for row in log if row[KIND] not in (INVOKE, DELIVERED)}
        return any(row[KIND] == DELIVERED and row[SEQ] not in ended for row in log)

    # -- for the wrappers ----------------------------------------------------------------------------------------

    def unwrap(self, value: T, owner: object) -> T:
        """Return the value that the provider gets in place of a value of the suite."""
        if isinstance(value, Outward):
            return value.raw_  # type: ignore[no-any-return]  # what stands behind has the API types of the wrapper
        info = INFOS[type(value)]
        if info.plain:
            return value
        if info.inward is not None:
            return self._give(value, info, owner)  # type: ignore[return-value]  # the wrapper has the listener's types
        if info.outward is not None and id(value) not in self._foreign:
            self._foreign[id(value)] = (value, next(self._numbers[info.kind]))
        return value

    def _give(self, value: object, info: TypeInfo, owner: object) -> Inward:
        """Wrap a listener or pool of the suite, once per receiving object, under one number."""
        key = (id(value), id(owner))
        known = self._given.get(key)
        if known is not None:
            return known
        if id(value) not in self._foreign:
            self._foreign[id(value)] = (value, next(self._numbers[info.kind]))
        made = cast("type[Inward]", info.inward)()
        made.inner_ = value
        made.owner_ = owner
        made.recorder_ = self
        made.number_ = self._foreign[id(value)][1]
        return self._given.setdefault(key, made)

    def _wrap_other(self, value: Any, parent: object) -> Any:  # noqa: ANN401 - any value of the provider
        if isinstance(value, Inward):
            return value.inner_
        if type(value) in (list, tuple):
            wrapped = [self.wrap(item, parent) for item in value]
            same = all(each is item for each, item in zip(wrapped, value, strict=True))
            return value if same else type(value)(wrapped)  # a list that is the body of a message stays the same list
        return value

    def iterate(self, value: Any, parent: object) -> Any:  # noqa: ANN401 - any value of the provider
        """Wrap an iterator such that each element is recorded."""
        if not hasattr(type(value), "__next__"):
            return self.wrap(value, parent)
        number = next(self._numbers["enumeration"])
        return RecordedIterator(value, self, parent, number)

    def recorded_clock(self, raw: api.Clock) -> api.Clock:
        """Wrap the provider's clock: only `advance` is recorded."""
        if self._clock is None:
            self._clock = RecordedClock(raw, self)
        return self._clock

    def fail(self, seq: int, wrapper: object, member: Member, error: BaseException) -> None:
        """Record that a call of the provider raised, or was cut."""
        kind = FAIL if isinstance(error, Exception) else UNKNOWN
        self.add((self.next(), self.now(), self.here.name, kind, wrapper, member, seq, error, None))
        self.remember(error)

    def own_failure(self, seq: int, wrapper: object, member: Member, error: BaseException) -> None:
        """Record that a listener of the suite raised."""
        kind = FAIL if isinstance(error, Exception) else UNKNOWN
        self._own[id(error)] = error
        self.add((self.next(), self.now(), self.here.name, kind, wrapper, member, seq, error, None))

    def remember(self, error: object) -> None:
        """Remember that an exception came out of the provider."""
        if isinstance(error, Exception):
            self._raised[id(error)] = error

    def sent_body(self, raw: Any, before: object) -> HeadersAgain | None:  # noqa: ANN401 - a JMSProducer
        """Read a message after `JMSProducer.send`, unless the send goes on in the background."""
        if not isinstance(before, MessageFacts):
            return None
        try:
            if raw.get_async() is not None:
                return None
        except Exception:  # noqa: BLE001, S110 - a provider may raise anything; then the message is read all the same
            pass
        return headers_again(before)

    # -- for facts and evidence ----------------------------------------------------------------------------------

    def is_api_object(self, value: object) -> bool:
        """Return whether a value is an object of the messaging API, the provider's or the suite's."""
        info = INFOS[type(value)]
        return info.outward is not None or info.inward is not None or _is_wrapper(value)

    def message_kind(self, raw: object) -> str | None:
        """Return "text", "bytes"... of a message, None for anything else."""
        return INFOS[type(raw)].message_kind

    def changes_of(self, raw: object) -> int | None:
        """Return how often the suite changed the body of a message through its wrapper, None if it has none."""
        wrapper = self._wrappers.get(id(raw))
        return None if wrapper is None else wrapper.changes_

    def label(self, value: object) -> str:
        """Return the label of an API object: "session-1", "queue:NAME"."""
        return self._evidence.label(value)

    def label_of(self, value: object) -> str | None:
        """Return the label of an API object, None for any other value."""
        return self._evidence.label(value) if self.is_api_object(value) else None

    def number_of(self, value: object) -> tuple[str, int]:
        """Return kind and number of an API object, wrapped or not."""
        if _is_wrapper(value):
            return value.kind, value.number_
        kind = INFOS[type(value)].kind
        wrapper = self._wrappers.get(id(value))
        if wrapper is not None:
            return kind, wrapper.number_
        foreign = self._foreign.get(id(value))
        return kind, foreign[1] if foreign is not None else 0
