"""Recipes of a profile as statements of Java; the methods that they call are in the template `recipes.java.j2`.

A recipe does not say which types its steps have, so the program makes the calls by reflection, as the adapter does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tck.reports.reproduce.java.values import character, text

_BOXES: Final = {"byte": "(byte) ", "short": "(short) ", "int": "", "float": "(float) ", "double": "(double) "}
_VERBS: Final = ("new", "call", "field")


def statements(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a statement for each step."""
    return [f"{_step(each)};" for each in steps]


def result(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return statements that keep the result of the last step in `made`."""
    return [*statements(steps[:-1]), f"Object made = {_step(steps[-1])};"]


def _step(step: Mapping[str, Any]) -> str:
    verb = next(each for each in _VERBS if each in step)
    given = ", ".join([_filled(step[verb]), *map(argument, step.get("arguments", ()))])
    made = {
        "new": f"make({given})",
        "call": f"call(on({_filled(step.get('on', ''))}), {given})",
        "field": f"field(on({_filled(step.get('on', ''))}), {given})",
    }[verb]
    for name, value in step.get("properties", {}).items():
        made = f"set({made}, {text(name)}, {argument(value)})"
    return f"keep({text(str(step['as']))}, {made})" if "as" in step else made


def _filled(value: object) -> str:
    written = text(str(value))
    return f"filled({written})" if "{" in written else written


def argument(value: Any) -> str:  # noqa: ANN401 - any value of TOML
    """Return an argument of a step."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if abs(value) < 2**31 else f"{value}L"
    if isinstance(value, Mapping):
        return _typed(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"new java.util.ArrayList<Object>(java.util.Arrays.asList(new Object[] {{{', '.join(map(argument, value))}}}))"
    return _filled(value) if isinstance(value, str) else str(value)


def _typed(table: Mapping[str, Any]) -> str:
    if not {*_VERBS}.isdisjoint(table):
        return _step(table)
    ((kind, value),) = table.items()
    if kind in _BOXES:
        return f"{_BOXES[kind]}{value}"
    if kind == "map":
        entries = (f"{text(key)}, {argument(each)}" for key, each in value.items())
        return f"properties({', '.join(entries)})"
    if kind == "strings":
        return f"(Object) new String[] {{{', '.join(map(_filled, value))}}}"
    if kind == "list":
        return argument(value)
    if kind == "char":
        return character(value)
    if kind in ("boolean", "long"):
        return f"{value}L" if kind == "long" else str(value).lower()
    written = _filled(value)
    return {
        "class": f"Class.forName({written})",
        "file": f"new java.io.File({written})",
        "null": "(Object) null",
        "object": f"on({written})",
        "string": written,
    }[kind]
