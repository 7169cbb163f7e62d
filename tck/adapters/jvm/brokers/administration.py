"""What the administrators of embedded brokers share: actions of `tck.api.Provider.administer` by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tck.api import Hook, UnsupportedOperationException

EMBEDDED: Final = frozenset(set(Hook) - {Hook.CLOCK, Hook.PROFILE, Hook.SECOND_PROVIDER, Hook.NATIVE_CLIENT})
"""The hooks of a broker in this process that has an administrator and can be killed."""


class Administration:
    """Performs the actions that a subclass puts into `actions`."""

    product: str
    actions: Mapping[str, Callable[..., object]]

    def perform(self, action: str, arguments: Mapping[str, Any]) -> object:
        """Perform an action.

        Raises:
            UnsupportedOperationException: There is no such action.
        """
        found = self.actions.get(action)
        if found is None:
            raise UnsupportedOperationException(
                f"{self.product} has no action {action}; known: {', '.join(self.actions)}"
            )
        return found(**arguments)
