"""The abstract types of `tck.api` for the recorder: their members, and the flow through each.

Read from the hand-written types once per type; nothing here is a second list of the API. Annotations decide whether
a parameter or a result can be a plain value, an API object, a message, or any value.
"""

from __future__ import annotations

import inspect
import re
from abc import ABCMeta
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from types import FunctionType

from tck import api

PROVIDER = api.Provider
CALLBACKS = frozenset(
    {api.MessageListener, api.CompletionListener, api.ExceptionListener, api.ServerSessionPool, api.ServerSession}
)
"""Types that the suite implements and the provider calls."""

_UNSEEN = (api.Clock, api.Event)
_PLAIN = frozenset({"int", "str", "bool", "float", "bytes", "BodyType", "None", "Omitted"})
_WORD = re.compile(r"[A-Za-z_]+")
_PLACES = ("destination", "queue", "topic")
_BODY_CHANGES = re.compile(r"write_\w+|clear_body|set_object|object")


class Flow(Enum):
    """The kinds of values of a parameter or a result."""

    PLAIN = auto()
    API = auto()
    MESSAGE = auto()
    BODY = auto()
    VALUE = auto()
    ITERATOR = auto()
    EXCEPTION = auto()


class Form(Enum):
    """How a member is used."""

    CALL = auto()
    GET = auto()
    SET = auto()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a member, with the kind of its values."""

    name: str
    flow: Flow
    kind: inspect._ParameterKind
    default: object = inspect.Parameter.empty


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One use of one member of an API type; `op` is its name in events."""

    op: str
    name: str
    form: Form
    parameters: tuple[Parameter, ...]
    result: Flow
    changes_body: bool
    names: tuple[str, ...] = field(init=False)
    """The names of the arguments in events."""
    places: tuple[str, ...] = field(init=False)
    """The arguments that name a destination."""
    creates: bool = field(init=False)
    """Whether the call makes something new."""

    def __post_init__(self) -> None:
        names = tuple(parameter.name for parameter in self.parameters)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "places", tuple(name for name in names if name in _PLACES))
        object.__setattr__(self, "creates", self.name.startswith("create_") or self.name.endswith("_requestor"))


@cache
def api_types() -> frozenset[type]:
    """Return all abstract types of `tck.api` that have objects to record."""
    found = {value for name in api.__all__ if isinstance(value := getattr(api, name), ABCMeta)}
    return frozenset(each for each in found if not issubclass(each, _UNSEEN))


@cache
def types_of(kind: type) -> tuple[type, ...]:
    """Return the API types that a class implements, without those that another of them implies; by name."""
    found = {each for each in api_types() if issubclass(kind, each)}
    return tuple(
        sorted(
            (each for each in found if not any(other is not each and issubclass(other, each) for other in found)),
            key=lambda each: each.__name__,
        )
    )


def members(types: tuple[type, ...]) -> Iterator[Member]:
    """Yield every use of every member of some API types, each once, by its nearest declaration."""
    seen: set[str] = set()
    for declaring in _lineage(types):
        for name, value in vars(declaring).items():
            if name in seen or (name.startswith("_") and name != "__str__"):
                continue
            if isinstance(value, property):
                seen.add(name)
                yield from _of_property(declaring, name, value)
            elif isinstance(value, FunctionType):
                seen.add(name)
                yield _of_function(declaring, name, value)


def _lineage(types: tuple[type, ...]) -> Iterator[type]:
    composed = type("Composed", types, {"__slots__": ()}) if len(types) > 1 else types[0]
    return (each for each in composed.__mro__ if each in api_types())


def _of_property(declaring: type, name: str, value: property) -> Iterator[Member]:
    op = f"{declaring.__name__}.{name}"
    flow = _result(name, _annotation(value.fget, "return"))
    yield Member(op, name, Form.GET, (), flow, changes_body=False)
    if value.fset is not None:
        (_, given) = inspect.signature(value.fset).parameters.values()
        parameter = Parameter("value", _parameter(given.annotation), inspect.Parameter.POSITIONAL_OR_KEYWORD)
        changes = bool(_BODY_CHANGES.fullmatch(name))
        yield Member(op, name, Form.SET, (parameter,), Flow.PLAIN, changes_body=changes)


def _of_function(declaring: type, name: str, value: FunctionType) -> Member:
    given = list(inspect.signature(value).parameters.values())[1:]
    parameters = tuple(
        Parameter(each.name, _parameter(each.annotation, each.name), each.kind, each.default) for each in given
    )
    op = f"{declaring.__name__}.{name}"
    changes = bool(_BODY_CHANGES.fullmatch(name))
    return Member(op, name, Form.CALL, parameters, _result(name, _annotation(value, "return")), changes)


def _annotation(function: object, name: str) -> object:
    return getattr(function, "__annotations__", {}).get(name, "object")


def _words(annotation: object) -> set[str]:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return set(_WORD.findall(text))


def _parameter(annotation: object, name: str = "") -> Flow:
    words = _words(annotation)
    if name == "body":
        return Flow.BODY
    if "Message" in words:
        return Flow.MESSAGE
    if words & {"Exception", "JMSException", "BaseException"}:
        return Flow.EXCEPTION
    return _other(words)


def _result(name: str, annotation: object) -> Flow:
    words = _words(annotation)
    if "Iterator" in words:
        return Flow.ITERATOR
    if name.startswith("receive_body"):
        return Flow.BODY
    if "Message" in words and not name.startswith("create_"):
        return Flow.MESSAGE
    return Flow.PLAIN if words <= _PLAIN else _other(words)


def _other(words: set[str]) -> Flow:
    if words <= _PLAIN - {"bytes"}:
        return Flow.PLAIN
    names = {each.__name__ for each in api_types()}
    return Flow.API if words & names and not words & {"object", "Sequence"} else Flow.VALUE
