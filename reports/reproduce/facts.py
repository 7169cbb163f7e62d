"""The words at the head of a program, and the limits that programs of every language share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PATIENCE: Final = 120
"""Seconds after which a program ends by itself."""
FILLED: Final = ("", "Long contents are recorded by length and digest; fillers of the same length take their place.")
"""The note in a program with such fillers."""
_NOT_IN_NAMES: Final = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Facts:
    """The words of a program about its case.

    Attributes:
        case: The name of the case.
        about: The lines of its head.
    """

    case: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PythonSetup:
    """How a program in Python opens the provider.

    Attributes:
        profile: The profile: a name or a file.
        settings: Settings of its adapter that are others than the profile's.
    """

    profile: str
    settings: Mapping[str, object]


def class_name(case: str) -> str:
    """Return the name of the program's class: `Reproduce_3_4_7_1_queue_classic_auto`."""
    return f"Reproduce_{_NOT_IN_NAMES.sub('_', case).strip('_')}"
