"""A fault in 11.2.6: the threads of an application server."""

from __future__ import annotations

import threading
from collections.abc import Callable

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.sessions import ReferenceSession
from tck.api import IllegalStateException


@saboteur("11.2.6-1", "run() is refused on a thread that has run another session before")
def _(patch: Patch) -> None:
    own = threading.local()

    def run(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        if getattr(own, "session", session) is not session:
            raise IllegalStateException("the thread belongs to another session")
        own.session = session
        original(session)

    around(patch, ReferenceSession, "run", run)
