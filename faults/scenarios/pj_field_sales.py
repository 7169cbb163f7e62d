"""Faults of a salesperson's orders."""

from __future__ import annotations

import copy

from faults.kit.common import before_commit
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.sessions import ReferenceSession

LARGE = 10


@saboteur("pj-field-sales-1", "a transaction of ten messages or more sends its second message after the third")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if len(sends) >= LARGE:
            sends[1], sends[2] = sends[2], sends[1]

    before_commit(patch, fault)


@saboteur("pj-field-sales-2", "a transaction of ten messages or more sends its last message twice")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        sends = session.state.work.sends
        if len(sends) >= LARGE:
            physical, entry = sends[-1]
            sends.append((physical, copy.copy(entry)))

    before_commit(patch, fault)
