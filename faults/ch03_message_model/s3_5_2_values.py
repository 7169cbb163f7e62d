"""Faults in 3.5.2: the eight types of properties."""

from faults.kit import *

saboteur(
    "3.5.2-1",
    "a boolean property that is false is lost",
    lambda patch: in_transit(patch, bool, lambda value: value or ...),
)
saboteur(
    "3.5.2-2",
    "negative byte properties arrive as shorts",
    lambda patch: in_transit(patch, Byte, lambda value: Short(value.value % 256) if value.value < 0 else value),
)
saboteur(
    "3.5.2-3", "short properties arrive as ints", lambda patch: in_transit(patch, Short, lambda value: Int(value.value))
)
saboteur(
    "3.5.2-4",
    "int properties are rounded to float",
    lambda patch: in_transit(patch, Int, lambda value: Int(min(int(Float(float(value.value)).value), 2**31 - 1))),
)
saboteur(
    "3.5.2-5",
    "long properties are rounded to double",
    lambda patch: in_transit(patch, int, lambda value: min(int(float(value)), 2**63 - 1)),
)
saboteur(
    "3.5.2-6", "float properties arrive as doubles", lambda patch: in_transit(patch, Float, lambda value: value.value)
)
saboteur(
    "3.5.2-7",
    "double properties are rounded to float",
    lambda patch: in_transit(patch, float, lambda value: Float(value).value),
)
saboteur(
    "3.5.2-8",
    "empty String properties arrive as null",
    lambda patch: in_transit(patch, str, lambda value: value or None),
)
