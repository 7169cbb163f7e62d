"""Reads a plan from a TOML file: the schema, the rules beyond it, and errors that name file, line and key.

May import the model, the schema check of profiles and the line index of the catalogue; drives nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from tck.catalogue.errors import did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.profile.errors import shown
from tck.profile.schema import problems
from tck.workload.model import (
    BrowserPlan,
    ConsumerPlan,
    DestinationPlan,
    FaultPlan,
    MessagePlan,
    Plan,
    ProducerPlan,
)
from tck.workload.rules import broken_rules

PLANS: Final = Path(__file__).with_name("plans")
SCHEMA: Final = Path(__file__).with_name("plan.schema.json")

T = TypeVar("T")


class PlanError(Exception):
    """An unusable plan: file, line, key, expectation and remedy."""


def plan_names() -> list[str]:
    """List the names of the plans that come with the kit."""
    return sorted(path.stem for path in PLANS.glob("*.toml"))


def load_plan(name_or_path: str) -> Plan:
    """Read a plan: one that comes with the kit, by its name, or a TOML file.

    Raises:
        PlanError: There is no such plan, or it breaks a rule; file, line and key are named.
    """
    known = plan_names()
    path = PLANS / f"{name_or_path}.toml" if name_or_path in known else Path(name_or_path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        near = did_you_mean(name_or_path, known)
        what = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise PlanError(
            f"no plan {name_or_path}: {what}{near}; plans are {', '.join(known)}, or give a TOML file"
        ) from None
    return _Reader(path, text).plan()


class _Reader:
    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        try:
            self.content: dict[str, Any] = tomllib.loads(text)
            json.dumps(self.content, default=str)
        except tomllib.TOMLDecodeError as error:
            line, message = syntax_error(error)
            raise PlanError(f"{shown(path)}:{line}: {message}") from None
        except (RecursionError, ValueError) as error:  # of the parser, or of the conversion to JSON
            deep = isinstance(error, RecursionError)
            found = (_DEEP if deep else _LONG).search(text)
            line = text.count("\n", 0, found.start()) + 1 if found else 1
            what = "lists or tables nest too deep" if deep else "a whole number has too many digits"
            raise PlanError(f"{shown(path)}:{line}: {what}; a plan needs nothing like it") from None
        self.lines = LineIndex(text)

    def refuse(self, where: Sequence[str | int], message: str) -> NoReturn:
        key = ".".join(part for part in where if isinstance(part, str))
        raise PlanError(f"{shown(self.path)}:{self.lines.line(where)}: {key}: {message}")

    def plan(self) -> Plan:
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        for problem in problems(self.content, schema):
            near = did_you_mean(str(problem.path[-1]), problem.unknown) if problem.unknown and problem.path else ""
            known = f"; known are {', '.join(problem.unknown)}" if problem.unknown else ""
            self.refuse(problem.path or ("plan",), f"{problem.message}{near}{known}")
        head = self.content["plan"]
        plan = Plan(
            name=self.path.stem,
            title=head["title"],
            duration=float(head.get("duration", 30)),
            messages=int(head.get("messages", 0)),
            drain=float(head.get("drain", 60)),
            destinations=self.rows("destination", DestinationPlan),
            messages_of=self.rows("message", MessagePlan) or (MessagePlan(),),
            producers=self.rows("producer", ProducerPlan),
            consumers=self.rows("consumer", ConsumerPlan),
            browsers=self.rows("browser", BrowserPlan),
            faults=self.rows("fault", FaultPlan),
            file=self.path,
        )
        for where, message in broken_rules(plan, self.content):
            self.refuse(where, message)
        return plan

    def rows(self, key: str, kind: type[T]) -> tuple[T, ...]:
        made = []
        for number, row in enumerate(self.content.get(key, ())):
            values = {}
            for name, given in row.items():
                value = [_whole(each) for each in given] if isinstance(given, list) else _whole(given)
                if name in _AMOUNTS:
                    if len(value) > 2 or value[0] > value[-1]:
                        self.refuse((key, number, name), "expected [least, greatest] or one number: [1, 20] or [10]")
                    value = [value[0], value[-1]]
                values[_RENAMED.get(name, name)] = tuple(value) if isinstance(value, list) else value
            made.append(kind(**values))
        return tuple(made)


def _whole(value: Any) -> Any:  # noqa: ANN401 - any value of TOML
    """Return a float without fraction as a whole number, since the schema accepts 2.0 for 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


_DEEP: Final = re.compile(r"(?:[\[{][^\[\]{}]*){50}")
_LONG: Final = re.compile(r"[0-9A-Fa-f_]{1000}")
_AMOUNTS: Final = frozenset({"size", "ttl", "delay", "batch", "lifetime"})
_RENAMED: Final = {"from": "source"}
