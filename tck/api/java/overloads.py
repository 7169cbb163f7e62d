"""From the arguments of a Python call back to the Java overload they mean.

Python merges Java's overloads into one method, so it accepts combinations that Java has no overload for:
``send(message, priority=3)`` alone, ``create_session(transacted=True)`` alone. Those are errors of the caller, not
questions to a provider: every provider calls `check_overload` first, and TypeError is what the caller gets, as a Java
caller's code would not compile.

`resolve_overload` names the overload that is meant, by which arguments are given and, where that leaves a choice, by
their types, as Java's compiler would. It serves adapters that must call it and the figures on API coverage.

An operation is written ``"Type.member"`` with the Java type's and the Python member's name: ``"MessageProducer.send"``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType, NoneType
from typing import Final

from tck.api import (
    bodies,
    connections,
    consumers,
    context,
    destinations,
    domain,
    exceptions,
    jms_producer,
    listeners,
    messages,
    metadata,
    producers,
    server,
    sessions,
    spi,
    streams,
    xa,
)
from tck.api.java.rule import JavaMember, Kind, Overload, PythonMember, is_java_subtype, python_api
from tck.api.values import OMITTED, SERIALIZABLE, Byte, Char, Double, Float, Int, Long, Short

__all__ = ["check_overload", "parameter_names", "resolve_overload"]

_MODULES: Final = (
    bodies, connections, consumers, context, destinations, domain, exceptions, jms_producer, listeners, messages, metadata,
    producers, server, sessions, streams, xa,
)  # fmt: skip


@cache
def abstract_types() -> Mapping[str, type]:
    """Give the Python types that stand for the Java types, by their common name."""
    named = {name: value for module in _MODULES for name, value in vars(module).items() if name in python_api()}
    return MappingProxyType(named)


def python_member(operation: str) -> PythonMember:
    """Give the member that ``"Type.member"`` names.

    A member that a type inherits is found under its own name too: ``"QueueSession.commit"``.

    Raises:
        LookupError: No such type or member.
    """
    type_name, _, name = operation.partition(".")
    known = python_api().get(type_name)
    if known is None:
        raise LookupError(f"{operation}: no type {type_name!r} in the messaging API")
    for candidate in abstract_types()[type_name].__mro__:
        member = python_api().get(candidate.__name__, {}).get(name)
        if member is not None:
            return member
    raise LookupError(f"{operation}: {type_name} has no member {name!r}; it has {', '.join(sorted(known))}")


@cache
def parameter_names(operation: str) -> tuple[str, ...]:
    """Give the names of the parameters of an operation, in order, from the abstract type."""
    member = python_member(operation)
    owner = spi.Provider if member.kind is Kind.FACTORY else abstract_types()[member.type]
    if member.kind in (Kind.PROPERTY, Kind.CONSTANT):
        return ()
    return tuple(inspect.signature(getattr(owner, member.name)).parameters)[1:]


@cache
def _by_presence(operation: str) -> Mapping[frozenset[str], tuple[Overload, ...]]:
    """Group the overloads of an operation by which optional parameters they fill."""
    member = python_member(operation)
    names = parameter_names(operation)
    optional = {i for i, parameter in enumerate(member.parameters) if not parameter.required}
    grouped: dict[frozenset[str], tuple[Overload, ...]] = {}
    for overload in (*member.overloads, *member.inherited):
        key = frozenset(names[i] for i in overload.fills if i in optional)
        grouped[key] = (*grouped.get(key, ()), overload)
    if member.exception == "send-body":
        grouped[frozenset({"body_type"})] = grouped[frozenset()]
    return MappingProxyType(grouped)


def check_overload(operation: str, /, **arguments: object) -> None:
    """Hold that the given arguments make a Java overload.

    A provider calls it first in each method with optional parameters.

    Args:
        operation: ``"Type.member"``, such as ``"MessageProducer.send"``.
        arguments: Every optional argument by name, `OMITTED` where it was not given; required ones may be left out.

    Raises:
        TypeError: No overload takes these arguments together; the message lists those there are.
    """
    given = frozenset([name for name, value in arguments.items() if value is not OMITTED])
    known = _by_presence(operation)
    if given not in known and given - _required(operation) not in known:
        raise TypeError(_refusal(operation, given - _required(operation)))


@cache
def _required(operation: str) -> frozenset[str]:
    parameters = python_member(operation).parameters
    return frozenset(name for name, p in zip(parameter_names(operation), parameters, strict=True) if p.required)


def _refusal(operation: str, given: frozenset[str]) -> str:
    names = (*parameter_names(operation), *given)

    def listed(way: frozenset[str]) -> str:
        return ", ".join(sorted(way, key=names.index)) or "none"

    ways = "; ".join(listed(way) for way in sorted(_by_presence(operation), key=len))
    return (
        f"{operation}: no Java overload takes {listed(given)} of the optional arguments; those there are take: {ways}"
    )


def resolve_overload(operation: str, /, **arguments: object) -> JavaMember:
    """Name the Java overload that a Python call means.

    Args:
        operation: ``"Type.member"``. For a property: without an argument it is read, with one argument ``value`` it is
            set.
        arguments: The arguments by name; `OMITTED` ones count as not given. Required ones matter where overloads differ
            by type alone; their range and fitness for the one overload that is left are the provider's business.

    Raises:
        TypeError: No overload takes these arguments, or more than one does and none is nearer than the others (a bare
            null body).
        LookupError: There is no such operation.
    """
    member = python_member(operation)
    given = {name: value for name, value in arguments.items() if value is not OMITTED}
    if member.kind in (Kind.PROPERTY, Kind.CONSTANT):
        return _resolve_property(operation, member, given)
    if member.exception == "send-body":
        return _resolve_send(given)
    candidates = _by_presence(operation).get(frozenset(given) - _required(operation))
    if candidates is None:
        raise TypeError(_refusal(operation, frozenset(given) - _required(operation)))
    if len(candidates) == 1:
        return candidates[0].java
    names = parameter_names(operation)
    placed = [dict(zip(overload.fills, overload.java.parameters, strict=True)) for overload in candidates]
    telling = [at for at in placed[0] if len({types[at] for types in placed}) > 1 and names[at] in given]
    fitting = [
        overload.java
        for overload, types in zip(candidates, placed, strict=True)
        if all(accepts(types[at], given[names[at]]) for at in telling)
    ]
    # As Java's compiler: the overload whose parameter types are all at or below those of every other that fits.
    for java in fitting:
        if all(all(map(_at_or_below, java.parameters, other.parameters)) for other in fitting):
            return java
    found = "; ".join(map(str, fitting)) or "none"
    raise TypeError(f"{operation}: the arguments do not tell which Java overload is meant; fitting: {found}")


def _at_or_below(java_type: str, other: str) -> bool:
    return other == "Object" or is_java_subtype(java_type, other)


def _resolve_property(operation: str, member: PythonMember, given: Mapping[str, object]) -> JavaMember:
    if len(given) > len(member.overloads) - 1:
        raise TypeError(f"{operation}: cannot be set")
    return member.overloads[len(given)].java


_BODY_TYPES: Final[Mapping[object, str]] = MappingProxyType(
    {messages.Message: "Message", str: "String", bytes: "byte[]", dict: "Map", SERIALIZABLE: "Serializable"}
)


def _resolve_send(given: Mapping[str, object]) -> JavaMember:
    overloads = {overload.java.parameters[1]: overload.java for overload in python_member("JMSProducer.send").overloads}
    body = given.get("body")
    if "body_type" in given:
        wanted = _BODY_TYPES.get(given["body_type"])
        if wanted is None or not accepts(wanted, body):
            names = "Message, str, bytes, dict, SERIALIZABLE"
            raise TypeError(f"JMSProducer.send: body_type {given['body_type']!r} for {body!r}; known for it: {names}")
        return overloads[wanted]
    if body is None:
        raise TypeError("JMSProducer.send: a null body fits every overload; say which with body_type")
    return next(
        overloads[name] for name in ("Message", "String", "byte[]", "Map", "Serializable") if accepts(name, body)
    )


_BY_VALUE: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType(
    {
        "boolean": (bool,),
        "byte": (Byte,),
        "short": (Short,),
        "char": (Char,),
        "int": (Int,),
        "long": (int, Long),
        "float": (Float,),
        "double": (float, Double),
        "String": (str, NoneType),
        "byte[]": (bytes, bytearray, NoneType),
        "Map": (Mapping, NoneType),
    }
)


def accepts(java_type: str, value: object) -> bool:
    """Tell whether a Python value in an Object position counts as the Java type: `tck.api.values` has the rule."""
    if isinstance(value, bool):
        return java_type in ("boolean", "Object", "Serializable")
    if java_type in _BY_VALUE:
        return isinstance(value, _BY_VALUE[java_type])
    known = abstract_types().get(java_type)
    return known is None or value is None or isinstance(value, known)
