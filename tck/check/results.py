"""What a judgement answers, and the margins it allows. Imports nothing, so that results can be read without numpy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation of a property.

    `key` names it: `property/message@endpoint/session.seq`, numbers of the trace. `text` tells the story in sentences
    that cite event numbers, and `cites` are these numbers, in order.
    """

    key: str
    text: str
    cites: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """What a trace shows about one property.

    `obligations` counts the times it could have failed and was decided, `undecided` the times that could not be
    decided. With no obligation the trace says nothing about the property: that is not "held". A property that only
    `observes` describes the provider and never fails it.
    """

    name: str
    assertions: tuple[str, ...]
    obligations: int
    violations: tuple[Finding, ...]
    undecided: int
    observes: bool = False

    @property
    def held(self) -> bool:
        """Whether the trace gave the property a chance to fail, and it did not."""
        return bool(self.obligations) and not self.violations


@dataclass(frozen=True, slots=True)
class Margins:
    """How much a judgement allows for, in milliseconds; a profile may widen each. Wider means more silent."""

    tolerance: float = 1
    """Granularity of the provider's clock: timestamps and delivery times may be off by so much."""
    expiry: float = 2000
    """How long after its expiration a message may still come before that breaks a MUST."""
    expiry_narrow: float = 100
    """The same before it goes against a SHOULD."""
    steady: float = 0
    """How long a provider may need after a change of subscriptions until every part of it knows."""
    lag: float = 250
    """How long a thread may take to record that its receive has returned."""
    redelivery: float = 1500
    """How long the provider may keep a message back before it delivers it again."""
    patience: float = 1000
    """How long a receive must have waited in vain to show that nothing was there."""
    deliveries: int = 6
    """Number of deliveries of one message after which a provider may have given it up."""
