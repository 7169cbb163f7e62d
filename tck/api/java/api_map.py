"""Write docs/api-map.md: every Java member beside its Python counterpart, from the rule and the abstract types.

``python -m tck.api.java.api_map > docs/api-map.md`` renews the page; a test holds it up to date.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator

from tck.api import exceptions, values
from tck.api.java.overloads import abstract_types, parameter_names
from tck.api.java.rule import EXCEPTIONS, JavaMember, JavaType, Kind, PythonMember, java_api, python_api

__all__ = ["api_map"]

_PREFACE = """\
# The messaging API in Python

Generated from the rule in `tck/api/java/rule.py` and the abstract types of `tck.api`: `python -m tck.api.java.api_map > docs/api-map.md`.

{types} types, {members} members of `jakarta.jms` 3.1. {annotations} types with {annotation_members} members are annotations for containers: listed at the
end, not built. Everything below is importable from `tck.api`.

## The rule

1. Names split before a capital that follows a small letter or digit, and before the last capital of a run that a small letter
   follows; then lower case. Types and constants keep their names.
2. A type whose setters return the type (`JMSProducer`) keeps `get_x` and `set_x`. Elsewhere a getter without arguments is a property,
   writable if a one-argument setter exists.
3. Overloads merge into one method. If each is a prefix of the longest, what not all have is a trailing optional argument. Otherwise the
   parameters that all share come first and the others follow keyword-only, in the order of the longest. An argument not given is
   `OMITTED`; `None` is Java's null. Given arguments that make no Java overload raise `TypeError` (`check_overload`).
4. Exceptions take `(reason, error_code=OMITTED, cause=OMITTED)`.

What has a `close()` also works as a context manager. An `Enumeration` is an iterator, a `Set` a read-only view.
Setting a property that Java cannot set raises `AttributeError`.
"""

_VALUES = """\
## Values

Typed positions take and give plain Python values: `get_int_property` an `int`, `read_float` a `float`, `read_char` a `str` of length 1. A value
out of the Java type's range raises `ValueError` before anything is done. Object positions (`set_object_property`, `set_object`, `read_object`,
`ObjectMessage.object`, ...) tell Java types apart by the Python type:

| Java | in | out | values |
|---|---|---|---|
"""

_BODY = """\
## Body types

What stands for Java's `Class` argument of `get_body`, `is_body_assignable_to`, `receive_body`, `receive_body_no_wait`:

| Python | Java |
|---|---|
"""

_OBJECT_ROWS = (
    ("null", "`None`", "`None`", ""),
    ("Boolean", "`bool`", "`bool`", "`True`, `False`"),
    ("Byte", "`Byte`", "`Byte`", "8 bits with sign"),
    ("Short", "`Short`", "`Short`", "16 bits with sign"),
    ("Integer", "`Int`", "`Int`", "32 bits with sign"),
    ("Long", "`int` or `Long`", "`int`", "64 bits with sign"),
    ("Float", "`Float`", "`Float`", "32 bits, rounded to the nearest"),
    ("Double", "`float` or `Double`", "`float`", "64 bits"),
    ("Character", "`Char`", "`Char`", "one UTF-16 unit"),
    ("String", "`str`", "`str`", ""),
    ("byte[]", "`bytes`", "`bytes`", ""),
)

_BODY_ROWS = (
    ("`str`", "`String`"),
    ("`bytes`", "`byte[]`"),
    ("`dict`", "`Map`"),
    ("`bool`", "`Boolean`"),
    ("`int` or `Long`", "`Long`"),
    ("`float` or `Double`", "`Double`"),
    ("`Byte`, `Short`, `Int`, `Float`, `Char`", "`Byte`, `Short`, `Integer`, `Float`, `Character`"),
    ("a type given to `Provider.register_types`", "that class"),
)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _call(member: PythonMember, operation: str) -> str:
    """Write the Python form of a member, parameter names included."""
    if member.kind is Kind.CONSTANT:
        return f"`{member.name}`"
    if member.kind is Kind.PROPERTY:
        return f"`{member.name}`" + ("" if member.writable else " (read only)")
    shown: list[str] = []
    for name, parameter in zip(parameter_names(operation), member.parameters, strict=True):
        if parameter.keyword_only and "*" not in shown:
            shown.append("*")
        shown.append(name if parameter.required else f"{name}=OMITTED")
    name = {Kind.CONSTRUCTOR: member.type, Kind.FACTORY: f"Provider.{member.name}"}.get(member.kind, member.name)
    return f"`{name}({', '.join(shown)})`"


def _java_form(java: JavaMember) -> str:
    if java.kind == "constant":
        return f"`{java} = {java.constant.removesuffix('l')}`"
    return f"`{java.returns} {java}`" if java.returns else f"`{java}`"


def _type_section(java: JavaType) -> Iterator[str]:
    python = abstract_types()[java.name]
    below = f" extends {', '.join(java.extends)}" if java.extends else ""
    yield f"### {java.name}\n"
    yield f"{java.kind}{below}; `{python.__module__}`\n"
    if not java.members:
        yield "No members.\n"
        return
    yield "| Java | Python |\n|---|---|"
    for member in python_api()[java.name].values():
        shown = _call(member, f"{java.name}.{member.name}")
        mark = f" [{list(EXCEPTIONS).index(member.exception) + 1}]" if member.exception else ""
        yield _row("<br>".join(_java_form(overload.java) for overload in member.overloads), shown + mark)
    yield ""


def _bases(kind: type[BaseException]) -> str:
    return ", ".join(f"`{base.__name__}`" for base in kind.__bases__)


def _exception_section(named: Iterable[str]) -> Iterator[str]:
    yield "## Exceptions\n"
    yield "No exception of one tree is caught by a type of another: the messaging API's two, and Java's own.\n"
    yield "| Java | Python | Python bases |\n|---|---|---|"
    for name in named:
        yield _row(f"`jakarta.jms.{name}`", f"`{name}`", _bases(getattr(exceptions, name)))
    java_own = [
        kind
        for _, kind in inspect.getmembers(exceptions, inspect.isclass)
        if issubclass(kind, exceptions.JavaException) and "java_name" in vars(kind)
    ]
    for kind in sorted(java_own, key=lambda kind: (len(kind.__mro__), kind.java_name)):
        yield _row(f"`{kind.java_name}`", f"`{kind.__name__}`", _bases(kind))
    yield ""


def _rule_exceptions() -> Iterator[str]:
    count = sum(
        bool(member.exception) * len(member.overloads) for kind in python_api().values() for member in kind.values()
    )
    yield f"## The {count} members outside of the rule\n"
    yield "| | Java members | resolution | reason |\n|---|---|---|---|"
    for number, group in enumerate(EXCEPTIONS.values(), 1):
        found = [m for name, of in group.members for m in java_api()[name].members if m.name == of]
        listed = ", ".join(f"`{kind}.{name}`" for kind, name in group.members)
        yield _row(f"[{number}]", f"{listed} ({len(found)})", group.resolution, group.reason)
    yield ""


def api_map() -> str:
    """Render the page."""
    every = list(java_api().values())
    notes = [java for java in every if java.kind == "annotation"]
    built = [java for java in every if java.kind != "annotation"]
    lines = [
        _PREFACE.format(
            types=len(every),
            members=sum(len(java.members) for java in every),
            annotations=len(notes),
            annotation_members=sum(len(java.members) for java in notes),
        ),
        *_rule_exceptions(),
        _VALUES + "\n".join(_row(*row) for row in _OBJECT_ROWS) + "\n",
        _BODY + "\n".join(_row(*row) for row in _BODY_ROWS),
        *(_row(f"`{marker.name}`", f"`{marker.value.rpartition('.')[2]}`") for marker in values.BodyMarker),
        "",
        *_exception_section(java.name for java in built if java.is_exception),
        "## Types\n",
        *(line for java in built if not java.is_exception for line in _type_section(java)),
        "## Constructors and members of the exceptions\n",
        *(line for java in built if java.is_exception for line in _type_section(java)),
        "## Not built\n",
        "Annotations, which only a container reads:\n",
        *(f"- `{java.name}`: {', '.join(f'`{member.name}`' for member in java.members)}" for java in notes),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(api_map())
