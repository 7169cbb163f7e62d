"""The reference provider, broken on purpose, so that every check is shown to bite; and lawful in other ways, so that none bites wrongly.

| folder | faults |
|---|---|
| `chNN_...`, `scenarios` | broad ones, "saboteurs": each breaks one row wherever the row applies, beside a test file of the same name |
| `nearly_right` | narrow ones, written by hand: they break a row under one circumstance only |
| `unnoticed` | narrow ones that no case notices yet, each with a witness that sees it; deleted when the suite notices it |
| `lawful` | changes that break no obligation: whoever finds a MUST row broken accuses a provider wrongly |
| `traces` | faults that only many actors show, one for each property of traces |
| `dummies` | providers that do nothing |
| `interworking` | faults of the reference bridge and its channel |
| `kit`, `composing` | how all of them are written; circumstances and generic operators |

Detection and benchmarks import this package, nobody else; the reference provider's setting `saboteur` loads a fault by its name.
"""

from faults.finding import (
    all_bridge_saboteurs,
    all_lawful,
    all_nearly_right,
    all_nearly_right_bridges,
    all_saboteurs,
    find,
    trace_faults,
)
from faults.kit.declaring import Fault
from faults.kit.patch import Patch

__all__ = [
    "Fault",
    "Patch",
    "all_bridge_saboteurs",
    "all_lawful",
    "all_nearly_right",
    "all_nearly_right_bridges",
    "all_saboteurs",
    "find",
    "trace_faults",
]
