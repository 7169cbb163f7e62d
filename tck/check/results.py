"""Results of a judgement, and its margins. Imports nothing, so that results can be read without numpy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation of a property.

    `key` identifies it: `property/message@endpoint/session.seq`, numbers of the trace. `text` is the story, whose sentences
    cite event numbers, and `cites` are these numbers, in order.
    """

    key: str
    text: str
    cites: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PropertyResult:
    """The result of one property for a trace.

    `obligations` counts its decided obligations, `undecided` those that could not be decided. Without an obligation the trace
    shows nothing about the property: that is not "held". A property that only `observes` describes the provider and never
    fails it.
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
    """Margins of judgements, in milliseconds; a profile may widen each. With wider margins fewer violations are reported."""

    tolerance: float = 1
    """Granularity of the provider's clock: the error of timestamps and delivery times."""
    expiry: float = 2000
    """How long after its expiration a message may still arrive before that breaks a MUST."""
    expiry_narrow: float = 100
    """The same before it breaks a SHOULD."""
    steady: float = 0
    """How long after a change of subscriptions the provider may take until every part of it knows."""
    lag: float = 250
    """How long a thread may take to record that its receive has returned."""
    redelivery: float = 1500
    """How long the provider may keep a message before it redelivers it."""
    patience: float = 1000
    """The shortest timeout of a receive that shows an empty endpoint."""
    deliveries: int = 6
    """After this number of deliveries a provider may have given up a message."""
