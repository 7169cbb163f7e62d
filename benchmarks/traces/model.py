"""The parts of a generated trace: its shape, the kinds of producers, the times within a round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tck.check.columns import NON_PERSISTENT, NONE, PERSISTENT, Table
from tck.check.tables import Tables

US: Final = 1_000
MS: Final = 1_000_000
ROUND: Final = 1_000 * MS
ORIGIN: Final = 1_763_740_000_000 * MS
"""Start of the run, nanoseconds since the epoch."""

COMMIT: Final = 200 * MS
BROWSE: Final = 220 * MS
DELIVER: Final = 300 * MS
SETTLE: Final = 600 * MS
REDELIVER: Final = 650 * MS
FINISH: Final = 900 * MS
EXCEPTIONS: Final = 920 * MS
STOP: Final = 940 * MS
RESTART: Final = 980 * MS
"""Times within a round, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size and content of a trace."""

    rounds: int = 3
    per_round: int = 4
    """Messages of each producer in each round."""
    queues: int = 4
    topics: int = 2
    temporary: bool = True
    variants: int = 9
    """Number of producer variants of each destination, see `VARIANTS`."""
    restart_every: int = 1000
    """Rounds between restarts."""
    hot: int = 1
    """Factor of the messages sent to the first queue."""
    subscriptions: int = 1
    """Number of plain non-durable subscriptions of each topic."""

    def sized(self, messages: int) -> Shape:
        """Return the same shape with enough rounds for about this many messages."""
        destinations = self.queues + self.topics + self.temporary + (self.hot - 1)
        return replace(self, rounds=max(1, messages // (destinations * self.variants * self.per_round)))


@dataclass(frozen=True, slots=True)
class Variant:
    """A kind of producer. `ttl` and `delay` in milliseconds."""

    mode: int = PERSISTENT
    ttl: int = 0
    delay: int = 0
    tx: bool = False
    branch: bool = False
    asynchronous: bool = False
    mixed: bool = False


VARIANTS: Final = (
    Variant(),
    Variant(tx=True),
    Variant(mode=NON_PERSISTENT),
    Variant(mixed=True),
    Variant(asynchronous=True, tx=True),
    Variant(ttl=5_000),
    Variant(delay=50),
    Variant(branch=True),
    Variant(asynchronous=True),
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the generator; its `consumers` take turns."""

    dest: int
    kind: int
    mode: int
    consumers: int = 1
    listens: bool = False
    selector: int = NONE
    shared: bool = False
    nolocal: bool = False
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace as columns."""

    rows: Table
    tables: Tables
