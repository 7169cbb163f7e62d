"""Loading a module with a change made: the import system is given the changed tree, before anything has imported it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

from benchmarks.mutants.sites import Mutant, mutated


class _Loader(SourceFileLoader):
    """Compiles the changed tree, and neither reads nor writes the compiled file beside the source."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the signature is Python's
        """Compile the changed tree."""
        return compile(mutated(self._mutant), str(self._mutant.path), "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the one module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the signature is Python's
        target: ModuleType | None = None,  # noqa: ARG002 - likewise
    ) -> ModuleSpec | None:
        """Give the changed module, or leave it to others."""
        if fullname != self._mutant.module:
            return None
        return spec_from_file_location(fullname, self._mutant.path, loader=_Loader(self._mutant))


def install(mutant: Mutant) -> None:
    """Have this process load the changed module.

    Raises:
        RuntimeError: it has the unchanged one already.
    """
    if mutant.module in sys.modules:
        raise RuntimeError(f"{mutant.module} is loaded already; a mutant has to come first")
    sys.meta_path.insert(0, _Finder(mutant))
