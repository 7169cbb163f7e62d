"""Wrapper classes as generated source: exact signatures, no indirection, one class per set of API types.

Two directions. *Outward* wrappers wrap objects of the provider; the suite calls them. *Inward* wrappers wrap
listeners and pools of the suite; the provider calls them. A generated method:

    def receive(self, timeout=OMITTED):
        r = self.recorder_
        t = here.name
        s = r.next()
        r.add((s, r.now(), t, 0, self, M, (timeout,), None))
        try:
            v = self.raw_.receive(timeout)
        except BaseException as e:
            r.fail(s, self, M, e)
            raise
        w = v if v is None else r.wrap(v, self)
        r.add((r.next(), r.now(), t, 1, self, M, s, w, v if v is None else facts(r, v)))
        return w

The text is made from the abstract types alone, never from data, and compiled once per process and set of types.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, cast

from tck.adapters.recording.facts import body_of, freeze, headers_again, message_facts
from tck.adapters.recording.log import DELIVERED, INVOKE, OK, Here, Recording
from tck.adapters.recording.shapes import PROVIDER, Flow, Form, Member, Parameter, members
from tck.api import OMITTED

SILENT = frozenset(
    {"info", "remains", "hooks", "unsupported_value", "register_types", "overwrite", "interrupt", "stacks"}
)
"""Members of the provider SPI without meaning for messaging: passed on, not recorded."""

_CONVERTED = {Flow.API, Flow.MESSAGE, Flow.BODY, Flow.VALUE}


class Outward:
    """A wrapper of an object of the provider.

    `changes_` counts the calls that changed the body of a message, so that a body read at the end of the case is
    shown only for facts that still match it. Equality is the provider's.
    """

    __slots__ = ("changes_", "number_", "parent_", "raw_", "recorder_")
    kind: ClassVar[str] = "object"
    changes_: int
    number_: int
    parent_: object
    raw_: Any
    recorder_: Recording

    def __eq__(self, other: object) -> bool:
        return bool(self.raw_ == (other.raw_ if isinstance(other, Outward) else other))

    def __hash__(self) -> int:
        return hash(self.raw_)

    def __repr__(self) -> str:
        return f"<recorded {self.recorder_.label(self)}>"


class Inward:
    """A wrapper of a listener or pool of the suite; `owner_` is the wrapper it was passed to."""

    __slots__ = ("inner_", "number_", "owner_", "recorder_")
    kind: ClassVar[str] = "listener"
    inner_: object
    number_: int
    owner_: object
    recorder_: Recording

    def __repr__(self) -> str:
        return f"<recorded {self.recorder_.label(self)}>"


def outward_class(types: tuple[type, ...], kind: str) -> type[Outward]:
    """Make the wrapper class of provider objects of some API types."""
    return cast("type[Outward]", _make(f"Recorded{_title(types)}", Outward, types, _outward, {"kind": kind}))


def inward_class(types: tuple[type, ...], kind: str) -> type[Inward]:
    """Make the wrapper class of suite objects of some callback types."""
    return cast("type[Inward]", _make(f"Given{_title(types)}", Inward, types, _inward, {"kind": kind}))


def _title(types: tuple[type, ...]) -> str:
    return "And".join(each.__name__ for each in types)


def _make(
    name: str,
    base: type,
    types: tuple[type, ...],
    write: Callable[[Member, str, _Names], list[str]],
    extra: Mapping[str, object],
) -> type:
    names = _Names()
    lines: list[str] = []
    for number, member in enumerate(members(types)):
        constant = f"M{number}"
        names.table[constant] = member
        if member.form is Form.GET:
            lines.append("@property")
        elif member.form is Form.SET:
            lines.append(f"@{member.name}.setter")
        lines += write(member, constant, names)
    namespace: dict[str, object] = {}
    exec(compile("\n".join(lines), f"<{name}>", "exec"), names.table, namespace)  # noqa: S102 - see the module docstring
    return type(name, (base, *types), {"__slots__": (), "__module__": __name__, **namespace, **extra})


class _Names:
    """The names that generated source may use."""

    def __init__(self) -> None:
        self.table: dict[str, object] = {
            "OMITTED": OMITTED,
            "Outward": Outward,
            "again": headers_again,
            "body_of": body_of,
            "facts": message_facts,
            "freeze": freeze,
            "here": Here(),
        }

    def default(self, value: object) -> str:
        if value is OMITTED:
            return "OMITTED"
        name = f"D{len(self.table)}"
        self.table[name] = value
        return name


def _signature(parameters: Iterable[Parameter], names: _Names) -> str:
    text = ["self"]
    keyword_only = False
    for each in parameters:
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            text.append(f"**{each.name}")
            continue
        if each.kind is inspect.Parameter.KEYWORD_ONLY and not keyword_only:
            text.append("*")
            keyword_only = True
        elif each.kind is inspect.Parameter.VAR_POSITIONAL:
            text.append(f"*{each.name}")
            keyword_only = True
            continue
        has_default = each.default is not inspect.Parameter.empty
        text.append(f"{each.name}={names.default(each.default)}" if has_default else each.name)
    return ", ".join(text)


def _handed_on(parameters: Iterable[Parameter], prefix: str) -> str:
    """Write the arguments of the wrapped call, converted ones under their new names."""
    text = []
    for each in parameters:
        name = prefix + each.name if each.flow in _CONVERTED else each.name
        if each.kind is inspect.Parameter.VAR_KEYWORD:
            text.append(f"**{name}")
        elif each.kind is inspect.Parameter.VAR_POSITIONAL:
            text.append(f"*{name}")
        else:
            text.append(f"{each.name}={name}" if each.kind is inspect.Parameter.KEYWORD_ONLY else name)
    return ", ".join(text)


def _target(member: Member, behind: str, handed_on: str) -> str:
    if member.form is Form.GET:
        return f"v = {behind}.{member.name}"
    if member.form is Form.SET:
        return f"{behind}.{member.name} = {handed_on}; v = None"
    if member.name == "__str__":
        return f"v = str({behind})"
    return f"v = {behind}.{member.name}({handed_on})"


_RESULTS: Mapping[Flow, tuple[tuple[str, ...], str, str | None, str]] = {
    Flow.PLAIN: ((), "v", None, "v"),
    Flow.MESSAGE: (("w = v if v is None else r.wrap(v, self)",), "w", "v if v is None else facts(r, v)", "w"),
    Flow.BODY: ((), "freeze(r, v)", "body_of(r, v)", "v"),
    Flow.API: (("w = r.wrap(v, self)",), "w", None, "w"),
    Flow.ITERATOR: (("w = r.iterate(v, self)",), "w", None, "w"),
    Flow.VALUE: (("w = r.wrap(v, self)",), "freeze(r, w)", None, "w"),
}
"""By the flow of a result: lines after the call, value and facts recorded (None: facts of the arguments), value returned."""


def _outward(member: Member, constant: str, names: _Names) -> list[str]:
    head = f"def {member.name}({_signature(member.parameters, names)}):"
    if member.op.startswith(f"{PROVIDER.__name__}.") and member.name in SILENT:
        return [head, f"    {_target(member, 'self.raw_', _handed_on(member.parameters, ''))}", "    return v"]
    if member.op == f"{PROVIDER.__name__}.clock":
        return [head, "    return self.recorder_.recorded_clock(self.raw_.clock)"]
    call = _target(member, "self.raw_", _handed_on(member.parameters, "u_"))
    before, after = _facts(member)
    after_call, value, facts, returned = _RESULTS[member.result]
    arguments = "".join(
        f"freeze(r, {each.name}), " if each.flow in (Flow.VALUE, Flow.BODY) else f"{each.name}, "
        for each in member.parameters
    )
    return [
        head,
        "    r = self.recorder_",
        *(line for each in member.parameters for line in _unwrapped(each)),
        *(["    self.changes_ += 1"] if member.changes_body else []),
        *([] if before == "None" else [f"    f = {before}"]),
        "    t = here.name",
        "    s = r.next()",
        f"    r.add((s, r.now(), t, {INVOKE}, self, {constant}, ({arguments}), {'f' if before != 'None' else None}))",
        "    try:",
        f"        {call}",
        "    except BaseException as e:",
        f"        r.fail(s, self, {constant}, e)",
        "        raise",
        *(f"    {line}" for line in after_call),
        f"    r.add((r.next(), r.now(), t, {OK}, self, {constant}, s, {value}, {facts or after}))",
        f"    return {returned}",
    ]


def _facts(member: Member) -> tuple[str, str]:
    """Write the facts recorded before a call and after it: of the message argument, or of the called message."""
    before = after = "None"
    for each in member.parameters:
        if each.flow is Flow.MESSAGE:
            before, after = f"facts(r, u_{each.name})", "again(f)"
        elif each.flow is Flow.BODY:
            before, after = f"body_of(r, u_{each.name})", "r.sent_body(self.raw_, f)"
    if "completion_listener" in member.names and after != "None":
        # During an asynchronous send its message must not be touched.
        after = f"{after} if completion_listener is OMITTED or completion_listener is None else None"
    if member.op == "Message.acknowledge":
        before = "facts(r, self.raw_)"
    return before, after


def _unwrapped(each: Parameter) -> list[str]:
    """Write the line that turns an argument of the suite into one for the provider."""
    name = each.name
    if each.flow not in _CONVERTED:
        return []
    if each.kind is inspect.Parameter.VAR_KEYWORD:
        return [f"    u_{name} = {{key: r.unwrap(value, self) for key, value in {name}.items()}}"]
    inner = f"{name}.raw_ if isinstance({name}, Outward) else r.unwrap({name}, self)"
    if each.default is OMITTED:
        inner = f"{name} if {name} is OMITTED else {inner}"
    return [f"    u_{name} = {inner}"]


def _inward(member: Member, constant: str, names: _Names) -> list[str]:
    handed_on = _handed_on(member.parameters, "w_")
    lines = [f"def {member.name}({_signature(member.parameters, names)}):", "    r = self.recorder_"]
    shown, before = [], "None"
    for each in member.parameters:
        shown.append(f"w_{each.name}" if each.flow in _CONVERTED else each.name)
        if each.flow in _CONVERTED:
            lines.append(f"    w_{each.name} = r.wrap({each.name}, self.owner_)")
        if each.flow is Flow.MESSAGE:
            before = f"facts(r, {each.name})"
        elif each.flow is Flow.EXCEPTION:
            lines.append(f"    r.remember({each.name})")
    arguments = "".join(f"{each}, " for each in shown)
    lines += [
        "    s = r.next()",
        f"    r.add((s, r.now(), here.name, {DELIVERED}, self, {constant}, ({arguments}), {before}))",
        "    try:",
        f"        {_target(member, 'self.inner_', handed_on)}",
        "    except BaseException as e:",
        f"        r.own_failure(s, self, {constant}, e)",
        "        raise",
        f"    r.add((r.next(), r.now(), here.name, {OK}, self, {constant}, s, v, None))",
    ]
    if member.form is not Form.SET:
        lines.append("    return r.unwrap(v, self.owner_)" if member.result in _CONVERTED else "    return v")
    return lines
