"""Definition of a property: a name, a grain, the assertions it judges, a function over columns, and a story.

May import `columns`; the properties themselves are in `properties/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

import numpy as np

from tck.check.columns import Array

JudgeFunction: TypeAlias = "Callable[[Any], Judged]"

_ID: Final = re.compile(r"\d+(\.\d+)*-\d+")


class Grain(StrEnum):
    """The rows that a property judges; this also determines its stage."""

    SEND = "send"
    """One send at a time."""
    LANE = "lane"
    """The deliveries of whole sessions, in order."""
    COMPLETION = "completion"
    """Completion callbacks of whole sessions, in order."""
    ASYNC = "async"
    """Asynchronous sends, each with its callbacks."""
    SUBSCRIPTION = "subscription"
    """Creations of consumers of topics."""
    EXCEPTION = "exception"
    """Exception callbacks of whole connections."""
    DELIVERY = "delivery"
    """Deliveries within their copy: a message at an endpoint."""
    COPY = "copy"
    """Each message at each endpoint of its destination, delivered or not."""
    UNIT = "unit"
    """Units of work in doubt, and prepared branches."""
    IDENTITY = "identity"
    """Message ids of all sends."""


@dataclass(slots=True)
class Judged:
    """The answer of a property about each row of its view.

    `owed`: the row is an obligation of the property. `broken`: the row violates it, unless `undecided`. Where a later delivery
    violates the obligation of an earlier one, the two are marked on different rows, one for one. `other` identifies the second
    row of a finding (session and seq), `subject` the first where that is not the row itself.

    `blames` returns, by assertion, the rows that break it if they are violations; an assertion it does not name is broken by all
    of them. It is called only if there is a violation. Without it each violation breaks every assertion of the property.
    """

    owed: Array
    broken: Array
    undecided: Array | None = None
    other: tuple[Array, Array] | None = None
    subject: tuple[Array, Array] | None = None
    blames: Callable[[], Mapping[str, Array]] | None = None

    def only(self, rows: Array) -> Judged:
        """Restrict the answer to some rows."""
        undecided = None if self.undecided is None else self.undecided & rows
        return Judged(self.owed & rows, self.broken & rows, undecided, self.other, self.subject, self.blames)

    @property
    def hits(self) -> Array:
        """The rows that are violations."""
        found = self.broken if self.undecided is None else self.broken & ~self.undecided
        return found.nonzero()[0]

    @property
    def obligations(self) -> int:
        """The number of decided obligations."""
        return int(np.count_nonzero(self.owed)) - self.open

    @property
    def open(self) -> int:
        """The number of undecided obligations."""
        return 0 if self.undecided is None else int(np.count_nonzero(self.undecided))


@dataclass(frozen=True, slots=True)
class Property:
    """One property of traces. `claim` describes the behaviour of a conformant provider, `story` is the template of a finding."""

    name: str
    grain: Grain
    assertions: tuple[str, ...]
    claim: str
    story: str
    judge: JudgeFunction
    observes: bool = False

    def blamed(self, bits: int) -> tuple[str, ...]:
        """Return the assertions of the column `blamed`, or of several joined by or."""
        return tuple(id_ for place, id_ in enumerate(self.assertions) if bits >> place & 1)


def on(
    grain: Grain, name: str, assertions: str, *, story: str, observes: bool = False
) -> Callable[[JudgeFunction], Property]:
    """Make a property of a function over a view; the function's docstring is the claim.

    `assertions` lists catalogue ids, separated by blanks. `story` is a template; `tck.check.story` describes its fields.

    Raises:
        ValueError: an id is malformed or repeated, or the function has no docstring.
    """
    ids = tuple(assertions.split())
    wrong = [each for each in ids if not _ID.fullmatch(each)]
    if wrong or len(set(ids)) != len(ids) or not ids:
        raise ValueError(f"{name}: malformed or repeated assertion ids: {wrong or ids}")

    def make(judge: JudgeFunction) -> Property:
        if not judge.__doc__:
            raise ValueError(f"{name}: the claim is missing")
        return Property(name, grain, ids, " ".join(judge.__doc__.split()), story, judge, observes)

    return make
