"""The log of a recorder: the items of its rows, and the part of the recorder that wrappers, facts and events use.

Rows are tuples, since a case makes thousands. Their items, by position:

| position | of a call's beginning, or a delivery | of its end |
|---|---|---|
| `SEQ` | number of the row | the same |
| `NOW` | time of the recorder's clock, ns | the same |
| `THREAD` | name of the calling thread | the same |
| `KIND` | `INVOKE` or `DELIVERED` | `OK`, `FAIL` or `UNKNOWN` |
| `ON` | the wrapper that was called | the same |
| `MEMBER` | its `shapes.Member` | the same |
| `CALL` | the arguments | number of the beginning's row |
| `VALUE` | facts of a message, or None | what was returned or raised |
| `FACTS` | | facts of a message, or None |
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Logged: TypeAlias = tuple[Any, ...]

SEQ, NOW, THREAD, KIND, ON, MEMBER, CALL, VALUE, FACTS = range(9)
"""Positions in a row."""

INVOKE, OK, FAIL, UNKNOWN, DELIVERED = range(5)
"""Values of `KIND`; `UNKNOWN` is a call that was cut."""


class Here(threading.local):
    """The name of the current thread, fetched once per thread."""

    def __init__(self) -> None:
        thread = threading.current_thread()
        self.name = "main" if thread is threading.main_thread() else thread.name


class Objects(Protocol):
    """The API objects of a case, the provider's and the suite's."""

    def is_api_object(self, value: object) -> bool:
        """Return whether a value is an object of the messaging API."""
        ...

    def message_kind(self, raw: object) -> str | None:
        """Return "text", "bytes"... of a message, None for anything else."""
        ...

    def changes_of(self, raw: object) -> int | None:
        """Return how often the suite changed the body of a message, None if it has no wrapper."""
        ...

    def label(self, value: object) -> str:
        """Return the label of an API object."""
        ...

    def label_of(self, value: object) -> str | None:
        """Return the label of an API object, None for any other value."""
        ...

    def number_of(self, value: object) -> tuple[str, int]:
        """Return kind and number of an API object, wrapped or not."""
        ...


class Recording(Objects, Protocol):
    """A recorder at work: its log, its clock, and the wrapping of values."""

    case: str
    shift: int
    log: list[Logged]
    here: Here
    next: Callable[[], int]
    now: Callable[[], int]

    @property
    def add(self) -> Callable[[Logged], None]:
        """Add a row."""
        ...

    def fail(self, seq: int, wrapper: object, member: Any, error: BaseException) -> None:  # noqa: ANN401 - a `shapes.Member`
        """Record that a call of the provider raised, or was cut."""
        ...

    def wrap(self, value: T, parent: object = None) -> T:
        """Return the recorded form of a value of the provider."""
        ...
