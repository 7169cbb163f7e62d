"""`AutoCloseable`: what a ``with`` statement closes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ["AutoCloseable"]


class AutoCloseable(ABC):
    """Close at the end of a ``with`` block, as Java's try-with-resources does."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Release what the object holds; closing again has no effect."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
            return
        try:
            self.close()
        except Exception as suppressed:  # noqa: BLE001 - the error of the block is the one to report, as in Java
            error.add_note(f"close() then raised {type(suppressed).__name__}: {suppressed}")
