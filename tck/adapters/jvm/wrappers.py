"""Wrapper classes of Java objects, one for each set of API types, generated from the rule that maps both APIs.

    class JvmMessageConsumer(Wrapper, MessageConsumer):
        def receive(self, timeout=OMITTED):
            if timeout is OMITTED:
                return C0(self.java_)          # MessageConsumer.receive()
            return C1(self.java_, timeout)     # MessageConsumer.receive(long)

The Java overload of a call follows from the arguments that are given; where types decide, from
`tck.api.resolve_overload`. The text is made from the abstract types and the table of Java members alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Protocol

from tck.api import OMITTED, check_overload, resolve_overload
from tck.api.java.overloads import parameter_names
from tck.api.java.rule import JavaMember, Kind, Overload, PythonMember, python_api


class Wrapper:
    """The wrapper of a Java object; equality, hash and text are Java's."""

    __slots__ = ("__weakref__", "java_")
    binding_: ClassVar[Any]

    def __init__(self, raw: Any) -> None:
        self.java_ = raw

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wrapper) and bool(self.java_.equals(other.java_))

    def __hash__(self) -> int:
        return int(self.java_.hashCode())

    def __repr__(self) -> str:
        return f"<{self.java_.getClass().getName()} {self.java_.toString()}>"


class Calls(Protocol):
    """The part of the binding that wrapper classes use."""

    wrapper_classes: dict[tuple[type, ...], type[Wrapper]]

    def caller(self, java: JavaMember, *, exact: bool = False) -> Callable[..., Any]:
        """Return a function that calls a method of Java on a raw object with arguments of the suite."""
        ...


def wrapper_class(binding: Calls, types: tuple[type, ...]) -> type[Wrapper]:
    """Return the wrapper class for some types of the API; made once for each binding."""
    made = binding.wrapper_classes.get(types)
    if made is None:  # several threads may make one at the same time: the first is that of all
        made = binding.wrapper_classes.setdefault(types, _make(binding, types))
    return made


def _make(binding: Calls, types: tuple[type, ...]) -> type[Wrapper]:
    table: dict[str, Any] = {"OMITTED": OMITTED, "check": check_overload, "resolve": resolve_overload}
    lines: list[str] = []
    for member in members(types):
        lines += _Source(binding, member, table).lines()
    name = "Jvm" + "And".join(each.__name__ for each in types)
    namespace: dict[str, object] = {}
    exec(compile("\n".join(lines), f"<{name}>", "exec"), table, namespace)  # noqa: S102 - see the module docstring
    return type(name, (Wrapper, *types), {"__slots__": (), "__module__": __name__, "binding_": binding, **namespace})


def members(types: tuple[type, ...]) -> Iterator[PythonMember]:
    """Yield every member of some types of the API, each once, by its nearest declaration."""
    seen: set[str] = set()
    composed = type("Composed", types, {"__slots__": ()})
    for declaring in composed.__mro__:
        for member in python_api().get(declaring.__name__, {}).values():
            if member.name not in seen and member.kind in (Kind.METHOD, Kind.PROPERTY):
                seen.add(member.name)
                yield member


def overloaded_by_type(member: PythonMember) -> bool:
    """Return whether overloads of a member have the same number of parameters, so that exact types decide in Java."""
    counts = Counter(len(each.java.parameters) for each in (*member.overloads, *member.inherited))
    return any(count > 1 for count in counts.values())


class _Source:
    """The source of one member."""

    def __init__(self, binding: Calls, member: PythonMember, table: dict[str, Any]) -> None:
        self._binding = binding
        self._member = member
        self._table = table
        self._operation = f"{member.type}.{member.name}"
        self._exact = overloaded_by_type(member) or member.exception == "set-property"

    def _caller(self, java: JavaMember) -> str:
        name = f"C{len(self._table)}"
        self._table[name] = self._binding.caller(java, exact=self._exact)
        return name

    def lines(self) -> list[str]:
        """Return the member's source."""
        if self._member.kind is Kind.PROPERTY:
            return self._property()
        if self._member.name == "__str__":
            return ["def __str__(self):", f"    return {self._caller(self._member.overloads[0].java)}(self.java_)"]
        if self._member.exception in ("send-body", "set-property"):
            return self._by_type((*self._member.overloads, *self._member.inherited))
        return self._by_presence()

    def _property(self) -> list[str]:
        name, overloads = self._member.name, self._member.overloads
        text = ["@property", f"def {name}(self):", f"    return {self._caller(overloads[0].java)}(self.java_)"]
        if self._member.writable:
            text += [
                f"@{name}.setter",
                f"def {name}(self, value):",
                f"    {self._caller(overloads[1].java)}(self.java_, value)",
            ]
        return text

    def _head(self) -> str:
        names = parameter_names(self._operation)
        text = ["self"]
        keyword_only = False
        for name, parameter in zip(names, self._member.parameters, strict=True):
            if parameter.keyword_only and not keyword_only:
                text.append("*")
                keyword_only = True
            text.append(name if parameter.required else f"{name}=OMITTED")
        return f"def {self._member.name}({', '.join(text)}):"

    def _optional(self) -> list[str]:
        names = parameter_names(self._operation)
        return [name for name, each in zip(names, self._member.parameters, strict=True) if not each.required]

    def _by_presence(self) -> list[str]:
        names = parameter_names(self._operation)
        optional = self._optional()
        groups: dict[frozenset[str], list[Overload]] = {}
        for overload in (*self._member.overloads, *self._member.inherited):
            given = frozenset(names[at] for at in overload.fills) & frozenset(optional)
            groups.setdefault(given, []).append(overload)
        text = [self._head()]
        for given, overloads in groups.items():
            tests = [f"{name} is {'not ' if name in given else ''}OMITTED" for name in optional]
            text.append(f"    if {' and '.join(tests) or 'True'}:")
            if len(overloads) == 1:
                text.append(f"        return {self._call(overloads[0], names)}")
            else:
                text += [f"        {line}" for line in self._resolved(overloads, names)]
        if optional:
            text.append(f"    check({self._operation!r}, {', '.join(f'{name}={name}' for name in optional)})")
        return text

    def _call(self, overload: Overload, names: tuple[str, ...]) -> str:
        return f"{self._caller(overload.java)}({', '.join(['self.java_', *(names[at] for at in overload.fills)])})"

    def _by_type(self, overloads: tuple[Overload, ...]) -> list[str]:
        names = parameter_names(self._operation)
        return [self._head(), *(f"    {line}" for line in self._resolved(list(overloads), names))]

    def _resolved(self, overloads: list[Overload], names: tuple[str, ...]) -> list[str]:
        callers: Mapping[JavaMember, Callable[..., Any]] = {
            each.java: self._binding.caller(each.java, exact=True) for each in overloads
        }
        name = f"T{len(self._table)}"
        self._table[name] = callers
        given = ", ".join(f"{each}={each}" for each in names)
        filled = ", ".join(["self.java_", *(names[at] for at in overloads[0].fills)])
        return [f"return {name}[resolve({self._operation!r}, {given})]({filled})"]
