"""The point of a test's axes at which a case runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

CORPUS = "corpus-1"
"""The row that every program of the corpus leads with; its cases are named ``corpus/0137``."""
PLANS = "plans-1"
"""The row that every plan of load leads with; its cases are named ``plans/async-close``."""
JOURNEY = "journey-"
"""The names of journeys begin with it."""


BRIDGE = "iw-"
"""The ids of rows on interworking begin with it."""


@dataclass(frozen=True, slots=True)
class Point:
    """The rows, domain, interface and acknowledge mode of a case; its name is a path and a selector."""

    assertions: tuple[str, ...]
    domain: str
    api: str
    ack: str
    variant: str = ""
    plain: bool = False
    """Whether the test presumes the plain conditions at every point."""
    pool: str = ""
    """Where a test has many points: those that share one stand for each other."""
    first: bool = field(default=False, compare=False)
    """Whether it is the first point of its test."""

    def varies(self, condition: str) -> bool:
        """Whether the case is one of the half that varies a condition, by its name."""
        digest = blake2b(f"{condition} {self.name}".encode(), digest_size=1).digest()
        return not (self.plain or self.journey) and digest[0] % 2 == 1

    @property
    def area(self) -> str:
        """The domain as the catalogue and profiles name it: `ptp` or `pubsub`."""
        return "ptp" if self.domain == "queue" else "pubsub"

    @property
    def journey(self) -> str:
        """The name of the journey that the case is, if it is one."""
        return self.variant if self.variant.startswith(JOURNEY) else ""

    @property
    def corpus(self) -> bool:
        """Whether the case is a program of the corpus; `variant` is its number."""
        return self.assertions[0] == CORPUS

    @property
    def plan(self) -> bool:
        """Whether the case is a plan of load; `variant` is its name."""
        return self.assertions[0] == PLANS

    @property
    def selected_by(self) -> tuple[str, ...]:
        """The rows by which a section, a level or a feature finds the case: of a journey, which judges a hundred, the leading one.

        A selector that is the id of a row finds a journey by each row that it judges, `assertions`.
        """
        return self.assertions[:1] if self.journey else self.assertions

    @property
    def name(self) -> str:
        """For instance `3.4.1-1/queue/classic/auto`, `pj-chat/topic/classic/auto` of a scenario, `corpus/0137`, `plans/async-close`."""
        lead = self.assertions[0]
        if self.corpus or self.plan:
            return f"{lead.rpartition('-')[0]}/{self.variant}"
        parts = (
            lead if lead[0].isdigit() or lead.startswith(BRIDGE) else lead.rpartition("-")[0],
            self.domain,
            self.api,
            self.ack,
            self.variant,
        )
        return "/".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Variant:
    """A point that a test names itself, in place of the points that its rows make.

    Attributes:
        name: ends the name of the case.
        domain, api, ack: where it runs.
        rows: the rows that it judges, of those that the test names.
        offered: whether a version of the specification has all that it needs.
        plain: whether the case presumes the plain conditions and has no company.
        pool: where each test runs at one point, one of each pool runs; empty: the test has one pool.
    """

    name: str
    domain: str
    api: str
    ack: str
    rows: frozenset[str]
    offered: Callable[[str], bool]
    plain: bool = False
    pool: str = ""
