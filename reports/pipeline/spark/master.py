"""Ask whether a Spark master listens, before Spark itself asks for a minute. Imports nothing of Spark."""

from __future__ import annotations

import socket
from typing import Final

from tck.reports.pipeline.errors import NoMasterError

SECONDS: Final = 3.0
"""How long a master may take to accept a connection."""
_SCHEME: Final = "spark://"
_PORT: Final = 7077


def reach(master: str) -> None:
    """Return if a standalone master accepts a connection; other kinds of master are left to Spark.

    Args:
        master: The URL, `spark://host:port`, with several hosts separated by commas.

    Raises:
        NoMasterError: None does.
    """
    if not master.startswith(_SCHEME):
        return
    refused = ""
    for place in master.removeprefix(_SCHEME).split(","):
        host, _, port = place.rpartition(":") if ":" in place else (place, "", "")
        try:
            with socket.create_connection((host.strip("[]"), int(port or _PORT)), timeout=SECONDS):
                return
        except (OSError, ValueError) as error:
            refused = f"{place}: {error}"
    todo = "Check that the master runs and that --master names it; `--master 'local[*]'` works on this machine"
    raise NoMasterError(f"expected a Spark master at {master}, saw {refused}", todo=todo)
