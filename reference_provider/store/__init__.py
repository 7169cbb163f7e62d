"""The file: one SQLite database, one writing connection, units committed in groups.

`Store` is the entry point. Imports `tck.api` only. Knows rows and statements; must not know sessions, consumers or the
order of delivery.
"""

from __future__ import annotations

from reference_provider.store.commit import Cleaning, Statement, Unit
from reference_provider.store.files import StoreOptions, damaged
from reference_provider.store.store import Body, Store

__all__ = ["Body", "Cleaning", "Statement", "Store", "StoreOptions", "Unit", "damaged"]
