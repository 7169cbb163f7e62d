"""Traces of refused calls: a call that a case makes fail on purpose leaves everything readable as it was.

Looked at before and after it: the object, its session and connection, the other producers and consumers of the session, and the
messages among the arguments. What differs breaks the row that says what the getter returns.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from tck import api
from tck.suite.support.company.calls import BREAKING, LISTENING, AnyMember, Witnesses
from tck.suite.support.company.readings import UNREADABLE, Reading, readings, same
from tck.suite.support.harness.running import Elsewhere

_Value = TypeVar("_Value")

MAY_CHANGE: Final = {
    "clear_body": "what it clears may be gone in part",
    "clear_properties": "what it clears may be gone in part",
    "close": "what fails to close may be closed in part",
    "delete": "it concerns the provider, whose destinations have no settings",
    "restart": "it breaks connections",
    "sever": "it breaks connections",
}
"""The last words of calls whose failing may change something, with the reason. Of every other call, only what it was to set
may be in any state when it fails; a send on a JMSProducer has begun to set the producer's properties on the message (7.5-6).
"""
_SIBLINGS: Final = 6
"""So many other producers and consumers of a session are looked at, to bound the time."""
_IDENTIFIER: Final = "client_id"
_XA: Final = (api.XASession, api.XAJMSContext, api.XAConnection)


class Refused:
    """Makes the calls of a case that must fail, and looks for what they leave behind.

    Args:
        recorder: What knows of the calls.
    """

    def __init__(self, recorder: Witnesses) -> None:
        self._recorder = recorder
        self._threads = set[int]()
        self.traces: list[Elsewhere] = []

    @property
    def now(self) -> bool:
        """Whether the current thread is about to make a call that must fail."""
        return threading.get_ident() in self._threads

    def make(self, call: Callable[[], _Value]) -> _Value:
        """Make the call; return its value or raise its exception. Only the last of several recorded calls in it can be refused."""
        thread = threading.get_ident()
        last: tuple[AnyMember, list[tuple[str, Reading]]] | None = None

        def before(member: AnyMember, on: object, arguments: Sequence[object]) -> None:
            nonlocal last
            if threading.get_ident() == thread:
                last = member, list(self._readings(member, on, arguments))

        end = self._recorder.watch(before)
        self._threads.add(thread)
        try:
            return call()
        except Exception as error:
            if last is not None and self._recorder.call_of(error) == last[0].op:
                self._compare(*last, error)
            raise
        finally:
            self._threads.discard(thread)
            end()

    def _readings(self, member: AnyMember, on: object, arguments: Sequence[object]) -> Iterator[tuple[str, Reading]]:
        """Yield what can be read around a call, with the label of its object."""
        recorder = self._recorder
        if member.name == _IDENTIFIER:
            return  # whatever is asked of a connection before may be its first use, after which the call must fail
        if member.name in MAY_CHANGE or member.op.startswith("Provider.") or recorder.called(BREAKING):
            return
        for each, received in self._around(on, arguments):
            of_connection = isinstance(each, api.Connection | api.JMSContext)
            given = of_connection and recorder.has_set(each, "client_id")
            if of_connection and not given and not recorder.made_by(each):
                continue  # to ask it may be its first use, after which its client identifier cannot be set (6.1.2)
            for reading in readings(recorder.behind(each), received=received):
                known = given or reading.name != "client_id"  # the value of one not set is not laid down (6.1.2-22)
                if known and (each is not on or not _sets(member, arguments, reading.name)):
                    yield recorder.label(each), reading

    def _around(self, on: object, arguments: Sequence[object]) -> Iterator[tuple[object, bool]]:
        """Yield the recorded objects to look at, and whether a consumer returned them."""
        recorder = self._recorder
        line = recorder.line(on)
        busy = recorder.called(LISTENING)  # a listener may own the thread of the session
        session = next((each for each in line if isinstance(each, api.Session | api.JMSContext)), None)
        for each in line:
            if isinstance(each, _XA) or (busy and not isinstance(each, api.Connection)):
                continue
            if not isinstance(each, api.Message) or not self._sending():
                yield each, _received(line)
        if session is not None and not busy:
            yield from ((each, False) for each in self._siblings(session, on))
        if not isinstance(on, api.JMSProducer) and not busy and not self._sending():
            messages = [each for each in arguments if isinstance(each, api.Message)]
            for each in messages:
                if recorder.behind(each) is not each:  # the provider's, not the suite's own
                    yield each, _received(recorder.line(each))

    def _siblings(self, session: object, on: object) -> Sequence[object]:
        kinds = api.MessageProducer | api.JMSProducer | api.MessageConsumer | api.JMSConsumer
        made = self._recorder.made_by(session)
        return [each for each in made if isinstance(each, kinds) and each is not on][-_SIBLINGS:]

    def _sending(self) -> bool:
        """Return whether a message may be with an asynchronous send, where it must not be touched."""
        return self._recorder.passed(api.CompletionListener)

    def _compare(self, member: AnyMember, before: Sequence[tuple[str, Reading]], error: Exception) -> None:
        for label, reading in before:
            now = reading.now()
            if now is UNREADABLE or same(reading.value, now) or not same(now, reading.now()):
                continue
            text = f"{reading.name} of {label} was {reading.value!r} and is {now!r} after {member.op} raised {type(error).__name__}"
            self.traces.append(Elsewhere(reading.row, member.op, text))


def _received(line: Sequence[Any]) -> bool:
    """Return whether a message was made by a consumer, going by its line."""
    return any(isinstance(each, api.MessageConsumer | api.JMSConsumer) for each in line[1:])


def _sets(member: AnyMember, arguments: Sequence[object], name: str) -> bool:
    """Return whether a call was to set a thing of its object, by the name of its reading."""
    word = member.name.removeprefix("set_").removesuffix("_as_bytes")
    if word.endswith("property") and member.name.startswith("set_"):
        return name == "property names" or (bool(arguments) and name == f"property {arguments[0]}")
    return word == name and (member.form.name == "SET" or member.name.startswith("set_"))
