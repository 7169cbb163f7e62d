"""Steps of programs as text for people."""

from __future__ import annotations

from typing import Final

from tck.programs.program import REFERENCES, Step

_LONGEST: Final = 160


def call_text(step: Step) -> str:
    """Return a step as a call: ``m1 = message(on=s1, kind='text')``."""
    shown = []
    for key, value in step.args.items():
        named = isinstance(value, str) and key in REFERENCES
        shown.append(f"{key}={value if named else repr(value)}")
    text = f"{'' if step.name is None else f'{step.name} = '}{step.do}({', '.join(shown)})"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
