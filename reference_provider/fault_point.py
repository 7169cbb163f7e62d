"""The description of a fault point; `reference_provider.fault_points` lists them all. Imports nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FaultPoint:
    """One place for faults.

    Attributes:
        owner: the class or module that has the function.
        attribute: its name there.
        when: when the provider calls it.
        gets: the arguments a fault gets after the original function.
        returns: what it returns.
    """

    owner: object
    attribute: str
    when: str
    gets: str
    returns: str = "None"
