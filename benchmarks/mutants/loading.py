"""Loads a module with a change: the import system gets the changed tree before anything has imported the module."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

from benchmarks.mutants.sites import Mutant, mutated


class _Loader(SourceFileLoader):
    """Compiles the changed tree; neither reads nor writes the compiled file beside the source."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the signature is Python's
        """Compile the changed tree."""
        return compile(mutated(self._mutant), str(self._mutant.path), "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the changed module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the signature is Python's
        target: ModuleType | None = None,  # noqa: ARG002 - likewise
    ) -> ModuleSpec | None:
        """Return the changed module, None for all others."""
        if fullname != self._mutant.module:
            return None
        return spec_from_file_location(fullname, self._mutant.path, loader=_Loader(self._mutant))


def install(mutant: Mutant) -> None:
    """Make this process load the changed module.

    Raises:
        RuntimeError: the unchanged module is loaded already.
    """
    if mutant.module in sys.modules:
        raise RuntimeError(f"{mutant.module} is loaded already; install the mutant before anything imports it")
    sys.meta_path.insert(0, _Finder(mutant))
