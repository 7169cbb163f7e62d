"""The Python program of a case: the recorded calls on objects of `tck.api`, opened by a profile's adapter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tck.api.java.overloads import parameter_names, python_member
from tck.api.java.rule import Kind
from tck.reports.reproduce.answers import Filled
from tck.reports.reproduce.facts import FILLED, PATIENCE, Facts, PythonSetup
from tck.reports.reproduce.limits import Unwritable
from tck.reports.reproduce.python_values import PythonValues, variable
from tck.reports.reproduce.recorded import NEXT, Call
from tck.reports.reproduce.script import (
    Change,
    Clock,
    Keep,
    Listener,
    Make,
    Pause,
    Reached,
    Script,
    See,
    Step,
    Throw,
    Wait,
)
from tck.reports.reproduce.templating import render

_BOUND: Final = 10_000
"""Milliseconds that a receive without a bound may take."""
_METHODS: Final = {
    "MessageListener": (("on_message", "message"),),
    "CompletionListener": (("on_completion", "message"), ("on_exception", "message, error")),
    "ExceptionListener": (("on_exception", "error"),),
}
_NOT_IN_NAMES: Final = re.compile(r"\W+")


def write(script: Script, facts: Facts, setup: PythonSetup) -> str:
    """Write the program.

    Args:
        script: The steps.
        facts: The words about the case.
        setup: How the provider is opened.

    Raises:
        CannotReproduce: A value is not recorded.
    """
    return _Writer(script, PythonValues(script.recorded)).program(facts, setup)


@dataclass(slots=True)
class _Writer:
    script: Script
    values: PythonValues
    helpers: set[str] = field(default_factory=set)

    def program(self, facts: Facts, setup: PythonSetup) -> str:
        script = self.script
        threads = [(_function(name), name, self._lines(steps)) for name, steps in script.threads]
        listeners = [self._listener(each) for each in script.listeners]
        main = self._lines(script.main)
        if self.values.filled and not script.named:
            raise Unwritable("the verdict rests on contents that are recorded by length and digest only")
        own = {
            number: self.values.value(change.first, plain_text=True) if change.given else "None"
            for number, change in script.own.items()
        }
        return render(
            "program.py.j2",
            about=[
                each.replace("\\", "\\\\").replace('"', '\\"')
                for each in [*facts.about, *(FILLED if self.values.filled else ())]
            ],
            setup=setup,
            main=main,
            threads=threads,
            listeners=listeners,
            own={number: f"bytearray({each})" if each.startswith("b'") else each for number, each in own.items()},
            classes=self.values.classes,
            decisions=script.decisions,
            named=script.named,
            latches=script.waits,
            patience=PATIENCE,
        )

    def _lines(self, steps: Iterable[Step]) -> list[str]:
        return [self._line(each) for each in steps]

    def _line(self, step: Step) -> str:
        match step:
            case Wait(number):
                return f"wait({number})"
            case Reached(number):
                return f"reached({number})"
            case Clock(call):
                return f"began[{call}] = provider.clock.now()"
            case Pause(ms):
                return f"provider.clock.event().wait({ms})  # time passes, as in the recording"
            case Change(own, change):
                return f"change(own[{own}], {self.values.value(change.content)})  # the client's own act, which events do not record"
            case Keep(label):
                return f"{variable(label)} = message"
            case Throw(reason):
                return f"raise RuntimeError({reason!r})"
            case See(call, decision):
                words = f"{call.op}{self._shown(call)}" + (f": {decision.what}" if decision.what else "")
                filled = isinstance(decision.recorded, Filled)
                right, recorded = self.values.answer(decision.right), self.values.answer(decision.recorded)
                return f"see({words!a}, {right}, {recorded}, lambda: {self._kept(call, filled=filled)})"
            case Make(call, lenient):
                return self._make(call, lenient=lenient)

    def _make(self, call: Call, *, lenient: bool) -> str:
        if lenient:
            return f"attempt(lambda: {self._kept(call)})"
        label, own = self.script.result_of(call), self.script.own_result(call)
        target = f"own[{own}] = " if own is not None else f"{variable(label)} = " if label is not None else ""
        missing = call.type != "Provider" and self.script.may_be_missing(call.on)
        made = self._set(call) if self._is_set(call) else f"{target}{self._expression(call)}"
        return f"if {variable(call.on)} is not None: {made}" if missing else made

    def _kept(self, call: Call, *, filled: bool = False) -> str:
        """Return a call as an expression, which keeps its result too."""
        if self._is_set(call):
            return f"setattr({self._on(call)}, {call.member!r}, {self._arguments(call)[0][1]})"
        expression = self._expression(call, filled=filled)
        label = self.script.result_of(call)
        return expression if label is None else f"keep({label!r}, {expression})"

    def _is_set(self, call: Call) -> bool:
        if call.type == "Provider" or call.op == NEXT:
            return False
        return python_member(call.op).kind is Kind.PROPERTY and bool(call.args)

    def _set(self, call: Call) -> str:
        return f"{self._on(call)}.{call.member} = {self._arguments(call)[0][1]}"

    def _on(self, call: Call) -> str:
        if call.type == "Provider":
            return "provider"
        if call.on not in self.script.recorded.labels:
            raise Unwritable(f"event {call.begin} calls {call.on}, which no recorded call returned")
        return variable(call.on)

    def _expression(self, call: Call, *, filled: bool = False) -> str:
        on = self._on(call)
        if call.op == NEXT:
            return f"next({on}, END)"
        if call.type != "Provider" and python_member(call.op).kind is Kind.PROPERTY:
            return f"{on}.{call.member}"
        arguments = [f"{name}={value}" for name, value in self._arguments(call)]
        if call.member in ("receive", "receive_body") and "timeout" not in call.args:
            arguments.append(f"timeout={_BOUND}")
        if filled:
            return f"read({on}, {self._arguments(call)[0][1]})"
        return f"{on}.{call.member}({', '.join(arguments)})"

    def _arguments(self, call: Call) -> list[tuple[str, str]]:
        return [(name, self._argument(call, name, value)) for name, value in call.args.items()]

    def _argument(self, call: Call, name: str, value: Any) -> str:  # noqa: ANN401 - any JSON
        own = self.script.own_argument(call, name)
        if own is not None:
            return f"own[{own}]"
        if name == "buffer" and isinstance(value, dict):
            return f"bytearray({value.get('len') or len(str(value.get('hex'))) // 2})"
        moment = call.moment(value)
        if moment is not None:
            return f"provider.clock.now() + {moment}"
        if isinstance(value, dict) and value.get("type") == "Double" and _java_type(call, name) in ("float", "double"):
            return f'float("{value["value"]}")'
        return self.values.value(value, plain_text=_java_type(call, name) == "String")

    def _shown(self, call: Call) -> str:
        written = ", ".join(f"{name}={value}" for name, value in self._arguments(call))
        return f"({written[:120]}{'...' if len(written) > 120 else ''})"

    def _listener(self, listener: Listener) -> dict[str, Any]:
        return {
            "label": listener.label,
            "type": listener.type,
            "methods": _METHODS[listener.type],
            "deliveries": [self._lines(each) for each in listener.deliveries],
        }


def _function(thread: str) -> str:
    return f"thread_{_NOT_IN_NAMES.sub('_', thread)}"


def _java_type(call: Call, name: str) -> str:
    """Return the Java type of a parameter; of one that sets a property, that of its setter."""
    if call.type == "Provider":
        return "String"
    member = python_member(call.op)
    names = parameter_names(call.op)
    if name in names:
        return member.parameters[names.index(name)].java_type
    return next((each.java.parameters[0] for each in member.overloads if each.java.parameters), "Object")
