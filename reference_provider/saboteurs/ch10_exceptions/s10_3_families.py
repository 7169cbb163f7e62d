"""Faults in 10.3: runtime twins, and types that a provider derives."""

from __future__ import annotations

from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.saboteurs.faults import raising_instead
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import IllegalStateException, IllegalStateRuntimeException, JMSException


class BrowserClosedException(JMSException):
    """An exception of the provider that derives from the root of the family alone."""


@saboteur(
    "10.3-3",
    "getMessageSelector() of a closed browser raises IllegalStateRuntimeException",
    collateral={"10.2-4": "a runtime twin is an unchecked exception"},
)
def _(patch: Patch) -> None:
    wrong = IllegalStateRuntimeException
    raising_instead(patch, ReferenceBrowser, "message_selector", IllegalStateException, wrong)


@saboteur(
    "10.3-5", "getQueue() of a closed browser raises a type of the provider's own that is no IllegalStateException"
)
def _(patch: Patch) -> None:
    raising_instead(patch, ReferenceBrowser, "queue", IllegalStateException, BrowserClosedException)
