"""Opens reference providers for benchmarks, on files and disks of their choice."""

from __future__ import annotations

from pathlib import Path

from reference_provider.adapter import open_provider
from reference_provider.broker.broker import Rules
from reference_provider.clock import RealClock
from reference_provider.provider import ReferenceProvider
from reference_provider.server import Server, Settings
from reference_provider.store import StoreOptions


def open_file(file: Path, clock: str = "system") -> ReferenceProvider:
    """Open a provider as users do."""
    return open_provider({"file": str(file), "clock": clock}, file.parent)


def open_with(file: Path, options: StoreOptions) -> ReferenceProvider:
    """Open a provider with options of the store that no profile can set."""
    return ReferenceProvider(Server(Settings(file, Rules(store=options)), RealClock()), lambda: None)


def make_file(file: Path) -> None:
    """Make a database with its tables and nothing in them."""
    open_file(file).close()
