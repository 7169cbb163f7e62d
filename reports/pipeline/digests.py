"""Digests of definitions: a property is judged again when its definition, the engine or the run has changed."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Final

from tck.check import array_ops, columns, registry, results, stages, tables, unit_outcomes, units
from tck.check.properties import message_views, views
from tck.check.registry import Property
from tck.reports.pipeline import task_answers
from tck.reports.pipeline.run_info import RunInfo

_ENGINE: Final = (columns, registry, results, unit_outcomes, stages, tables, units, views, message_views, array_ops)


def digests(info: RunInfo, properties: Mapping[str, Property]) -> dict[str, str]:
    """Return, for each property, the digest of everything that its answer about a run depends on."""
    run = f"{info.digest} {sorted(info.margins.items())} {info.layout} {task_answers.CAP}"
    found = {}
    for name, each in properties.items():
        module = sys.modules[each.judge.__module__]
        parts = (run, *(_source(one) for one in _ENGINE), _source(module), name, each.grain, *each.assertions)
        found[name] = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return found


@cache
def _source(module: ModuleType) -> str:
    return hashlib.sha256(inspect.getsource(module).encode()).hexdigest()
