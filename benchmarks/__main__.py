"""`python -m benchmarks`: measure the bars, or run `agreement`, `bridges`, `corba`, `crash`, `mutants`, `plans`, `power-loss`, `precision`, `soak` or `strength`."""

from __future__ import annotations

import importlib
import sys

from tck.termination import heed_ignored_signals

COMMANDS = {
    "agreement": "benchmarks.reliability.agreement",
    "bridges": "benchmarks.reliability.bridges",
    "corba": "benchmarks.reliability.corba",
    "crash": "benchmarks.reliability.crash",
    "mutants": "benchmarks.mutants.command",
    "plans": "benchmarks.reliability.plans",
    "power-loss": "benchmarks.reliability.power_loss",
    "precision": "benchmarks.precision.command",
    "soak": "benchmarks.reliability.soak",
    "strength": "benchmarks.strength.command",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code: 0, or 1 if a bar is missed or a check finds a fault."""
    if arguments is None:
        heed_ignored_signals()
    words = sys.argv[1:] if arguments is None else arguments
    module = COMMANDS.get(words[0]) if words else None
    if module is not None:
        return int(importlib.import_module(module).main(words[1:]))
    return int(importlib.import_module("benchmarks.bars.command").main(words))


if __name__ == "__main__":
    sys.exit(main())
