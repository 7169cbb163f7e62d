"""The trace properties, one module for each kind of row they judge, and the views of the columns they judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tck.check.properties import completion, copy, delivery, lane, repeat, send, transaction
from tck.check.registry import Property

PROPERTIES: Final[Mapping[str, Property]] = {
    each.name: each
    for module in (send, lane, completion, delivery, repeat, transaction, copy)
    for each in module.PROPERTIES
}
"""Every property by name."""
