"""Random mutants of the provider as faults of the stream: one changed place of its source, without circumstances."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator
from random import Random
from types import CodeType, FunctionType

from benchmarks.mutants.command import read_same
from benchmarks.mutants.hunt import all_mutants
from benchmarks.mutants.reach import Reach as Entered
from benchmarks.mutants.sites import Mutant, mutated
from benchmarks.strength.drawing import Drawn
from benchmarks.strength.recording import Reach


def draw_mutants(reach: Reach, seed: int) -> Iterator[Drawn]:
    """Yield mutants of functions, those left out that are known to change nothing, in the order of a seed.

    The cases that may meet one are those that call a function of its class or module, the same function first.
    """
    same = read_same()
    every = [
        each for each in all_mutants() if each.first_lines and each.id not in same and f"{each.place}: *" not in same
    ]
    for mutant in sorted(every, key=lambda each: hashlib.sha256(f"{seed} {each.id}".encode()).digest()):
        owner = f"{mutant.module}.{mutant.function}"
        near = [key for key in reach.facts if key.partition(".f")[0] == owner]
        near = near or [key for key in reach.facts if key.startswith(f"{owner.rpartition('.')[0]}.")]
        cases = sorted({case for key in near for case in reach.facts[key]} or reach.sound)
        Random(f"{seed} {mutant.id}").shuffle(cases)
        yield Drawn(f"mutant {mutant.id}", "mutant/", (), tuple(cases), mutant)


class Mutating:
    """In a child: the mutant is in place, and each case says whether it entered the function."""

    def __init__(self, mutant: Mutant) -> None:
        self._place = str(mutant.path), mutant.first_lines[-1]
        self._mutant = mutant
        self._entered = Entered([str(mutant.path)])

    def start(self) -> None:
        """Give the functions of the module their changed code, and watch who enters."""
        path = str(self._mutant.path)
        changed = {
            (code.co_qualname, code.co_firstlineno): code
            for code in _codes(compile(mutated(self._mutant), path, "exec", dont_inherit=True))
        }
        gc.unfreeze()  # a pool of children freezes what is there
        for found in gc.get_objects():
            if isinstance(found, FunctionType) and found.__code__.co_filename == path:
                code = changed.get((found.__code__.co_qualname, found.__code__.co_firstlineno))
                if code is not None and code.co_freevars == found.__code__.co_freevars:
                    found.__code__ = code
        self._entered.start()

    def taken(self) -> int:
        """Return whether the last case entered the function."""
        return int(self._place in self._entered.taken()["places"])


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)
