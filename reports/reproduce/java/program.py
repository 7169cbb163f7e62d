"""The Java program of a case: statements in their order, listeners, threads, and the frame around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tck.reports.reproduce.answers import Answer, Filled, OneOf, plain
from tck.reports.reproduce.facts import FILLED, PATIENCE, Facts, class_name
from tck.reports.reproduce.java.calls import JavaCalls
from tck.reports.reproduce.java.setup import JavaSetup
from tck.reports.reproduce.java.values import text
from tck.reports.reproduce.limits import Unwritable
from tck.reports.reproduce.own_changes import OwnChange
from tck.reports.reproduce.recorded import Call
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
from tck.reports.reproduce.verdict.deciding import Deciding

_ANSWER: Final = re.compile(r"\b([a-zA-Z]+)\(")
_PARAMETERS: Final[Mapping[str, str]] = {
    "MessageListener": "Message message",
    "CompletionListener": "Message message, Exception error",
    "ExceptionListener": "JMSException error",
}
_FORWARD: Final[Mapping[str, str]] = {
    "MessageListener": "message -> quietly(() -> {name}(message))",
    "ExceptionListener": "error -> quietly(() -> {name}(error))",
    "CompletionListener": (
        "new CompletionListener() {{ "
        "public void onCompletion(Message message) {{ quietly(() -> {name}(message, null)); }} "
        "public void onException(Message message, Exception error) {{ quietly(() -> {name}(message, error)); }} }}"
    ),
}


def write(script: Script, facts: Facts, setup: JavaSetup) -> str:
    """Write the program.

    Raises:
        CannotReproduce: A value is not recorded, or the profile does not say how an object is made.
    """
    return _Writer(script, JavaCalls(script, setup.classes)).program(facts, setup)


@dataclass(slots=True)
class _Writer:
    script: Script
    calls: JavaCalls
    answers: set[str] = field(default_factory=set)
    helpers: set[str] = field(default_factory=set)

    def program(self, facts: Facts, setup: JavaSetup) -> str:
        script, name = self.script, class_name(facts.case)
        names = {thread: f"thread{number}" for number, (thread, _) in enumerate(script.threads, 2)}
        main = [f"new Thread({name}::{method}, {text(thread)}).start();" for thread, method in names.items()]
        main += self._lines(script.main)
        threads = [{"name": names[thread], "lines": self._lines(steps)} for thread, steps in script.threads]
        listeners = [self._listener(each) for each in script.listeners]
        fields = self._fields()
        values = self.calls.values
        if values.filled and not script.named:
            raise Unwritable("the verdict rests on contents that are recorded by length and digest only")
        return render(
            "program.java.j2",
            setup=setup,
            about=[_comment(each) for each in [*facts.about, *(FILLED if values.filled else ())]],
            name=name,
            fields=fields,
            main=main,
            threads=threads,
            listeners=listeners,
            broker=setup.broker(sorted(self.calls.factories), sorted(self.calls.kinds)),
            decisions=script.decisions,
            named=script.named,
            patience=PATIENCE,
            latches=script.waits,
            helpers=self.helpers | values.helpers,
            classes=sorted(values.classes),
            answers=[ANSWERS[each] for each in sorted(self.answers)],
        )

    # -- statements ----------------------------------------------------------------------------------------------

    def _lines(self, steps: Iterable[Step]) -> list[str]:
        return [self._line(each) for each in steps]

    def _line(self, step: Step) -> str:
        match step:
            case Wait(number):
                return f"await({number});"
            case Reached(number):
                return f"reached({number});"
            case Clock(call):
                return f"time{call} = System.currentTimeMillis();"
            case Pause(ms):
                self.helpers.add("pause")
                return f"pause({ms});"
            case Change(own, change):
                self.helpers.add("change")
                content = self.calls.values.value(change.content, "Object")
                return f"change(own{own}, {content}); // the client's own act, which events do not record"
            case Keep(label):
                return f"{self.calls.variable(label)} = message;"
            case Throw(reason):
                return f"throw new RuntimeException({text(reason)});"
            case See(call, decision):
                return self._see(call, decision)
            case Make(call, lenient):
                return self._make(call, lenient=lenient)

    def _see(self, call: Call, decision: Deciding) -> str:
        expression = self.calls.expression(call, filled=isinstance(decision.recorded, Filled))
        if call.type != "Provider" and self.script.may_be_missing(call.on):
            name = str(self.calls.variable(call.on))
            self.helpers.add("there")
            expression = re.sub(rf"(?<![\w.\"]){name}\b", f"there({name})", expression, count=1)
        made = self._assigned(call, expression)
        what = self.calls.member(call) + (f": {decision.what}" if decision.what else "")
        right, recorded = (self._answer(each, call) for each in (decision.right, decision.recorded))
        shown = f"() -> {{ {made}; return null; }}" if self.calls.returns(call) == "void" else f"() -> {made}"
        return f"see({text(what)}, {right}, {recorded}, {shown});"

    def _make(self, call: Call, *, lenient: bool) -> str:
        made = self._assigned(call, self.calls.expression(call))
        if lenient:
            self.helpers.add("attempt")
            return f"attempt(() -> {{ {made}; return null; }});"
        if call.type != "Provider" and self.script.may_be_missing(call.on):
            return f"if ({self.calls.variable(call.on)} != null) {made};"
        return f"{made};"

    def _assigned(self, call: Call, expression: str) -> str:
        own = self.script.own_result(call)
        if own is not None:
            return f"own{own} = {expression}"
        label = self.script.result_of(call)
        return expression if label is None else f"{self.calls.variable(label)} = {expression}"

    def _answer(self, answer: Answer, call: Call) -> str:
        written = self.calls.values.answer(answer, self.calls.returns(call), lambda number: f"time{number}")
        names = set(_ANSWER.findall(written)) if isinstance(answer, OneOf) else {written.partition("(")[0]}
        self.answers |= names & ANSWERS.keys()
        if "end" in names:
            self.helpers.add("next")
        return written

    # -- listeners and fields ------------------------------------------------------------------------------------

    def _listener(self, listener: Listener) -> dict[str, Any]:
        return {
            "name": self.calls.variable(listener.label),
            "parameters": _PARAMETERS[listener.type],
            "cases": [self._lines(each) for each in listener.deliveries],
        }

    def _fields(self) -> list[tuple[str, str]]:
        by_type: dict[str, list[str]] = {}
        for step in self.script.steps():
            if isinstance(step, Clock):
                by_type.setdefault("long", []).append(f"time{step.call}")
        for number, change in self.script.own.items():
            first = f" = {self.calls.values.value(change.first, 'Object')}" if change.given else ""
            by_type.setdefault(_own_type(change) if first else "Object", []).append(f"own{number}{first}")
        called = {each.label: each for each in self.script.listeners}
        for label, name in self.calls.names.items():
            if label in called:
                type_ = called[label].type
                by_type.setdefault(type_, []).append(f"{name} = {_FORWARD[type_].format(name=name)}")
            else:
                by_type.setdefault(_declared(self.calls.type_of(label)), []).append(name)
        return [(type_, ", ".join(names)) for type_, names in by_type.items()]


def _own_type(change: OwnChange) -> str:
    kind = plain(change.first)
    return (
        "byte[]"
        if isinstance(kind, bytes)
        else f"java.util.{'ArrayList<Object>' if isinstance(kind, list) else 'LinkedHashMap<String, Object>'}"
    )


def _declared(type_: str) -> str:
    return "java.util.Enumeration<?>" if type_ == "Enumeration" else type_


def _comment(line: str) -> str:
    return (
        line.replace("*/", "* /")
        .replace("\\u", "\\ u")
        .encode("ascii", "backslashreplace")
        .decode()
        .replace("\\u", "\\ u")
    )


def _string(value: str) -> str:
    return text(value)[1:-1]


ANSWERS: Final[Mapping[str, str]] = {
    "value": """\
    static Answer value(Object wanted) {
        return new Answer(shown(wanted), seen -> same(wanted, seen));
    }""",
    "raises": """\
    static Answer raises(String type) {
        return new Answer("raises " + type, seen -> {
            for (Class<?> each = seen instanceof Throwable ? seen.getClass() : null; each != null; each = each.getSuperclass()) {
                if (each.getSimpleName().equals(type)) {
                    return true;
                }
            }
            return false;
        });
    }""",
    "returns": """\
    static Answer returns() {
        return new Answer("returns", seen -> !(seen instanceof Throwable));
    }""",
    "message": """\
    static Answer message(String text) {
        return new Answer("a message with the text " + shown(text), seen -> {
            try {
                return seen instanceof TextMessage && text.equals(((TextMessage) seen).getText());
            } catch (JMSException error) {
                return false;
            }
        });
    }""",
    "aMessage": """\
    static Answer aMessage(Class<?> type) {
        return new Answer("a " + type.getSimpleName(), type::isInstance);
    }""",
    "end": """\
    static Answer end() {
        return new Answer("the end", seen -> seen == END);
    }""",
    "near": """\
    static Answer near(long time, long margin) {
        return new Answer(time + ", give or take " + margin + " ms", seen -> seen instanceof Long && Math.abs((Long) seen - time) <= margin);
    }""",
    "begins": """\
    static Answer begins(String start) {
        return new Answer("a text that begins with " + start, seen -> seen instanceof String && ((String) seen).startsWith(start));
    }""",
    "oneOf": """\
    static Answer oneOf(Answer... answers) {
        String text = java.util.Arrays.stream(answers).map(each -> each.text).collect(java.util.stream.Collectors.joining(" or "));
        return new Answer(text, seen -> java.util.Arrays.stream(answers).anyMatch(each -> each.test.test(seen)));
    }""",
    "other": """\
    static Answer other() {
        return new Answer("another answer than recorded", seen -> true);
    }""",
}
"""The methods that make answers, by name; a program has those it uses."""
