"""The member of the API that a step calls, as events name it, and the classes of the objects that steps make.

Both depend on the operation, which declares them, on its arguments, and on the interface of the object that it is called on.
"""

from __future__ import annotations

from typing import Final

from tck.programs.operations import OPERATIONS
from tck.programs.operations.operation import Named
from tck.programs.operations.producers import OPTIONS
from tck.programs.program import Program, Step

_TOLD: Final = frozenset({*OPTIONS.values(), "async"})
"""What a JMSProducer tells of itself, but for its properties."""


def classes_of(program: Program, until: int) -> dict[str, str]:
    """Return the classes of the objects that steps make, by their names in the program.

    Args:
        program: The program.
        until: Number of the first step that does not count.
    """
    found: dict[str, str] = {}
    for step in program.steps[:until]:
        if step.name is not None:
            found[step.name] = _name(OPERATIONS[step.do].makes, step, found) or ""
    return found


def member_of(program: Program, number: int) -> str | None:
    """Return the member that a step calls, such as ``JMSContext.create_queue``; None where it calls none of the API.

    Args:
        program: The program.
        number: Number of the step.
    """
    step = program.steps[number]
    return _name(OPERATIONS[step.do].member, step, classes_of(program, number))


def _name(named: Named | None, step: Step, classes: dict[str, str]) -> str | None:
    on = classes.get(str(step.args.get("on")), "")
    if isinstance(named, str):
        return named.format(on=on, kind=step.args.get("kind"))
    return None if named is None else named(step, on)


def getter_of(program: Program, number: int, name: str) -> str:
    """Return the member that tells an attribute of the object that a step is on."""
    on = classes_of(program, number).get(str(program.steps[number].args.get("on")), "")
    if on == "JMSProducer":
        return f"JMSProducer.get_{name if name in _TOLD else 'object_property'}"
    if name == "queue" and on in {"MessageConsumer", "MessageProducer"}:
        return "QueueReceiver.queue" if on == "MessageConsumer" else "QueueSender.queue"
    if name == "selector":
        return "QueueBrowser.message_selector" if on == "QueueBrowser" else "MessageConsumer.message_selector"
    return f"{on}.{ {'listener': 'message_listener'}.get(name, name) }"
