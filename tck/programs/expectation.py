"""A program with the outcomes that the reference provider showed, and what a provider under test showed in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tck.catalogue.versions import NEWEST
from tck.programs.program import Json, Observation, Program


@dataclass(frozen=True, slots=True)
class Expectation:
    """A program with the outcomes that the reference provider showed.

    Attributes:
        program: The program.
        seen: An observation for each step.
        ends: By consumer: ``end`` (its endpoint), ``kind``, ``contended``, ``of`` (the destination).
        sends: The sends in order, with the arguments that the program chose.
        unclear: Why the specification leaves the outcome of the program open; None if it does not.
        version: The version of the specification that the reference provider played.
    """

    program: Program
    seen: tuple[Observation, ...]
    ends: dict[str, dict[str, Json]] = field(default_factory=dict)
    sends: tuple[dict[str, Json], ...] = ()
    unclear: str | None = None
    version: str = NEWEST

    def to_json(self) -> dict[str, Json]:
        """Return it as one JSON object."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "program": self.program.to_json()}

    @classmethod
    def from_json(cls, found: Mapping[str, Json]) -> Expectation:
        """Return it from one JSON object."""
        return cls(
            Program.from_json(found["program"]),
            *(found[name] for name in ("seen", "ends", "sends", "unclear", "version")),
        )


@dataclass(slots=True)
class Execution:
    """What a provider showed in a program: an observation for each step that was done, and the sends in order.

    Attributes:
        seen: An observation for each step that was done.
        sends: The sends in order, with the arguments that the program chose.
        hung: Whether a step did not return.
        virtual: Whether time stood still between the sends, as it does on the reference provider.
    """

    seen: list[Observation] = field(default_factory=list)
    sends: list[dict[str, Json]] = field(default_factory=list)
    hung: bool = False
    virtual: bool = True
