"""What a property is: a name, a grain, the assertions it judges, a function over columns, and how to tell a violation.

May import `columns`; the properties themselves are in `properties/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

import numpy as np

from tck.check.columns import Array

JudgeFunction: TypeAlias = "Callable[[Any], Judged]"

_ID: Final = re.compile(r"\d+(\.\d+)*-\d+")


class Grain(StrEnum):
    """What rows a property sees, and with it in which of the stages it is judged."""

    SEND = "send"
    """One send at a time."""
    LANE = "lane"
    """The deliveries of whole sessions, in order."""
    COMPLETION = "completion"
    """Completion callbacks of whole sessions, in order."""
    ASYNC = "async"
    """Asynchronous sends, each with its callbacks."""
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

    `owed`: it could fail because of this row. `broken`: it did, unless `undecided`. Where a delivery is owed and a later
    one breaks the promise, the two are marked on different rows, one for one. `other` numbers the second row that a finding
    names (session and seq), `subject` the first where that is not the row itself.
    """

    owed: Array
    broken: Array
    undecided: Array | None = None
    other: tuple[Array, Array] | None = None
    subject: tuple[Array, Array] | None = None

    def only(self, rows: Array) -> Judged:
        """Give the answer about some rows; the others have none."""
        undecided = None if self.undecided is None else self.undecided & rows
        return Judged(self.owed & rows, self.broken & rows, undecided, self.other, self.subject)

    @property
    def hits(self) -> Array:
        """The rows that are violations."""
        found = self.broken if self.undecided is None else self.broken & ~self.undecided
        return found.nonzero()[0]

    @property
    def obligations(self) -> int:
        """How often it could have failed and was decided."""
        return int(np.count_nonzero(self.owed)) - self.open

    @property
    def open(self) -> int:
        """How often it could not be decided."""
        return 0 if self.undecided is None else int(np.count_nonzero(self.undecided))


@dataclass(frozen=True, slots=True)
class Property:
    """One property of traces. `claim` says what a conformant provider does, `story` how a violation is told."""

    name: str
    grain: Grain
    assertions: tuple[str, ...]
    claim: str
    story: str
    judge: JudgeFunction
    observes: bool = False


def on(
    grain: Grain, name: str, assertions: str, *, story: str, observes: bool = False
) -> Callable[[JudgeFunction], Property]:
    """Make a property of a function over a view; the function's docstring is the claim.

    `assertions` names catalogue ids, separated by blanks. `story` is a template over the phrases of `story.StoryFields`.

    Raises:
        ValueError: an id is malformed or named twice, or the function has no docstring.
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
