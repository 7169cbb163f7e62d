"""Loads the reference provider before children are forked: no child imports again what their parent has imported."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def load_reference_provider() -> None:
    """Use a reference provider once, so that the modules which it imports on demand are in memory.

    Raises:
        RuntimeError: a thread of the provider is left, which a fork would lose.
    """
    from reference_provider.adapter import open_provider  # noqa: PLC0415 - detection alone needs the provider

    before = set(threading.enumerate())
    with (
        tempfile.TemporaryDirectory(prefix="tck-") as folder,
        open_provider({"clock": "virtual"}, Path(folder)) as used,
    ):
        context = used.connection_factory().create_context()
        queue = used.create_queue("loading")
        context.create_producer().send(queue, "x")
        selector = "a IS NULL AND (b LIKE 'x%' OR c + 1.5 BETWEEN 1 AND 2 OR d IN ('x') OR NOT TRUE OR a IS NULL)"
        list(context.create_browser(queue, selector).get_enumeration())
        context.create_consumer(queue, selector).receive_no_wait()
        context.close()
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    if left:
        raise RuntimeError(f"threads of the reference provider are left: {', '.join(left)}")


def lawful_providers() -> Mapping[str, Any]:
    """Return the lawful providers by name; see `faults.lawful`."""
    from faults import all_lawful  # noqa: PLC0415 - detection alone needs them

    return all_lawful()
