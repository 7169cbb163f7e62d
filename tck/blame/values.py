"""`Facts`: all that an entry of `owners.toml` may ask of a difference, by its fields."""

from __future__ import annotations


class Facts(dict[str, list[str]]):
    """By field, the values that hold; the events of `had` in the order in which they happened."""

    def add(self, field: str, *values: str) -> None:
        """Add values of a field."""
        self.setdefault(field, []).extend(values)

    def first(self, field: str, *choices: tuple[str, object]) -> None:
        """Add the first value whose condition holds."""
        found = next((value for value, holds in choices if holds), None)
        if found is not None:
            self.add(field, found)
