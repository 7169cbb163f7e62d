"""The mechanical rule that ties each member of ``jakarta.jms`` 3.1 to its Python counterpart.

`java_api` reads the Java side from java_api.csv; `python_api` applies the rule to it. The abstract types of this
package are written by hand, with the parameter names that the table lacks; a test holds that both sides agree. The
rule:

1. Names split before a capital that follows a small letter or digit, and before the last capital of a run that a small
   letter follows; then lower case. Types and constants keep their names.
2. A type whose setters return the type (JMSProducer) keeps ``get_x`` and ``set_x``. Elsewhere a getter without
   arguments is a property, writable if a one-argument setter exists.
3. Overloads merge into one method. If each is a prefix of the longest, what not all have is a trailing optional
   argument. Otherwise the parameters that all share come first and the others follow keyword-only, in the order of the
   longest. Not given is `OMITTED`.
4. Exceptions take ``(reason, error_code=OMITTED, cause=OMITTED)``.

21 of the 501 members that are not annotations stand outside of it: `EXCEPTIONS`.

This module knows Java names and shapes, never a provider. It imports nothing of ours.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

__all__ = [
    "EXCEPTIONS",
    "JavaMember",
    "JavaType",
    "Kind",
    "Overload",
    "Parameter",
    "PythonMember",
    "RuleException",
    "is_java_subtype",
    "java_api",
    "python_api",
    "snake_case",
]


@dataclass(frozen=True, slots=True)
class JavaMember:
    """Describe one method, constructor or constant of the Java API, one overload each.

    Args:
        type: The type that declares it.
        name: Its Java name.
        kind: ``"method"``, ``"constructor"`` or ``"constant"``.
        parameters: The parameter types in order, generics erased: ``("Class", "long")``.
        returns: The type returned, as the table writes it; empty for a constructor.
        throws: The exceptions declared.
        constant: The value of a constant as Java writes it, else empty.
    """

    type: str
    name: str
    kind: str
    parameters: tuple[str, ...]
    returns: str
    throws: tuple[str, ...]
    constant: str = ""

    def __str__(self) -> str:
        return self.name if self.kind == "constant" else f"{self.name}({', '.join(self.parameters)})"


@dataclass(frozen=True, slots=True)
class JavaType:
    """Describe one type of the Java API: ``kind`` is ``"interface"``, ``"class"`` or ``"annotation"``."""

    name: str
    kind: str
    extends: tuple[str, ...]
    members: tuple[JavaMember, ...]

    @property
    def is_exception(self) -> bool:
        """Tell whether the type is one of the exceptions."""
        return self.kind == "class" and self.name.endswith("Exception")


class Kind(StrEnum):
    """Name what a Java member became in Python."""

    METHOD = "method"
    PROPERTY = "property"
    CONSTRUCTOR = "constructor"
    FACTORY = "factory"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Parameter:
    """Describe one Python parameter by its Java type; the name stands in the abstract type."""

    java_type: str
    required: bool = True
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Overload:
    """Tie one Java overload to the Python parameters it fills: ``fills[i]`` takes Java's argument i."""

    java: JavaMember
    fills: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PythonMember:
    """Describe the Python counterpart of one or more Java members.

    Args:
        type: The abstract type that has it.
        name: Its Python name; for `Kind.FACTORY` that of a method of the provider SPI.
        kind: What it is.
        parameters: Its parameters after ``self``.
        overloads: The Java overloads of the type itself; for a property those of its getter and setter.
        inherited: The overloads of supertypes that a call can also mean.
        writable: Whether a property has a setter.
        exception: The key into `EXCEPTIONS` when it stands outside of the rule, else empty.
    """

    type: str
    name: str
    kind: Kind
    parameters: tuple[Parameter, ...]
    overloads: tuple[Overload, ...]
    inherited: tuple[Overload, ...] = ()
    writable: bool = False
    exception: str = ""


@dataclass(frozen=True, slots=True)
class RuleException:
    """Describe one group of members outside of the rule: their Java types and names, what they became, and why."""

    members: tuple[tuple[str, str], ...]
    resolution: str
    reason: str


EXCEPTIONS: Final[Mapping[str, RuleException]] = MappingProxyType(
    {
        "fresh": RuleException(
            (
                ("QueueBrowser", "getEnumeration"),
                ("ServerSessionPool", "getServerSession"),
                ("Message", "getPropertyNames"),
                ("MapMessage", "getMapNames"),
                ("ConnectionMetaData", "getJMSXPropertyNames"),
            ),
            "a method `get_...()`; an Enumeration is an iterator",
            "each call makes something new, which a property should not",
        ),
        "send-body": RuleException(
            (("JMSProducer", "send"),),
            "`send(destination, body, *, body_type=OMITTED)`",
            "the overloads differ by type alone: the type of the value decides, `body_type` stands for Java's cast (a typed null)",
        ),
        "set-property": RuleException(
            (("JMSProducer", "setProperty"),),
            "`set_property(name, value)`; the Object overload is `set_object_property(name, value)`",
            "the overloads differ by type alone: the type or box of the value decides, None is a null String; else the Object overload could not be reached",
        ),
        "to-string": RuleException(
            (("Queue", "toString"), ("Topic", "toString")), "`__str__`", "Python's own name for it"
        ),
    }
)

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GENERIC = re.compile(r"<[^<>]*>")
_FACTORIES: Final = {"QueueRequestor": "queue_requestor", "TopicRequestor": "topic_requestor"}


def snake_case(name: str) -> str:
    """Turn a Java member name into its Python name: ``getJMSXPropertyNames`` to ``get_jmsx_property_names``."""
    return _WORD.sub("_", name).lower()


def _members_of(rows: Iterable[Mapping[str, str]]) -> Iterator[JavaMember]:
    for row in rows:
        if row["member"]:
            constant = row["signature"] if row["member_kind"] == "constant" else ""
            signature = "" if constant else _GENERIC.sub("", row["signature"]).strip("()")
            yield JavaMember(
                row["type"],
                row["member"],
                row["member_kind"],
                tuple(part.strip() for part in signature.split(",") if part),
                row["returns"],
                tuple(part.strip() for part in row["throws"].split(",") if part),
                constant,
            )


@cache
def java_api() -> Mapping[str, JavaType]:
    """Give the 81 types of ``jakarta.jms`` 3.1 by name, in alphabetical order."""
    text = resources.files("tck.api.java").joinpath("java_api.csv").read_text(encoding="utf-8")
    grouped: dict[str, list[dict[str, str]]] = {}
    for row in csv.DictReader(text.splitlines()):
        grouped.setdefault(row["type"], []).append(row)
    return MappingProxyType(
        {
            name: JavaType(
                name,
                rows[0]["kind"],
                tuple(part.strip() for part in rows[0]["extends"].split(",") if part),
                tuple(_members_of(rows)),
            )
            for name, rows in grouped.items()
        }
    )


def is_java_subtype(name: str, of: str) -> bool:
    """Tell whether the Java type `name` is `of` or below it, as far as the API's own table goes."""
    if name == of:
        return True
    known = java_api().get(name)
    return known is not None and any(is_java_subtype(parent, of) for parent in known.extends)


def _supertypes(name: str) -> Iterator[str]:
    known = java_api().get(name)
    for parent in known.extends if known else ():
        yield parent
        yield from _supertypes(parent)


def _fill(parameters: Sequence[str], longest: Sequence[str]) -> tuple[int, ...]:
    """Place the parameters of an overload within those of the longest, from the left."""
    places: list[int] = []
    at = 0
    for parameter in parameters:
        while not is_java_subtype(parameter, longest[at]) and not is_java_subtype(longest[at], parameter):
            at += 1
        places.append(at)
        at += 1
    return tuple(places)


def _merge(own: Sequence[JavaMember], inherited: Sequence[JavaMember]) -> tuple[list[Parameter], list[tuple[int, ...]]]:
    """Apply part 3 of the rule: give the Python parameters, and for each overload which of them it fills."""
    every = [*own, *inherited]
    longest = max(every, key=lambda member: len(member.parameters)).parameters
    fills = [_fill(member.parameters, longest) for member in every]
    shared = set(range(len(longest))).intersection(*fills)
    prefixes = all(fill == tuple(range(len(fill))) for fill in fills)
    order = list(range(len(longest))) if prefixes else [*sorted(shared), *sorted(set(range(len(longest))) - shared)]
    parameters = [Parameter(longest[i], i in shared, not prefixes and i not in shared) for i in order]
    return parameters, [tuple(order.index(i) for i in fill) for fill in fills]


def _exception_of(member: JavaMember) -> str:
    for key, group in EXCEPTIONS.items():
        if (member.type, member.name) in group.members:
            return key
    return ""


def _by_rule(
    java: JavaType, name: str, own: Sequence[JavaMember], kind: Kind = Kind.METHOD, exception: str = ""
) -> PythonMember:
    inherited = [
        member
        for parent in dict.fromkeys(_supertypes(java.name))
        if own[0].kind == "method" and parent in java_api()
        for member in java_api()[parent].members
        if member.name == own[0].name and member.parameters not in [known.parameters for known in own]
    ]
    parameters, fills = _merge(own, inherited)
    overloads = [Overload(member, fill) for member, fill in zip([*own, *inherited], fills, strict=True)]
    return PythonMember(
        java.name,
        name,
        kind,
        tuple(parameters),
        tuple(overloads[: len(own)]),
        tuple(overloads[len(own) :]),
        exception=exception,
    )


def _outside_rule(java: JavaType, exception: str, own: Sequence[JavaMember]) -> Iterator[PythonMember]:
    if exception == "to-string":
        yield _by_rule(java, "__str__", own, exception=exception)
    elif exception == "fresh":
        yield _by_rule(java, snake_case(own[0].name), own, exception=exception)
    elif exception == "send-body":
        body = (Parameter("Destination"), Parameter("Object"), Parameter("Class", required=False, keyword_only=True))
        sends = tuple(Overload(member, (0, 1)) for member in own)
        yield PythonMember(java.name, "send", Kind.METHOD, body, sends, exception=exception)
    else:
        named = (Parameter("String"), Parameter("Object"))
        typed = tuple(Overload(member, (0, 1)) for member in own if member.parameters[1] != "Object")
        as_object = tuple(Overload(member, (0, 1)) for member in own if member.parameters[1] == "Object")
        # A value of none of the eight types means the Object overload in Java, so it does here.
        yield PythonMember(java.name, "set_property", Kind.METHOD, named, typed, as_object, exception=exception)
        yield PythonMember(java.name, "set_object_property", Kind.METHOD, named, as_object, exception=exception)


def _property(java: JavaType, getter: JavaMember, setter: JavaMember | None) -> PythonMember:
    overloads = [Overload(getter, ())] + ([Overload(setter, (0,))] if setter else [])
    return PythonMember(
        java.name, snake_case(getter.name[3:]), Kind.PROPERTY, (), tuple(overloads), writable=setter is not None
    )


def _python_members(java: JavaType) -> Iterator[PythonMember]:
    groups: dict[str, list[JavaMember]] = {}
    for member in java.members:
        groups.setdefault(member.name, []).append(member)
    chained = any(member.name.startswith("set") and member.returns == java.name for member in java.members)
    setters = {
        name[3:]: own[0] for name, own in groups.items() if name.startswith("set") and len(own[0].parameters) == 1
    }
    getters = {name[3:] for name, own in groups.items() if name.startswith("get") and own[0].parameters == ()}
    for name, own in groups.items():
        exception = _exception_of(own[0])
        if own[0].kind == "constant":
            yield PythonMember(java.name, name, Kind.CONSTANT, (), (Overload(own[0], ()),))
        elif own[0].kind == "constructor":
            factory = _FACTORIES.get(java.name)
            yield _by_rule(java, factory or "__init__", own, Kind.FACTORY if factory else Kind.CONSTRUCTOR)
        elif exception:
            yield from _outside_rule(java, exception, own)
        elif not chained and name.startswith("get") and name[3:] in getters:
            yield _property(java, own[0], setters.get(name[3:]))
        elif chained or not (name.startswith("set") and name[3:] in getters and name[3:] in setters):
            yield _by_rule(java, snake_case(name), own)


@cache
def python_api() -> Mapping[str, Mapping[str, PythonMember]]:
    """Apply the rule: give for each type that is not an annotation its Python members by name."""
    return MappingProxyType(
        {
            java.name: MappingProxyType({member.name: member for member in _python_members(java)})
            for java in java_api().values()
            if java.kind != "annotation"
        }
    )
