"""Make a program smaller that shows a disagreement: fewer steps, then plainer arguments, as long as it still shows it.

Knows programs, and asks a question about each candidate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from tck.programs.program import Json, Program, Step

_KEPT: Final = frozenset({"on", "to", "of", "message", "kind", "api", "what", "units", "selectors", "count", "first"})
"""Arguments that are not left out: without them it is another step."""
_TOGETHER: Final = frozenset({"mode", "priority", "ttl"})
"""The options of a send come together or not at all."""


def shrink(program: Program, shows: Callable[[Program], bool], budget: int = 400) -> Program:
    """Make a program smaller.

    Args:
        program: It shows the disagreement.
        shows: Tells whether a candidate still does; a candidate that is not legal does not.
        budget: At most so many candidates are tried.
    """
    return _Shrinking(shows, budget).run(program)


def fewer(program: Program, shows: Callable[[Program], bool], budget: int = 400) -> Program:
    """Leave out steps of a program, and no arguments; see `shrink`."""
    return _Shrinking(shows, budget).fewer(program)


class _Shrinking:
    def __init__(self, shows: Callable[[Program], bool], budget: int) -> None:
        self._shows = shows
        self._left = budget
        self._tried: set[str] = set()

    def run(self, program: Program) -> Program:
        before = None
        while before != program.steps and self._left > 0:
            before = program.steps
            program = self.fewer(program)
            program = self._plainer(program)
        return program

    def _try(self, candidate: Program) -> bool:
        if self._left <= 0:
            return False
        text = candidate.text()
        if text in self._tried:
            return False
        self._tried.add(text)
        self._left -= 1
        return self._shows(candidate)

    def fewer(self, program: Program) -> Program:
        """Leave out steps, in runs of halving length, the last ones first; what needs them goes too."""
        size = max(1, len(program) // 2)
        while size:
            at = len(program) - size
            while at > -size:
                start = max(0, at)
                candidate = program.without(range(start, min(start + size, len(program))))
                if len(candidate) < len(program) and self._try(candidate):
                    program = candidate
                at -= size
                at = min(at, len(program) - size)
            size //= 2
        return program

    def _plainer(self, program: Program) -> Program:
        """Leave out arguments, and parts of those that are lists or tables."""
        for number in range(len(program) - 1, -1, -1):
            changed = True
            while changed:
                changed = False
                for step in _plainer_steps(program.steps[number]):
                    candidate = program.with_steps((*program.steps[:number], step, *program.steps[number + 1 :]))
                    if self._try(candidate):
                        program, changed = candidate, True
                        break
        return program


_PLAIN: Final[Mapping[str, tuple[Json, ...]]] = {
    "api": ("classic",),
    "mode": ("auto",),
    "body": (["string", "x"], [["int", 5]], [["a", "int", 5]], ["null", None]),
    "kind": ("text",),
    "form": ("both",),
}
"""Plain values that are tried in the place of others."""


def _plainer_steps(step: Step) -> Iterator[Step]:
    args = step.args
    for key in args:
        if key not in _KEPT and not (
            key in {"body", "type", "types", "name", "does", "value", "selector"}
            and step.do not in {"message", "consumer", "browser"}
        ):
            gone = _TOGETHER if step.do == "send" and key in _TOGETHER else {key}
            yield replace(step, args={each: value for each, value in args.items() if each not in gone})
    for key, value in args.items():
        for other in _PLAIN.get(key, ()):
            if value != other and _fits(step, key, other):
                yield replace(step, args={**args, key: other})
        if key == "selectors":
            yield from (replace(step, args={**args, key: [each]}) for each in value if len(value) > 1)
            if len(value) == 1:
                yield from (replace(step, args={**args, key: [each]}) for each in simpler(value[0]))
        for smaller in (
            _smaller(value) if key in {"properties", "headers", "body", "types"} and not _is_value(step, key) else ()
        ):
            yield replace(step, args={**args, key: smaller})


_PART: Final = re.compile(r"\s+(?:AND|OR)\s+", re.IGNORECASE)


def simpler(selector: str) -> Iterator[str]:
    """Yield parts of a selector that may be selectors by themselves, the shortest first."""
    text = selector.strip()
    found = set()
    if re.match(r"NOT\b", text, re.IGNORECASE):
        found.add(text[3:].strip())
    if text.startswith("("):
        found.add(text[1:-1].strip())
    for match in _PART.finditer(text):
        found |= {text[: match.start()], text[match.end() :]}
    yield from sorted((each for each in found if each and _balanced(each)), key=lambda each: (len(each), each))


def _balanced(text: str) -> bool:
    depth = 0
    for each in re.sub(r"'(?:[^']|'')*'", "", text):
        depth += (each == "(") - (each == ")")
        if depth < 0:
            return False
    return depth == 0 and not re.search(r"\bBETWEEN\b(?!.*\bAND\b)", text, re.IGNORECASE)


def _fits(step: Step, key: str, value: Any) -> bool:
    if key == "kind":
        return step.do == "message" and "body" not in step.args
    if key == "mode":
        return step.do in {"session", "connect"}
    if key != "body" or step.do != "message":
        return key in {"api", "form"}
    kind = step.args["kind"]
    nested = isinstance(value[0], list)
    shape = "text" if not nested else "map" if len(value[0]) == 3 else "items"
    return {"text": "text", "object": "text", "map": "map", "stream": "items", "bytes": "items"}.get(kind) == shape


def _is_value(step: Step, key: str) -> bool:
    """Return whether an argument is one value, of which no part can be left out: the body of a text or object message."""
    return key == "body" and step.args.get("kind") not in {"map", "stream", "bytes"} and step.do != "write"


def _smaller(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        for key in value:
            yield {each: one for each, one in value.items() if each != key}
    elif isinstance(value, list) and len(value) > 1 and isinstance(value[0], (list, str)):
        if isinstance(value[0], str) and (len(value) != 1 and not all(isinstance(each, str) for each in value)):
            return
        if len(value) > 4:
            half = len(value) // 2
            yield value[:half]
            yield value[half:]
        for at in range(len(value)):
            yield value[:at] + value[at + 1 :]
