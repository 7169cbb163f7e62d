"""Faults in 3.5.2: the eight types of properties."""

from __future__ import annotations

from reference_provider.saboteurs.faults import in_transit
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import Byte, Float, Int, Short


@saboteur("3.5.2-1", "false gets lost")
def _(patch: Patch) -> None:
    in_transit(patch, bool, lambda value: value or ...)


@saboteur("3.5.2-2", "negative bytes become shorts")
def _(patch: Patch) -> None:
    in_transit(patch, Byte, lambda value: Short(value.value % 256) if value.value < 0 else value)


@saboteur("3.5.2-3", "shorts become ints")
def _(patch: Patch) -> None:
    in_transit(patch, Short, lambda value: Int(value.value))


@saboteur("3.5.2-4", "ints pass through a float")
def _(patch: Patch) -> None:
    in_transit(patch, Int, lambda value: Int(min(int(Float(float(value.value)).value), 2**31 - 1)))


@saboteur("3.5.2-5", "longs pass through a double")
def _(patch: Patch) -> None:
    in_transit(patch, int, lambda value: min(int(float(value)), 2**63 - 1))


@saboteur("3.5.2-6", "floats become doubles")
def _(patch: Patch) -> None:
    in_transit(patch, Float, lambda value: value.value)


@saboteur("3.5.2-7", "doubles pass through a float")
def _(patch: Patch) -> None:
    in_transit(patch, float, lambda value: Float(value).value)


@saboteur("3.5.2-8", "empty strings become null")
def _(patch: Patch) -> None:
    in_transit(patch, str, lambda value: value or None)
