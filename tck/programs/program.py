"""A program: numbered calls over named objects, as data. The same data is the same program, in memory and in a file.

A step names the call (`do`), its objects and values, and the name of its result (`as`). The names are the program's own:
``c1`` a connection or context, ``s2`` a session, ``q1`` a queue, ``m3`` a message. Imports the schema validator only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from tck.profile.schema import problems

FORMAT: Final = 1
"""Version of the file format; a file of another version is refused."""

Json: TypeAlias = Any
"""A JSON value."""
Observation: TypeAlias = "dict[str, Json]"
"""The outcome of one step: ``ok`` with a value, ``raises`` with the name of an exception, ``skipped`` or ``hung``."""

REFERENCES: Final = ("on", "to", "of", "message", "session")
"""Arguments that name objects."""
_PLACEHOLDER: Final = re.compile(r"\{(?:id|time) (\w+)\}")
"""In a selector: the identifier or the timestamp of a message of the program."""
_SCHEMA: Final = Path(__file__).with_name("program.schema.json")


class ProgramError(ValueError):
    """A file that holds no program; the message names the file and the place."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call.

    Attributes:
        do: The operation, such as ``send``.
        args: Its arguments, JSON values.
        name: The name of the result; None if the step keeps none.
    """

    do: str
    args: Mapping[str, Json] = field(default_factory=dict)
    name: str | None = None

    def uses(self) -> Iterator[str]:
        """Yield the names of the objects that the step needs."""
        for key in REFERENCES:
            found = self.args.get(key)
            if isinstance(found, str):
                yield found
        headers = self.args.get("headers", {})
        yield from (
            headers[key] for key in ("reply_to", "destination", "correlation_of") if isinstance(headers.get(key), str)
        )
        if self.args.get("what") in {"reply_to", "destination"} and isinstance(self.args.get("value"), str):
            yield self.args["value"]
        for selector in (self.args.get("selector"), *self.args.get("selectors", ())):
            if isinstance(selector, str):
                yield from _PLACEHOLDER.findall(selector)

    def to_json(self) -> dict[str, Json]:
        """Return the step as one JSON object."""
        return {"do": self.do, **({} if self.name is None else {"as": self.name}), **self.args}

    @classmethod
    def from_json(cls, found: Mapping[str, Json]) -> Step:
        """Return the step of a JSON object."""
        return cls(found["do"], {key: found[key] for key in found if key not in {"do", "as"}}, found.get("as"))


@dataclass(frozen=True, slots=True)
class Program:
    """Steps in order; `about` says where they come from (seed, number, theme; any JSON values)."""

    steps: tuple[Step, ...]
    about: Mapping[str, Json] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.steps)

    def with_steps(self, steps: Iterable[Step]) -> Program:
        """Return the program with other steps."""
        return Program(tuple(steps), self.about)

    def without(self, numbers: Iterable[int]) -> Program:
        """Return the program without some steps, and without those that need their results."""
        gone = set(numbers)
        lost: set[str] = set()
        kept: list[Step] = []
        for number, step in enumerate(self.steps):
            if number in gone or any(name in lost for name in step.uses()):
                if step.name is not None:
                    lost.add(step.name)
            else:
                kept.append(step)
                lost.discard(step.name or "")
        return self.with_steps(kept)

    def to_json(self) -> dict[str, Json]:
        """Return the program as one JSON object."""
        return {"format": FORMAT, "about": dict(self.about), "steps": [step.to_json() for step in self.steps]}

    @classmethod
    def from_json(cls, found: Mapping[str, Json]) -> Program:
        """Return the program of a JSON object that `check_program` accepts."""
        return cls(tuple(Step.from_json(each) for each in found["steps"]), found.get("about", {}))

    def text(self) -> str:
        """Return the program as the text of a file, with one step on a line."""
        about = ",\n".join(f"    {_line(key)}: {_line(value)}" for key, value in self.about.items())
        steps = ",\n".join(f"    {_line(step.to_json())}" for step in self.steps)
        return f'{{\n  "format": {FORMAT},\n  "about": {{\n{about}\n  }},\n  "steps": [\n{steps}\n  ]\n}}\n'


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))


@cache
def _schema() -> Mapping[str, Json]:
    found: Mapping[str, Json] = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    return found


def read_program(path: Path) -> Program:
    """Read a program from a file.

    Raises:
        ProgramError: The file cannot be read, or holds no program; the message names file and place.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProgramError(f"{path}: cannot be read: {error.strerror or error}") from error
    except json.JSONDecodeError as error:
        raise ProgramError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ProgramError(f"{path}: not JSON: {error}") from error
    if isinstance(found, dict) and found.get("format", FORMAT) != FORMAT:
        raise ProgramError(f"{path}: format {found['format']!r}, expected {FORMAT}; write it with `tck explore`")
    for problem in problems(found, _schema()):
        known = f"; known are {', '.join(problem.unknown)}" if problem.unknown else ""
        raise ProgramError(f"{path}: {_place(problem.path)}: {problem.message}{known}")
    program = Program.from_json(found)
    _check_names(path, program)
    return program


def _place(path: tuple[str | int, ...]) -> str:
    match path:
        case ("steps", int(number)):
            return f"step {number + 1}"
        case ("steps", int(number), *rest):
            return f"step {number + 1}, {'.'.join(map(str, rest))}"
        case _:
            return ".".join(map(str, path)) or "the file"


def _check_names(path: Path, program: Program) -> None:
    made: set[str] = set()
    for number, step in enumerate(program.steps, 1):
        for name in step.uses():
            if name not in made:
                raise ProgramError(f'{path}: step {number}, {step.do}: no earlier step makes "{name}"')
        if step.name is not None:
            made.add(step.name)


def filled(selector: str, find: Mapping[str, tuple[str, int]]) -> str:
    """Return a selector with identifiers and timestamps of messages filled in.

    Args:
        selector: May hold ``{id m1}`` and ``{time m1}``.
        find: Identifier and timestamp by the name of a message.
    """

    def put(match: re.Match[str]) -> str:
        identifier, time = find.get(match.group(1), ("ID:none", 0))
        return identifier if match.group().startswith("{id") else str(time)

    return _PLACEHOLDER.sub(put, selector)
