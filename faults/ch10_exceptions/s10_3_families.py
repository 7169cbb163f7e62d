"""Faults in 10.3: runtime twins, and types that a provider derives."""

from __future__ import annotations

from faults.ch10_exceptions.s10_2_families import ProviderFailure
from faults.kit.common import raising_instead
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider.client.browsers import ReferenceBrowser
from tck.api import IllegalStateException, IllegalStateRuntimeException


@saboteur(
    "10.3-3",
    "getMessageSelector() of a closed browser raises IllegalStateRuntimeException",
    collateral={"10.2-4": "a runtime twin is an unchecked exception"},
)
def _(patch: Patch) -> None:
    wrong = IllegalStateRuntimeException
    raising_instead(patch, ReferenceBrowser, "message_selector", IllegalStateException, wrong)


@saboteur(
    "10.3-5",
    "getQueue() of a closed browser raises a type of the provider's own that is no JMSException",
    collateral={
        "10.2-1": "a checked exception must be a JMSException",
        "10.2-8": "a type of the provider's own must be in a family",
    },
)
def _(patch: Patch) -> None:
    raising_instead(patch, ReferenceBrowser, "queue", IllegalStateException, ProviderFailure)
