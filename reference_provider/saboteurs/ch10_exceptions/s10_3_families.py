"""Faults in 10.3: runtime twins, and types that a provider derives."""

from __future__ import annotations

from reference_provider.client.browsers import ReferenceBrowser
from reference_provider.saboteurs.faults import raising_instead
from reference_provider.saboteurs.registry import Patch, saboteur
from tck.api import IllegalStateException, IllegalStateRuntimeException


class BrowserClosedException(Exception):  # noqa: N818 - the name of a provider's own exception
    """An exception of the provider that derives from none of the API."""


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
    collateral={"10.2-2": "it demands that each error is a JMSException", "10.2-1": "the same"},
)
def _(patch: Patch) -> None:
    raising_instead(patch, ReferenceBrowser, "queue", IllegalStateException, BrowserClosedException)
