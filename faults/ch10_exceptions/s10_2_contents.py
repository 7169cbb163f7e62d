"""Faults in 10.2: descriptions, error codes and causes that are lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.sessions import ReferenceSession
from reference_provider.provider import ReferenceProvider
from tck.api import InvalidClientIDException, InvalidClientIDRuntimeException, JMSException, JMSRuntimeException


@saboteur("10.2-5", "exceptions of the simplified interface have a null message")
def _(patch: Patch) -> None:
    def as_runtime(original: Callable[[JMSException], JMSRuntimeException], error: JMSException) -> JMSRuntimeException:
        made = original(error)
        return type(made)(None, made.error_code, error)

    patch.at(fault_points.EXCEPTION_TRANSLATED, as_runtime)


@saboteur("10.2-6", "InvalidClientIDException and its runtime form lose the error code that they are made with")
def _(patch: Patch) -> None:
    original = ReferenceProvider.new_exception

    def new_exception(self: ReferenceProvider, kind: Any, reason: str | None, *others: Any) -> Any:
        forgetful = issubclass(kind, (InvalidClientIDException, InvalidClientIDRuntimeException))
        return original(self, kind, reason, *(() if forgetful else others))

    patch.replace(ReferenceProvider, "new_exception", new_exception)


@saboteur("10.2-7", "a call on a session whose link is lost raises an exception without the network's own one")
def _(patch: Patch) -> None:
    def check_open(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        try:
            original(session)
        except JMSException as error:
            raise type(error)(error.reason, error.error_code) from None

    patch.at(fault_points.SESSION_CHECKED, check_open)
