"""Dummies: providers that do nothing, in three ways. A case that they pass checks nothing.

`raises`: every call raises. `inert`: every call returns a value of the declared type that means nothing (None, False, 0,
"", an object that is as inert). `accepts`: like `inert`, but every setting is accepted and read back, messages hold what is
put into them, and nothing is ever delivered. They are made from the abstract types alone, so they cover the whole API.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from reference_provider.clock import VirtualClock
from tck import api

Answer = Callable[["Dummy", str, Any, tuple[Any, ...]], object]


class Dummy:
    """State of a dummy: how it answers, and the values that were set on it."""

    answer: Answer
    kept: dict[str, object]

    def __str__(self) -> str:
        return type(self).__name__

    def __enter__(self) -> Any:  # of any type
        return self

    def __exit__(self, *details: object) -> None:
        return None


def inert_value(wanted: Any, answer: Answer) -> object:  # a type annotation
    """Return a value of a declared type that a provider can return without doing anything."""
    origin = typing.get_origin(wanted)
    if origin in {typing.Union, types.UnionType}:
        options = typing.get_args(wanted)
        return None if type(None) in options else inert_value(options[0], answer)
    if wanted in {None, type(None), object, Any} or wanted is inspect.Signature.empty:
        return None
    plain: dict[Any, object] = {bool: False, int: 0, float: 0.0, str: "", bytes: b"", dict: {}, list: []}
    if wanted in plain:
        return plain[wanted]
    if origin is not None and isinstance(origin, type):
        if issubclass(origin, Iterator):
            return iter(())
        return plain.get(origin, frozenset() if issubclass(origin, typing.AbstractSet) else None)
    if wanted is typing.Self or not isinstance(wanted, type):
        return None
    return make(wanted, answer) if inspect.isabstract(wanted) else None


def _raises(dummy: Dummy, name: str, wanted: Any, arguments: tuple[Any, ...]) -> object:
    del wanted, arguments
    if name == "close":
        return None
    raise api.JMSException(f"{type(dummy).__name__}.{name} raises")


def _inert(dummy: Dummy, name: str, wanted: Any, arguments: tuple[Any, ...]) -> object:
    del name, arguments
    return inert_value(wanted, dummy.answer)


def _accepts(dummy: Dummy, name: str, wanted: Any, arguments: tuple[Any, ...]) -> object:
    if name.startswith("set ") and arguments:
        dummy.kept[name.removeprefix("set ")] = arguments[0]
        return None
    if name in dummy.kept:
        return dummy.kept[name]
    if name == "create_text_message":
        message = make(api.TextMessage, dummy.answer)
        message.kept["text"] = arguments[0] if arguments else None
        return message
    if name in {"create_queue", "create_topic"}:
        made = make(api.Queue if name == "create_queue" else api.Topic, dummy.answer)
        made.kept["queue_name" if name == "create_queue" else "topic_name"] = arguments[0] if arguments else ""
        return made
    if name.startswith("set_") and len(arguments) == 1:
        dummy.kept[f"get_{name.removeprefix('set_')}"] = arguments[0]
        return dummy
    if name.startswith("set_") and len(arguments) == 2:
        dummy.kept[f"{name.removeprefix('set_')} {arguments[0]}"] = arguments[1]
        return None
    if name.startswith("get_") and len(arguments) == 1:
        return dummy.kept.get(f"{name.removeprefix('get_')} {arguments[0]}", inert_value(wanted, dummy.answer))
    return inert_value(wanted, dummy.answer)


ANSWERS: Mapping[str, Answer] = {"raises": _raises, "inert": _inert, "accepts": _accepts}
_CLASSES: dict[type, type] = {}


def make(kind: type, answer: Answer) -> Any:  # an instance of `kind`
    """Return a dummy of an abstract type."""
    if kind not in _CLASSES:
        names = sorted(getattr(kind, "__abstractmethods__", ()))
        members = {name: _member(kind, name) for name in names}
        _CLASSES[kind] = type(f"Dummy{kind.__name__}", (Dummy, kind), {**members, "answer": None, "kept": None})
    dummy = _CLASSES[kind]()
    dummy.answer = answer
    dummy.kept = {}
    return dummy


def _member(kind: type, name: str) -> object:
    found = inspect.getattr_static(kind, name)
    if isinstance(found, property):
        wanted = _returns(found.fget)
        return property(
            lambda self: self.answer(self, name, wanted, ()),
            lambda self, value: self.answer(self, f"set {name}", None, (value,)),
        )
    wanted = _returns(found)

    def member(self: Dummy, *positional: object, **named: object) -> object:
        return self.answer(self, name, wanted, (*positional, *named.values()))

    return member


def _returns(function: Any) -> Any:  # a function, a type
    try:
        return typing.get_type_hints(function, {**vars(api), **function.__globals__}).get("return")
    except NameError:
        return None


class DummyProvider(api.Provider):
    """The SPI of a dummy: it claims every hook and returns dummies of every kind."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._answer = ANSWERS[name]
        self._clock = VirtualClock()

    def info(self) -> api.ProviderInfo:
        """Describe the dummy."""
        return api.ProviderInfo(f"dummy that {self._name}", "0", "JMS TCK", "3.1")

    @property
    def hooks(self) -> frozenset[api.Hook]:
        """Offer every hook; none does anything."""
        return frozenset(api.Hook)

    @property
    def clock(self) -> api.Clock:
        """Use a virtual clock, so that waits that time out cost nothing."""
        return self._clock

    def _make(self, kind: type) -> Any:
        return make(kind, self._answer)

    def connection_factory(self) -> api.ConnectionFactory:
        """Return a dummy factory."""
        factory: api.ConnectionFactory = self._make(api.ConnectionFactory)
        return factory

    def queue_connection_factory(self) -> api.QueueConnectionFactory:
        """Return a dummy factory."""
        factory: api.QueueConnectionFactory = self._make(api.QueueConnectionFactory)
        return factory

    def topic_connection_factory(self) -> api.TopicConnectionFactory:
        """Return a dummy factory."""
        factory: api.TopicConnectionFactory = self._make(api.TopicConnectionFactory)
        return factory

    def xa_connection_factory(self) -> api.XAConnectionFactory:
        """Return a dummy factory."""
        factory: api.XAConnectionFactory = self._make(api.XAConnectionFactory)
        return factory

    def create_queue(self, name: str) -> api.Queue:
        """Return a queue that has only this name."""
        queue: api.Queue = make(api.Queue, _accepts)
        queue.kept["queue_name"] = name  # type: ignore[attr-defined] # a dummy keeps what is set
        return queue

    def create_topic(self, name: str) -> api.Topic:
        """Return a topic that has only this name."""
        topic: api.Topic = make(api.Topic, _accepts)
        topic.kept["topic_name"] = name  # type: ignore[attr-defined] # likewise
        return topic

    def drop(self, destination: api.Destination) -> None:
        """Do nothing."""

    def lookup(self, name: str) -> object:
        """Return nothing."""
        return None

    def bind(self, name: str, obj: object) -> None:
        """Do nothing."""

    def restart(self) -> None:
        """Do nothing."""

    def kill(self) -> None:
        """Do nothing."""

    def sever(self, connection: api.Connection | api.JMSContext) -> None:
        """Do nothing."""

    def pending(self, destination: api.Destination) -> int:
        """Count nothing."""
        return 0

    def administer(self, action: str, **arguments: object) -> object:
        """Do nothing."""
        return None

    def close(self) -> None:
        """Stop the clock."""
        self._clock.close()


def open_dummy(settings: Mapping[str, object], work_dir: Path) -> DummyProvider:
    """Open a dummy; the setting `dummy` is `raises`, `inert` or `accepts`.

    Raises:
        IllegalArgumentException: another value.
    """
    del work_dir
    name = str(settings.get("dummy", ""))
    if name not in ANSWERS:
        raise api.IllegalArgumentException(f"setting dummy = {name!r}: expected one of {sorted(ANSWERS)}")
    return DummyProvider(name)
