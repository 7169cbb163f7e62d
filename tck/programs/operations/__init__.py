"""The operations of programs, one module for each group; a new one is an entry in the table of its module."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tck.programs.operations import (
    administering,
    browsing,
    clients,
    consumers,
    destinations,
    exceptions,
    failures,
    getters,
    listening,
    messages,
    producers,
    reading,
    receiving,
    requests,
    sending,
    settling,
    waiting,
)
from tck.programs.operations.operation import Compared, Operation
from tck.programs.operations.server import branches, pools

_GROUPS: Final = (
    clients, destinations, messages, producers, sending, consumers, receiving, waiting, listening, browsing, reading, getters, settling,
    requests, failures, administering, exceptions, pools, branches,
)  # fmt: skip

OPERATIONS: Final[Mapping[str, Operation]] = MappingProxyType(
    {each.name: each for group in _GROUPS for each in group.OPERATIONS}
)
"""All operations by name."""

__all__ = ["OPERATIONS", "Compared", "Operation"]
