"""The figures of `detect --format json`, for the page on fault detection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Dummy:
    """A provider that does nothing useful; it must pass no case."""

    name: str
    cases: int
    passed: int


@dataclass(frozen=True, slots=True)
class Detection:
    """The figures of one `detect` run."""

    saboteurs: int
    killed: int
    survived: tuple[str, ...]
    collateral: Mapping[str, tuple[str, ...]]
    nearly_right: Mapping[str, tuple[str, ...]]
    dummies: tuple[Dummy, ...]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Read the JSON object that `detect --format json` prints."""
        collateral = data.get("collateral") or {}
        dummies = data.get("dummies") or {}
        nearly_right = data.get("nearly_right") or {}
        return cls(
            saboteurs=_size(data.get("saboteurs")),
            killed=_size(data.get("killed")),
            survived=tuple(map(str, data.get("survived") or ())),
            collateral={str(key): tuple(map(str, ids)) for key, ids in collateral.items() if ids},
            nearly_right={str(name): tuple(map(str, ids)) for name, ids in nearly_right.items()},
            dummies=tuple(
                Dummy(str(name), int(each.get("must_cases", 0)), int(each.get("must_passed", 0)))
                for name, each in dummies.items()
            ),
        )


def _size(item: object) -> int:
    return item if isinstance(item, int) else len(item) if isinstance(item, list | tuple | dict) else 0
