"""Faults in 10.3: runtime twins, and types that a provider derives."""

from faults.ch10_exceptions.s10_2_families import ProviderFailure
from faults.kit import *


@saboteur(
    "10.3-3",
    "getMessageSelector() of a closed browser raises IllegalStateRuntimeException",
    collateral={"10.2-4": "a runtime twin is an unchecked exception"},
)
def _(patch):
    wrong = IllegalStateRuntimeException
    raising_instead(patch, ReferenceBrowser, "message_selector", IllegalStateException, wrong)


saboteur(
    "10.3-5",
    "getQueue() of a closed browser raises a type of the provider's own that is no JMSException",
    lambda patch: raising_instead(patch, ReferenceBrowser, "queue", IllegalStateException, ProviderFailure),
    collateral={
        "10.2-1": "a checked exception must be a JMSException",
        "10.2-8": "a type of the provider's own must be in a family",
    },
)
