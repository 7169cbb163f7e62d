"""Faults in 11.3.4: the resource of an XA context, the context for the application, and the calls left to the manager."""

from faults.kit import *


@saboteur("11.3.4-1", "getXAResource() of an XAJMSContext returns null from the second call on")
def _(patch):
    honest = vars(ReferenceXAContext)["xa_resource"]
    read = []

    def resource(context):
        if any(one is context for one in read):
            return None
        read.append(context)
        return honest.fget(context)

    patch.replace(ReferenceXAContext, "xa_resource", property(resource))


saboteur(
    "11.3.4-2",
    "getContext() returns an independent context",
    lambda patch: patch.replace(
        ReferenceXAContext,
        "context",
        property(lambda context: ReferenceContext(context.shared, Session.AUTO_ACKNOWLEDGE)),
    ),
)


def _works(context):
    return context.session.resource._branch is not None  # an XA session


saboteur(
    "11.3.4-4",
    "getTransacted() of an XAJMSContext is false while it works on no branch",
    lambda patch: patch.replace(ReferenceXAContext, "transacted", property(_works)),
)


def _does_nothing_outside(patch, name):
    """Return normally from a call that is left to the manager, while the context works on no branch."""

    def call(original, context):
        if _works(context):
            original(context)

    patch.around(ReferenceXAContext, name, call)


saboteur(
    "11.3.4-5",
    "commit() of an XAJMSContext that works on no branch does nothing",
    lambda patch: _does_nothing_outside(patch, "commit"),
)
saboteur(
    "11.3.4-6",
    "rollback() of an XAJMSContext that works on no branch does nothing",
    lambda patch: _does_nothing_outside(patch, "rollback"),
)
