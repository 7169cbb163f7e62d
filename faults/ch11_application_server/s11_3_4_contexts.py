"""Faults in 11.3.4: the resource of an XA context, the context for the application, and the calls left to the manager."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.common import around
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.context import ReferenceContext
from reference_provider.client.xa.objects import ReferenceXAContext
from tck.api import Session


@saboteur("11.3.4-1", "getXAResource() of an XAJMSContext returns null from the second call on")
def _(patch: Patch) -> None:
    honest = vars(ReferenceXAContext)["xa_resource"]
    read: list[object] = []

    def resource(context: ReferenceXAContext) -> Any:
        if any(one is context for one in read):
            return None
        read.append(context)
        return honest.fget(context)

    patch.replace(ReferenceXAContext, "xa_resource", property(resource))


@saboteur("11.3.4-2", "getContext() returns an independent context")
def _(patch: Patch) -> None:
    patch.replace(
        ReferenceXAContext,
        "context",
        property(lambda context: ReferenceContext(context.shared, Session.AUTO_ACKNOWLEDGE)),
    )


def _works(context: ReferenceXAContext) -> bool:
    return context.session.resource._branch is not None  # type: ignore[attr-defined]  # an XA session


@saboteur("11.3.4-4", "getTransacted() of an XAJMSContext is false while it works on no branch")
def _(patch: Patch) -> None:
    patch.replace(ReferenceXAContext, "transacted", property(_works))


def _does_nothing_outside(patch: Patch, name: str) -> None:
    """Return normally from a call that is left to the manager, while the context works on no branch."""

    def call(original: Callable[[ReferenceXAContext], None], context: ReferenceXAContext) -> None:
        if _works(context):
            original(context)

    around(patch, ReferenceXAContext, name, call)


@saboteur("11.3.4-5", "commit() of an XAJMSContext that works on no branch does nothing")
def _(patch: Patch) -> None:
    _does_nothing_outside(patch, "commit")


@saboteur("11.3.4-6", "rollback() of an XAJMSContext that works on no branch does nothing")
def _(patch: Patch) -> None:
    _does_nothing_outside(patch, "rollback")
