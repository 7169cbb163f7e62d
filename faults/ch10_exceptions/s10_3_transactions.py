"""Faults in 10.3: transactions in progress, and transactions that were rolled back."""

from __future__ import annotations

from collections.abc import Callable

from faults.kit.common import raising_instead
from faults.kit.declaring import saboteur
from faults.kit.patch import Patch
from reference_provider import fault_points
from reference_provider.client.context import ReferenceContext
from reference_provider.client.sessions import ReferenceSession
from reference_provider.client.xa.objects import ReferenceXAContext, ReferenceXASession
from tck.api import (
    JMSException,
    JMSRuntimeException,
    TransactionInProgressRuntimeException,
    TransactionRolledBackException,
    TransactionRolledBackRuntimeException,
)


@saboteur("10.3-46", "commit() of a session in a branch returns normally and does nothing")
def _(patch: Patch) -> None:
    patch.replace(ReferenceXASession, "commit", lambda self: self.check_open())


@saboteur("10.3-47", "commit() of a context in a branch raises a plain JMSRuntimeException")
def _(patch: Patch) -> None:
    raising_instead(patch, ReferenceXAContext, "commit", TransactionInProgressRuntimeException, JMSRuntimeException)


@saboteur("10.3-48", "Session.commit() that ends in a rollback raises a plain JMSException")
def _(patch: Patch) -> None:
    def commit(original: Callable[[ReferenceSession], None], session: ReferenceSession) -> None:
        try:
            original(session)
        except TransactionRolledBackException as error:
            raise JMSException(str(error), error.error_code) from error

    patch.at(fault_points.COMMIT, commit)


@saboteur("10.3-49", "commit() of a context that ends in a rollback raises TransactionInProgressRuntimeException")
def _(patch: Patch) -> None:
    of, wrong = TransactionRolledBackRuntimeException, TransactionInProgressRuntimeException
    raising_instead(patch, ReferenceContext, "commit", of, wrong)
