"""A Java set of strings as a set of the suite: live, as the Java one is, with Java's answer to attempts to change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

from tck.adapters.jvm.failures import Failures
from tck.adapters.jvm.values import Values

_T = TypeVar("_T")


class JavaNames(AbstractSet[str]):
    """A view of a ``java.util.Set<String>``."""

    __slots__ = ("_failures", "_raw", "_set", "_values")

    def __init__(self, raw: Any, values: Values, failures: Failures) -> None:
        self._raw = raw
        self._values = values
        self._failures = failures
        self._set = values.machine.type("java.util.Set")

    def _call(self, call: Callable[[], _T]) -> _T:
        try:
            return call()
        except self._failures.throwable as error:
            failure = self._failures.python(error)
        raise failure

    def _now(self) -> list[str]:
        return self._call(lambda: [str(self._values.python_string(each)) for each in self._set.toArray(self._raw)])

    def __contains__(self, name: object) -> bool:
        return name in self._now()

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __len__(self) -> int:
        return self._call(lambda: int(self._set.size(self._raw)))

    @classmethod
    def _from_iterable(cls, it: Iterable[_T]) -> AbstractSet[_T]:
        return frozenset(it)

    def add(self, name: str) -> None:
        """Call ``add``."""
        self._call(lambda: self._set.add(self._raw, self._values.java_string(name)))

    def remove(self, name: str) -> None:
        """Call ``remove``."""
        self._call(lambda: self._set.remove(self._raw, self._values.java_string(name)))

    discard = remove

    def clear(self) -> None:
        """Call ``clear``."""
        self._call(lambda: self._set.clear(self._raw))

    def pop(self) -> str:
        """Call ``remove`` of the set's iterator, on the first element."""
        return self._call(self._pop)

    def _pop(self) -> str:
        elements = self._set.iterator(self._raw)
        first = elements.next()
        elements.remove()
        return str(self._values.python_string(first))
