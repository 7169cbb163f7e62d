"""Recipes: calls of Java that a profile writes down, step by step, in place of code.

A step is a table. It makes an object (``new``), calls a method (``call``, with ``on``) or reads a field (``field``, with ``on``),
and keeps the result under a name (``as``) for later steps. ``on`` names such an object, else a class. Knows no broker.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tck.adapters.jvm.machine import Machine
from tck.profile.errors import AdapterError

STEP: Final = frozenset({"new", "call", "field", "on", "arguments", "properties", "as"})
"""The keys of a step."""
_BOXES: Final = ("boolean", "byte", "short", "int", "long", "float", "double", "char")
_TYPED: Final = (*_BOXES, "string", "class", "file", "null", "object", "list", "map", "strings")
"""The types of a typed argument: a table of one of them and the value."""
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


def filled(text: str, values: Mapping[str, str], *, known_only: bool = False) -> str:
    """Replace ``{name}`` by the value of that name.

    Args:
        text: A string of a profile, or a template of a file.
        values: The values.
        known_only: Leave other words in braces as they are, as templates need it.

    Raises:
        KeyError: There is no such value.
    """

    def value(found: re.Match[str]) -> str:
        if known_only and found[1] not in values:
            return found[0]
        return values[found[1]]

    return _PLACEHOLDER.sub(value, text)


class Recipe:
    """The objects that steps have made, and the way to run more steps.

    Args:
        machine: The running Java virtual machine.
        placeholders: Gives the values of ``{name}`` in strings.
        key: The place of the steps in the settings, for messages.
    """

    def __init__(self, machine: Machine, placeholders: Callable[[], Mapping[str, str]], key: str) -> None:
        self.machine = machine
        self.objects: dict[str, Any] = {}
        self.at = ""
        """The step that runs, as messages name it."""
        self._placeholders = placeholders
        self._key = key

    def run(self, steps: Sequence[Mapping[str, Any]], part: str, **more: str) -> Any:
        """Run steps in order and return the result of the last one; Java's exceptions pass through.

        Args:
            steps: The steps.
            part: The key under which they are written.
            more: Further placeholders.

        Raises:
            AdapterError: A step is not as it must be, or Java has no such class, method or field.
        """
        result: Any = None
        for number, step in enumerate(steps, 1):
            self.at = f"{self._key}.{part}, step {number}"
            result = self._step(step, more)
        return result

    def apart(self) -> Recipe:
        """Return a recipe that knows what this one has named, and keeps for itself what it names: many threads run such at once."""
        made = Recipe(self.machine, self._placeholders, self._key)
        made.objects = dict(self.objects)
        return made

    def fill(self, value: Any, **more: str) -> Any:
        """Replace placeholders in a string, or make the object of a typed argument."""
        return self._argument(value, more)

    def error(self, message: str) -> AdapterError:
        """Make an error about the step that runs."""
        return AdapterError(f"adapter.settings.{self.at or self._key}: {message}")

    # -- a step --------------------------------------------------------------------------------------------------

    def _step(self, step: Mapping[str, Any], more: Mapping[str, str]) -> Any:
        verbs = [verb for verb in ("new", "call", "field") if verb in step]
        unknown = sorted(set(step) - STEP)
        if unknown or len(verbs) != 1:
            seen = f"the unknown key {unknown[0]}" if unknown else f"{' and '.join(verbs) or 'none of them'}"
            raise self.error(f"expected one of new, call and field, with {', '.join(sorted(STEP))}; saw {seen}")
        arguments = [self._argument(each, more) for each in step.get("arguments", ())]
        name = self._text(str(step[verbs[0]]), more)
        try:
            if verbs == ["new"]:
                made = self.machine.type(name)(*arguments)
            elif "on" not in step:
                raise self.error(f"{verbs[0]} {name}: on which object or class? Add on")
            else:
                made = self._member(self._named(self._text(str(step["on"]), more)), name, verbs[0])
                made = made(*arguments) if verbs == ["call"] else made
        except TypeError as error:
            raise self.error(f"{verbs[0]} {name} does not take {_shown(arguments)}: {error}") from None
        for key, value in step.get("properties", {}).items():
            self.set_property(made, key, self._argument(value, more))
        if "as" in step:
            self.objects[str(step["as"])] = made
        return made

    def _named(self, name: str) -> Any:
        return self.objects[name] if name in self.objects else self.machine.type(name)

    def _member(self, owner: Any, name: str, verb: str) -> Any:
        try:
            return getattr(owner, f"{name}_" if keyword.iskeyword(name) else name)
        except AttributeError:
            kind = owner.class_.getName() if hasattr(owner, "class_") else type(owner).__name__
            what = "method" if verb == "call" else "field"
            raise self.error(f"{kind} has no public {what} {name}") from None

    def set_property(self, made: Any, name: str, value: Any) -> None:
        """Call a setter; ``a.b`` is the property b of what the getter of a returns."""
        outer, dot, inner = name.partition(".")
        if dot:
            self.set_property(self._member(made, f"get{outer[0].upper()}{outer[1:]}", "call")(), inner, value)
            return
        setter = self._member(made, f"set{name[0].upper()}{name[1:]}", "call")
        try:
            setter(value)
        except TypeError as error:
            raise self.error(f"{made.getClass().getName()} does not take {value!r} as {name}: {error}") from None

    # -- values --------------------------------------------------------------------------------------------------

    def _text(self, text: str, more: Mapping[str, str]) -> str:
        values = {**self._placeholders(), **more}
        try:
            return filled(text, values)
        except KeyError:
            known = ", ".join(f"{{{each}}}" for each in values)
            raise self.error(f'"{text}" has an unknown placeholder; there are {known}') from None

    def _argument(self, value: Any, more: Mapping[str, str]) -> Any:
        if isinstance(value, str):
            return self._text(value, more)
        if isinstance(value, Mapping):
            return self._typed(value, more)
        if isinstance(value, Sequence):
            return self._list(value, more)
        return value

    def _list(self, values: Sequence[Any], more: Mapping[str, str]) -> Any:
        made = self.machine.type("java.util.ArrayList")()
        for each in values:
            made.add(self._argument(each, more))
        return made

    def _typed(self, table: Mapping[str, Any], more: Mapping[str, str]) -> Any:
        if STEP.issuperset(table) and not {"new", "call", "field"}.isdisjoint(table):
            return self._step(table, more)
        if len(table) != 1 or next(iter(table)) not in _TYPED:
            raise self.error(
                f"an argument is a plain value, a step, or a table of one of {', '.join(_TYPED)}; saw {dict(table)}"
            )
        ((kind, value),) = table.items()
        jpype = self.machine.jpype
        if kind in _BOXES:
            return getattr(jpype, f"J{kind.title()}")(value)
        if kind == "list":
            return self._list(value, more)
        if kind == "strings":
            return jpype.JArray(jpype.JString)([self._text(str(each), more) for each in value])
        if kind == "map":
            made = self.machine.type("java.util.Properties")()
            for key, each in value.items():
                made.put(key, self._argument(each, more))
            return made
        return self._of_text(kind, self._text(str(value), more))

    def _of_text(self, kind: str, text: str) -> Any:
        jpype = self.machine.jpype
        if kind == "object":
            if text not in self.objects:
                raise self.error(f"no step before made an object {text}; there are {', '.join(self.objects) or 'none'}")
            return self.objects[text]
        if kind == "file":
            return self.machine.type("java.io.File")(text)
        if kind == "class":
            return self.machine.type(text).class_
        if kind == "null":
            return jpype.JObject(None, self.machine.type(text))
        return jpype.JString(text)


def _shown(arguments: Sequence[Any]) -> str:
    return f"({', '.join(f'{type(each).__name__} {each}' for each in arguments)})"
