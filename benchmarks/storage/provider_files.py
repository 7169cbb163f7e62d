"""Opens reference providers on a given file or disk."""

from __future__ import annotations

from pathlib import Path

from reference_provider.adapter import open_provider
from reference_provider.broker.broker import Rules
from reference_provider.clock import RealClock
from reference_provider.provider import ReferenceProvider
from reference_provider.server import Server, Settings
from reference_provider.store import StoreOptions


def open_file(file: Path, clock: str = "system") -> ReferenceProvider:
    """Open a provider as a profile does."""
    return open_provider({"file": str(file), "clock": clock}, file.parent)


def open_with(file: Path, options: StoreOptions) -> ReferenceProvider:
    """Open a provider with options of the store that a profile cannot set."""
    return ReferenceProvider(Server(Settings(file, Rules(store=options)), RealClock()), lambda: None)


def make_file(file: Path) -> None:
    """Create a database with its tables and no rows."""
    open_file(file).close()
