"""Types of the suite for object messages, as an application would have them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Container:
    """A type of the suite, for object messages; the parent of another."""

    word: str


@dataclass
class Parcel(Container):
    """A type of the suite, for object messages."""

    weight: int


@dataclass
class Stranger:
    """A type of the suite without relation to the others."""

    word: str


class Ledger:
    """A type of the suite with attributes and no declared fields."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.total = len(lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it can change


@dataclass
class Tally:
    """A type of the suite with a field that its constructor does not take."""

    word: str
    count: int = field(default=0, init=False)

    @classmethod
    def of(cls, word: str, count: int) -> Tally:
        """Create one with a count."""
        made = cls(word)
        made.count = count
        return made


class Fragile:
    """A type of the suite whose objects can be serialised and not deserialised."""

    def __init__(self) -> None:
        self.word = "broken"

    def __setstate__(self, state: object) -> None:
        raise ValueError(f"refuses to be built from {state!r}")


class Bomb:
    """A type of the suite whose objects cannot be serialised."""

    def __getstate__(self) -> object:
        raise TypeError("refuses to be taken apart")
