"""Faults in 10.2: exceptions outside of the family of the interface."""

from faults.kit import *


class ProviderFailure(Exception):  # noqa: N818 - the name of a provider's own exception
    """A checked exception of the provider that is in neither family."""


saboteur(
    "10.2-1",
    "getQueue() of a closed browser raises a checked exception of the provider that is no JMSException",
    lambda patch: raising_instead(patch, ReferenceBrowser, "queue", IllegalStateException, ProviderFailure),
    collateral={
        "10.2-8": "a type of the provider's own must be in a family",
        "10.3-5": "a type of the provider's own must derive from JMSException",
    },
)
saboteur(
    "10.2-4",
    "getQueue() of a closed browser raises java.lang.IllegalStateException",
    lambda patch: raising_instead(patch, ReferenceBrowser, "queue", IllegalStateException, JavaIllegalStateException),
)


@saboteur(
    "10.2-2",
    "JMSContext.unsubscribe() of an unknown name raises java.lang.IllegalStateException",
    collateral={"8.3.3-23": "it demands the exception of the same call"},
)
def _(patch):
    wanted = InvalidDestinationRuntimeException
    raising_instead(patch, ReferenceContext, "unsubscribe", wanted, JavaIllegalStateException)


@saboteur(
    "10.2-8",
    "getMessageSelector() of a closed JMSConsumer raises an exception of the provider outside of both families",
    collateral={
        "10.2-2": "it demands that each error is a JMSRuntimeException",
        "10.3-5": "a type of the provider's own must derive from the prescribed one",
        "6.1.8-43": "it demands the exception of each method of a closed JMSConsumer",
    },
)
def _(patch):
    wanted = IllegalStateRuntimeException
    raising_instead(patch, ReferenceJMSConsumer, "message_selector", wanted, ProviderFailure)
