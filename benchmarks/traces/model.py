"""What a generated trace consists of: its shape, the sorts of producers, when in a round things happen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tck.check.columns import NON_PERSISTENT, NONE, PERSISTENT, Table
from tck.check.tables import Tables

US: Final = 1_000
MS: Final = 1_000_000
ROUND: Final = 1_000 * MS
ORIGIN: Final = 1_763_740_000_000 * MS
"""Run start, nanoseconds since the epoch."""

COMMIT: Final = 200 * MS
LOOK: Final = 220 * MS
TAKE: Final = 300 * MS
SETTLE: Final = 600 * MS
AGAIN: Final = 650 * MS
FINISH: Final = 900 * MS
TROUBLE: Final = 920 * MS
STOP: Final = 940 * MS
FALL: Final = 980 * MS
"""When in a round things happen, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a trace is, and what it consists of."""

    rounds: int = 3
    per_round: int = 4
    """Messages of each producer in each round."""
    queues: int = 4
    topics: int = 2
    temporary: bool = True
    variants: int = 9
    """How many of the sorts of producers each destination has, see `VARIANTS`."""
    restart_every: int = 1000
    """Rounds between restarts."""
    hot: int = 1
    """How many times as much is sent to the first queue."""
    subscriptions: int = 1
    """How many plain non-durable subscriptions each topic has."""

    def sized(self, messages: int) -> Shape:
        """Give the same shape with enough rounds for about so many messages."""
        destinations = self.queues + self.topics + self.temporary + (self.hot - 1)
        return replace(self, rounds=max(1, messages // (destinations * self.variants * self.per_round)))


@dataclass(frozen=True, slots=True)
class Variant:
    """A sort of producer. `ttl` and `delay` in milliseconds."""

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
class Sub:
    """An endpoint as the generator sees it; `consumers` of them take turns."""

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
class Load:
    """A trace as columns."""

    rows: Table
    tables: Tables
