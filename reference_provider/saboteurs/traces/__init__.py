"""Faults that only many actors show, so that trace properties are proved with them.

There is one for each property that no saboteur of a single row breaks under load, in the module of the same name as in
`tck.check.properties`. `settings["saboteur"]` takes their names as well as ids of rows: `listener-serial` lets two listeners
of a session run at once. Most faults strike once in several times, so that a short workload meets them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from reference_provider.saboteurs.registry import Fault
from reference_provider.saboteurs.traces import registry

__all__ = ["trace_faults"]


def trace_faults() -> Mapping[str, Fault]:
    """Return all faults by the property they break."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(registry.FOUND)
